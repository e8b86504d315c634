"""Programs that measure the companion and write the figures and pictures of docs/.

`python -m tests.bench` measures all parts of docs/benchmarks.md but the bots' (`python -m tests.bench.bots`).
"""
