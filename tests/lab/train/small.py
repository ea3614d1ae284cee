"""A recipe of a training that takes seconds."""

SMALL = """seed = 1
[network]
hidden1 = 16
hidden2 = 4
[[stage]]
target = "sampled"
positions = 960
games = 16
turns = 2
batch = 16
rate = [1e-2, 1e-3]
average = 10
"""
