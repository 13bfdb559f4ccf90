#!/usr/bin/env python3
# @@host
"""What never runs is checked as the rest is; only what @defined leaves out may name what is not there."""
import os
import sys

sys.path.insert(0, os.environ["TESTS"])
from tables import Stap, check, says

check([
    says('if (0) { xyzzy_none() }', '', err="unresolved function xyzzy_none (similar: ", status=1),
    says('if (1) println(1) else xyzzy_none()', '', err="unresolved function xyzzy_none (similar: ", status=1),
    says('println(0 ? xyzzy_none() : 2)', '', err="unresolved function xyzzy_none (similar: ", status=1),
    says('if (0 && xyzzy_none()) println(1)', '', err="unresolved function xyzzy_none (similar: ", status=1),
    says('if (!1) { $nosuch++ }', '', err='semantic error', status=1),
    says('while (0) { xyzzy_none() }', '', err='unresolved function', status=1),
    says('if (@const("ENOENT") == 0) { xyzzy_none() }', '', err='unresolved function', status=1),
    says('if (0) { x = 1 x = "a" }', '', err='type mismatch', status=1),
    says('if (0) println(1) else println(2) println(1 ? 3 : 4) println(0 || 2, 1 && 0, !0)', '2\n3\n101\n'),
    says('if (@defined($nosuch)) xyzzy_none()', ''),
    says('println(@defined($nosuch) ? xyzzy_none() : 2)', '2\n'),
    says('if (!@defined($nosuch) || xyzzy_none()) println(1)', '1\n'),
    says('if (@defined($nosuch) && xyzzy_none()) println(1) else println(2)', '2\n'),
    says('%( 0 == 1 %? xyzzy_none() %: println(1) %)', '1\n'),
])
