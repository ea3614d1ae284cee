"""Kernels: functions compiled by numba, ahead of time or on demand, with records and vectors."""
