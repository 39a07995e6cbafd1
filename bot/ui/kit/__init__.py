"""Tools for every subject: answering, posting, buttons that outlive the process, pictures, permissions."""
