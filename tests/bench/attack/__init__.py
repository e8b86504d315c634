"""A hostile guest on the same network, played against a service that runs: what is tried, and whether it got through.

    phones    a phone that keeps cookies, and raw bytes     table     the service, its host and its guests
    bodies    what ends a writer or a thread                 strangers who plays for whom, who may end and begin
    headers   what a request says of itself                  secrets   hands, deals, refusals

An attempt is a function of the table; it gives what got through, in words, or None. Exhaustion and hangs are measured
beside it, in `tests/bench/door`; two worlds that differ in a secret in `tests/web`.
"""
