"""Everything that members see and press in Discord: one package per subject, each with its slash commands."""
