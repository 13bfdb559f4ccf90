#!/usr/bin/env python3
"""Probes of a script of its own, by libdtrace-probes. Beside it:

    dtrace -n 'jobs*:::job-done { @[copyinstr(arg1)] = quantize(arg2); }'
"""
import ctypes
import os
import sys
import time

library = ctypes.CDLL(os.environ.get("DTRACE_PROBES_LIBRARY", "libdtrace-probes.so.0"))


def check(error):
    if error:
        raise OSError(error, os.strerror(error))


class Provider:
    def __init__(self, name):
        self.handle = ctypes.c_void_p()
        check(library.dtrace_provider_create(name.encode(), 0, ctypes.byref(self.handle)))

    def probe(self, name, types="", function=None):
        """A function that fires: whole numbers, and strings where the types have char *."""
        site = ctypes.c_void_p()
        function = function and function.encode()
        check(library.dtrace_provider_probe(self.handle, name.encode(), function, types.encode(), ctypes.byref(site)))
        lookers = ctypes.c_uint16.from_address(site.value)

        def fire(*values):
            if lookers.value:  # nobody looks: nothing is converted
                texts = [v.encode() if isinstance(v, str) else v for v in values]
                words = [ctypes.cast(v, ctypes.c_void_p).value if isinstance(v, bytes) else v for v in texts]
                check(library.dtrace_site_fire(site, len(words), (ctypes.c_uint64 * len(words))(*words)))

        return fire

    def load(self):
        check(library.dtrace_provider_load(self.handle))

    def free(self):
        check(library.dtrace_provider_free(self.handle))


jobs = Provider("jobs")
job_done = jobs.probe("job-done", "int, const char *, uint64_t", function="work")
jobs.load()
for number in range(int(sys.argv[1]) if len(sys.argv) > 1 else 10):
    begin = time.monotonic_ns()
    time.sleep(0.001 * (number % 4))
    job_done(-number, f"job {number % 2}", time.monotonic_ns() - begin)
jobs.free()
