#!/usr/bin/env python3
"""Sizes of the writes of one process as a histogram, by the library's C interface.

  writes.py pid seconds
"""
import ctypes
import os
import sys

ROW = ctypes.CFUNCTYPE(None, ctypes.c_void_p, ctypes.c_void_p)


def load():
    lib = ctypes.CDLL(os.environ.get("LIBDTRACE", "libdtrace.so.0"))
    for function in ("dtrace_new", "dtrace_record_value", "dtrace_row_key", "dtrace_record_probe"):
        getattr(lib, function).restype = ctypes.c_void_p
    for function in ("dtrace_error", "dtrace_error_excerpt"):
        getattr(lib, function).restype = ctypes.c_char_p
    for function in ("dtrace_bucket_low", "dtrace_bucket_high", "dtrace_bucket_count", "dtrace_row_value"):
        getattr(lib, function).restype = ctypes.c_int64
    lib.dtrace_row_buckets.restype = ctypes.c_size_t
    return lib


def main():
    pid, seconds = int(sys.argv[1]), int(sys.argv[2])
    lib = load()
    tracer = ctypes.c_void_p(lib.dtrace_new())

    def check(status):
        if status != 0:
            sys.exit(f"writes.py: {lib.dtrace_error(tracer).decode()}\n{lib.dtrace_error_excerpt(tracer).decode()}")

    check(lib.dtrace_add_program(tracer, b"syscall::write:entry /pid == $target/ { @sizes = quantize(arg2); }"))
    check(lib.dtrace_add_program(tracer, b"tick-1s /++n == %d/ { exit(0); }" % seconds))
    check(lib.dtrace_add_process(tracer, ctypes.c_int32(pid)))
    check(lib.dtrace_go(tracer))
    while lib.dtrace_poll(tracer, 1000) > 0:
        pass
    check(lib.dtrace_stop(tracer))

    def show(_, row):
        row = ctypes.c_void_p(row)
        for i in range(lib.dtrace_row_buckets(row)):
            bounds = [f(row, ctypes.c_size_t(i)) for f in (lib.dtrace_bucket_low, lib.dtrace_bucket_high)]
            print(f"{bounds[0]}..{bounds[1]} bytes: {lib.dtrace_bucket_count(row, ctypes.c_size_t(i))}")

    check(lib.dtrace_read(tracer, b"sizes", ROW(show), None))
    status = lib.dtrace_exit_status(tracer)
    lib.dtrace_free(tracer)
    return status


if __name__ == "__main__":
    sys.exit(main())
