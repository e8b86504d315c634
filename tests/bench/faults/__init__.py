"""What happens to a service that runs: the clock is set, the disk fills or turns read-only, it is told to stop.

`python -m tests.bench.faults` writes the part `faults` of docs/reliability.md. After each fault the journal is opened
and every ply that was acknowledged is looked for in it.
"""
