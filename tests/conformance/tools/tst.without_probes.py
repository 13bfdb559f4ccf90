# Tools for interpreters and databases say why they show nothing; where something is shown, they do not.
import os
import re
import sys

sys.path.insert(0, os.environ["TESTS"])
import toolkit  # noqa: E402

SAYS = "No program has reported "
with toolkit.Alone("ucalls", "-c", "sleep 0") as calls, toolkit.Alone("ustat", "365d", "-c", "sleep 0") as events, \
        toolkit.Alone("ugc", "-c", "sleep 0") as collections, toolkit.Alone("dbslower", "-p", os.getpid(), "-c", "sleep 0") as queries:
    for one in calls, events, collections, queries:
        one.ends()
toolkit.same(f"dbslower: {queries.ours}", queries.ours.count("No server has reported a query."), 1)
for name, one, what in ("ucalls", calls, "a call. "), ("ustat", events, "an event. "), ("ugc", collections, "a collection. "):
    toolkit.same(f"{name}: {one.ours}", one.ours.count(SAYS + what), 1)
python = "/usr/bin/python3"
if not os.path.exists(python) or b"gc__start" not in open(os.path.realpath(python), "rb").read():
    print(f"{python} has no probes")
    sys.exit(toolkit.SKIP)
command = f"{python} -ISc 'import gc; gc.collect()'"
with toolkit.Alone("ucalls", "-c", command) as calls, toolkit.Alone("ustat", "365d", "-c", command) as events, \
        toolkit.Alone("ugc", "-c", command) as collections:
    for one in calls, events, collections:
        one.ends()
for name, one, wanted in (("ucalls", calls, "^python "), ("ustat", events, r"^\d+ +python3"), ("ugc", collections, "generation 2")):
    toolkit.same(f"{name}: {one.ours}", (re.search(wanted, one.ours, re.M) is not None, SAYS in one.ours), (True, False))
