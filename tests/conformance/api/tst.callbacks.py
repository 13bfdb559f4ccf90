"""The interface for C: callbacks and texts that are NULL, and calls from within callbacks."""
import ctypes
import os
import pathlib
import sys

build = pathlib.Path(os.environ["DTRACE"]).resolve().parents[2]
path = build / "src/api/libdtrace.so"
if not path.exists():
    print("libdtrace.so is not built beside this dtrace")
    sys.exit(77)
dtrace = ctypes.CDLL(str(path))
dtrace.dtrace_new.restype = ctypes.c_void_p
dtrace.dtrace_error.restype = ctypes.c_char_p
dtrace.dtrace_match.restype = ctypes.c_size_t
RECORD = ctypes.CFUNCTYPE(None, ctypes.c_void_p, ctypes.c_void_p)
MESSAGE = ctypes.CFUNCTYPE(None, ctypes.c_void_p, ctypes.c_char_p)


def tracer():
    return ctypes.c_void_p(dtrace.dtrace_new())


def want(condition, text):
    if not condition:
        sys.exit(f"FAILED: {text}")


t = tracer()
dtrace.dtrace_on_record(t, None, None)
dtrace.dtrace_on_message(t, None, None)
want(dtrace.dtrace_match(t, b"dtrace:::BEGIN", None, None) == 1, "dtrace_match() without a callback")
want(dtrace.dtrace_set_option(t, None, None) == -1, "an option without a name")
want(dtrace.dtrace_add_program(t, b"BEGIN { @a = count(); trace(1); exit(0); }") == 0, "dtrace_add_program()")
want(dtrace.dtrace_go(t) == 0, dtrace.dtrace_error(t))
want(dtrace.dtrace_poll(t, 10000) == 0, dtrace.dtrace_error(t))
want(dtrace.dtrace_read(t, b"a", None, None) == 0, dtrace.dtrace_error(t))
want(dtrace.dtrace_read(t, None, None, None) == -1, "an aggregation without a name")
want(dtrace.dtrace_stop(t) == 0, dtrace.dtrace_error(t))
dtrace.dtrace_free(t)

for add in dtrace.dtrace_add_program, dtrace.dtrace_add_script, dtrace.dtrace_add_command:
    t = tracer()
    want(add(t, None) == -1 or dtrace.dtrace_go(t) == -1, f"{add.__name__}(NULL) is accepted")
    dtrace.dtrace_free(t)

t = tracer()
seen = []


def take(data, record):
    seen.append((dtrace.dtrace_poll(t, 0), dtrace.dtrace_error(t)))
    seen.append((dtrace.dtrace_stop(t), dtrace.dtrace_error(t)))


take_fn = RECORD(take)
dtrace.dtrace_on_record(t, take_fn, None)
dtrace.dtrace_add_program(t, b"BEGIN { trace(1); } BEGIN { trace(2); exit(3); } END { trace(4); }")
want(dtrace.dtrace_go(t) == 0, dtrace.dtrace_error(t))
want(dtrace.dtrace_poll(t, 10000) == 0, dtrace.dtrace_error(t))
want(seen == [(-1, b"poll() is at work: it cannot be called by what it has called"),
              (-1, b"poll() is at work: what it has called ends tracing by interrupt()")] * 2, seen)
seen.clear()
want(dtrace.dtrace_stop(t) == 0, dtrace.dtrace_error(t))
want(seen == [(0, b""), (0, b"")], f"poll() and stop() while stop() is at work: {seen}")
want(dtrace.dtrace_exit_status(t) == 3, "the status")
dtrace.dtrace_free(t)
