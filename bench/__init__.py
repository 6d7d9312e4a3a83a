"""What Remember costs, beside a bare floor and the official SDK, measured in one run: `python -m bench`."""
