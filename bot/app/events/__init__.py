"""Events of a server, in which entrants are paired with each other: cups."""
