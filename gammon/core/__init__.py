"""What happens around a search, as kernels: games played on, their dice and luck, values."""
