"""Objects of the bathroom and the laundry."""
