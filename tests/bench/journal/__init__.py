"""Programs that kill the writer of a journal, damage journals, and measure what is left: docs/reliability.md."""
