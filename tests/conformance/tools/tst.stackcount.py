# Stacks that lead to a system call that this process makes: tools/stackcount.d.
import os
import re
import sys

sys.path.insert(0, os.environ["TESTS"])
import toolkit  # noqa: E402

CALLS = 17
me = os.getpid()
PROBE = "syscall::getpriority:entry"
with toolkit.Alone("stackcount", "-p", me, "-K", PROBE) as kernel, toolkit.Alone("stackcount", "-p", me, "-U", "-P", PROBE) as user, \
        toolkit.Alone("stackcount", "-p", me, PROBE) as both, toolkit.Alone("stackcount", "-p", toolkit.another(), PROBE) as of_another:
    for _ in range(CALLS):
        os.getpriority(os.PRIO_PROCESS, 0)
for one in kernel, user, both:
    toolkit.same("times", sum(map(int, re.findall(r"^times: (\d+)$", one.ours, re.M))), CALLS)
toolkit.same("stacks", [("vmlinux`do_syscall_64" in one.ours, "`getpriority" in one.ours) for one in (kernel, user, both)],
             [(True, False), (False, True), (True, True)])
toolkit.same("by process", re.findall(r"^\S+ (\d+)$", user.ours, re.M)[0], str(me))
toolkit.same("of another", toolkit.rows(of_another.ours), [])

# A report each interval, of what has come since the one before.
with toolkit.Alone("stackcount", "-p", me, "-K", "-i", "200ms", PROBE) as reports:
    for shown in r"times: 1$", r"(?s)times: 1$.*times: 1$":
        os.getpriority(os.PRIO_PROCESS, 0)
        reports.shows(shown)
toolkit.same("reports", re.findall(r"^times: (\d+)$", reports.ours, re.M), ["1", "1"])
