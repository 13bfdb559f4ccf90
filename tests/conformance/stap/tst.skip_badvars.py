#!/usr/bin/env python3
# @@host
"""--skip-badvars: values of a probe that are not there, or cannot be read, are 0."""
import os
import sys

sys.path.insert(0, os.environ["TESTS"])
from tables import Stap, check

SKIPS = ["--skip-badvars"]
EVENT = 'probe syscall.exit_group {{ if (pid() == target()) printf({}) }}'


def at_exit(arguments, out, err="", status=0, options=(), words=()):
    return Stap(EVENT.format(arguments), out, err, status, words, list(options) + ["-c", "true"])


check([
    at_exit('"%d\\n", $nosuch', '', "unable to find local 'nosuch'", 1),
    at_exit('"%d\\n", $nosuch', '0\n', options=SKIPS),
    at_exit('"%d\\n", $nosuch->member[3]', '0\n', options=SKIPS),
    at_exit('"[%s]\\n", $nosuch$', '[]\n', options=SKIPS),
    at_exit('"%d %d\\n", $error_code, $nosuch + 5', '0 5\n', options=SKIPS),
    at_exit('"%d\\n", @defined($nosuch)', '0\n', options=SKIPS),
    at_exit('"%d\\n", @choose_defined($nosuch, 7)', '7\n', options=SKIPS),
    at_exit('"%d\\n", @choose_defined($nosuch, $other)', '0\n', options=SKIPS),
    Stap('probe kernel.trace("sched_process_exit") { if ($p->pid == target()) printf("%d %d\\n", $p->nosuch, $p->exit_code) }', '0 0\n',
         options=SKIPS + ["-c", "true"]),
    # A way through NULL: a process that ends has no signals of others to wait for.
    Stap('probe kernel.trace("sched_process_exit") { if ($p->pid == target()) printf("%d\\n", $p->bio_list->head) }', '',
         err="kernel read fault", status=1, options=["-c", "true"]),
    Stap('probe kernel.trace("sched_process_exit") { if ($p->pid == target()) printf("%d\\n", $p->bio_list->head) }', '0\n',
         options=SKIPS + ["-c", "true"]),
    Stap('probe begin { println($nosuch) exit() }', '0\n', options=SKIPS),
    Stap('probe begin { nosuch() exit() }', '', err="unresolved function nosuch", status=1, options=SKIPS),
])
