"""What every subject uses: answering, posting, buttons that outlive the process, pictures, permissions."""
