"""Errors, checked settings, whole files, missing libraries, and the door to what people see."""
