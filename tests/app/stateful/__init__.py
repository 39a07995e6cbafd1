"""Members who do anything at any time: a state machine that drives the host and looks at all after each step."""
