"""Match files of other programs, which are read into a `Transcript` and written from one."""
