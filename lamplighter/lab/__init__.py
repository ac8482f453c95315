"""What designers and researchers do with thousands of matches."""
