"""Serves one GGUF file over HTTP on loopback until its input closes; prints the address.

    python serve.py MODEL.gguf CONTEXT_TOKENS THREADS

A process of its own, so that the thread settings are there before the library loads and the
memory is free again afterwards.
"""

from __future__ import annotations

import os
import sys


def main() -> None:
    path, context_tokens, threads = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
    # Threads that spin while another process has the core slow generation down by ten.
    os.environ["OMP_WAIT_POLICY"] = "PASSIVE"
    os.environ["GOMP_SPINCOUNT"] = "2000"
    import xllamacpp

    options = xllamacpp.CommonParams()
    options.model.path = path
    options.n_ctx = context_tokens
    options.n_parallel = 1
    options.port = 0
    options.use_jinja = True
    options.cpuparams.n_threads = options.cpuparams_batch.n_threads = threads
    options.verbosity = -1
    server = xllamacpp.Server(options)
    sys.stdout.write(f"{server.listening_address}\n")
    sys.stdout.flush()
    sys.stdin.read()


if __name__ == "__main__":
    main()
