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


def at_end(arguments, out, err="", status=0, options=tuple(SKIPS)):
    script = f'probe kernel.trace("sched_process_exit") {{ if ($p->pid == target()) printf({arguments}) }}'
    return Stap(script, out, err, status, options=list(options) + ["-c", "true"])


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
    # A way through two: nothing is added to what the second one is taken for.
    at_end('"%d", $p->bio_list->head->bi_next', '0'),
    at_end('"%d", &$p->bio_list->head->bi_vcnt', '0'),
    at_end('"%d", &$p->bio_list->head->bi_io_vec[$p->pid]->bv_len', '0'),
    at_end('"%d", $p->bio_list->head->bi_io_vec[$p->pid]->bv_len', '0'),
    at_end('"%d", $p->bio_list->head->bi_iter', '0'),
    at_end('"%d", &$p->bio_list->head->bi_io_vec[$p->pid]->bv_len', '', "kernel read fault", 1, []),
    at_end('"[%s]", $p->bio_list$', '[]'),
    at_end('"[%s]", $p->bio_list->head$', '[]'),
    at_end('"[%s]", $p->bio_list->head->bi_next$$', '[]'),
    at_end('"[%s]", $p->bio_list$', '', "kernel read fault", 1, []),
    # $$parms says where there is nothing to show: a signal of the kernel's own has no siginfo.
    Stap('probe kernel.trace("signal_generate") { if ($sig == 13 && $info == 0) { '
         'printf("%d[%s]", isinstr($$parms$, " info=? "), $info$) exit() } }', '1[]',
         options=SKIPS + ["-c", "sh -c 'yes | head -1 >/dev/null'"]),
    # What is 0 leads on: to memory that is recorded, too.
    at_end('"%d", $p->comm[$p->bio_list->head->bi_vcnt] == $p->comm[0]', '1'),
    at_end('"%d", $p->comm[$p->bio_list->head->bi_io_vec[$p->pid]->bv_len] == $p->comm[0]', '1'),
    at_end('"%d", kernel_int(&$p->pid + $p->bio_list->head->bi_vcnt) == $p->pid', '1'),
    # Other errors stay.
    at_end('"%d", $p->comm[@kderef(8, 0)]', '', "kernel read fault", 1),
    at_end('"%d", $p->comm[$p->bio_list->head->bi_io_vec[$p->pid]->bv_len + 1 / 0]', '', "division by 0", 1),
    Stap('probe begin { println($nosuch) exit() }', '0\n', options=SKIPS),
    Stap('probe begin { nosuch() exit() }', '', err="unresolved function nosuch", status=1, options=SKIPS),
])
