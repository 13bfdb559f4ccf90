# @@timeout: 60
"""The probes of Ruby: methods of a program that has a TracePoint, functions in C, what is raised, collections of garbage."""
import os
import sys

from known import check, skip_without

sys.path.insert(0, os.environ["TESTS"])
from ruby import SOURCE  # noqa: E402

skip_without("ruby", "ruby")
PROGRAM = """
ruby$target:::method-entry, ruby$target:::method-return /basename(copyinstr(arg2)) == "known.rb"/ {
    @[probename, copyinstr(arg0), copyinstr(arg1), args[3]] = count();
}
ruby$target:::cmethod-entry /copyinstr(arg1) == "times"/ { @[probename, copyinstr(arg0), copyinstr(arg1), args[3]] = count(); }
ruby$target:::raise { @[probename, copyinstr(arg0), basename(copyinstr(arg1)), args[2]] = count(); }
ruby$target:::gc-mark-begin { @[probename, "", "", 0] = count(); }
END { printa("%s %s %s %d %@d\\n", @); }"""
WANTED = ["cmethod-entry Integer times 12 1", "cmethod-entry Integer times 7 1", "gc-mark-begin   0 3",
          "method-entry Object inner 1 14", "method-entry Object outer 2 7", "method-return Object inner 1 14",
          "method-return Object outer 2 7", "raise ArgumentError known.rb 9 1"]
check(["ruby"], "known.rb", SOURCE, PROGRAM, WANTED)
