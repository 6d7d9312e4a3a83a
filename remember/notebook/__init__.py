"""Durable notes: remembered once, never folded into their opposite, found again by meaning and by words."""
