#!/usr/bin/env python3
# @@host
"""An array is not changed while a foreach goes over it, as SystemTap says it."""
import os
import sys

sys.path.insert(0, os.environ["TESTS"])
from tables import Stap, check, says


def refused(body, where, before="global a, b"):
    return says(body, '', err=f"semantic error: variable 'a' modified during 'foreach' iteration: identifier 'a' at <input>:1:{where}\n",
                status=1, before=before)


check([
    Stap('global a probe begin { foreach (k in a) delete a[k] a["x"] = 1 exit() }', '', status=1,
         err="semantic error: variable 'a' modified during 'foreach' iteration: identifier 'a' at <input>:1:48\n"
             "        source: global a probe begin { foreach (k in a) delete a[k] a[\"x\"] = 1 exit() }\n"
             "                                                               ^\n"
             "hint: note in another array what to change, and change it behind the loop\n\n"
             "Pass 2: analysis failed.  [man error::pass2]\n"),
    refused('a[1] = 1 foreach (k in a) delete a', 60),
    refused('a[1] = 1 foreach (k in a) a[k] = 2', 53),
    refused('a[1] = 1 foreach (k in a) a[k]++', 53),
    refused('a[1] = 1 foreach (k in a) println(a[2] += 3)', 61),
    refused('a[1] <<< 1 foreach (k in a) a[k] <<< 1', 55),
    refused('a[1] = 1 b[1] = 1 foreach (k in a) foreach (j in b) { if (j) a[k] = 2 }', 88),
    says('a[1] = 1 foreach (k in a) f()', '', status=1, before='global a function f() { a[2] = 1 }',
         err="semantic error: function call modifies var 'a' during 'foreach' iteration: identifier 'f' at <input>:1:76\n"),
    says('a[1] = 1 foreach (k in a) g(3)', '', status=1, before='global a function f() { delete a } function g(n) { n ? g(n - 1) : f() }',
         err="function call modifies var 'a' during 'foreach' iteration: identifier 'g'"),
    # Others, and behind the loop.
    says('a[1] = 1 foreach (k in a) { b[k] = 2 delete b[k] n++ } a[2] = 1 delete a println(n)', '1\n', before='global a, b'),
    says('a[1] = 1 foreach (k in a) n += f() println(n)', '1\n', before='global a function f() { return a[1] }'),
    # The keys are variables of the loop.
    says('a[1] = 1 foreach (k in a) { k = 5 print(k) }', '5', before='global a'),
])
