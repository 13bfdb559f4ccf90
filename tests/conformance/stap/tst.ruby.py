# @@timeout: 120
"""Points of Ruby: methods of a program that has a TracePoint, functions in C, an exception, collections of garbage."""
import os
import sys

from programs import must_be, must_list, skip_without, start, trace

sys.path.insert(0, os.environ["TESTS"])
from ruby import SOURCE  # noqa: E402

skip_without("ruby", "ruby3.1")
must_list("ruby.*", ["ruby.raise name:string classname:string file:string line:long"])
must_list("ruby.*.*", ["ruby.method.entry name:string classname:string methodname:string file:string line:long",
                       "ruby.array.create name:string size:long file:string line:long",
                       "ruby.require.entry name:string requiredfile:string file:string line:long",
                       "ruby.parse.begin name:string parsedfile:string parsedline:long"])
must_list("ruby.gc.**", ["ruby.gc.mark.begin name:string", "ruby.gc.sweep.end name:string"])
traced = start(["ruby"], "known.rb", SOURCE)
status, got = trace(traced, """
global n
probe ruby.method.entry, ruby.method.return {
  if (pid() != target()) next
  if (isinstr(file, "/known.rb")) n[name, classname, methodname, line]++
}
probe ruby.cmethod.entry { if (pid() == target() && methodname == "times") n[name, classname, methodname, line]++ }
probe ruby.raise { if (pid() == target()) n[name, classname, isinstr(file, "/known.rb") ? "known.rb" : file, line]++ }
probe ruby.gc.mark.begin { if (pid() == target()) n[name, "", "", 0]++ }
probe end { foreach ([a, b, c, d] in n) printf("%s %s %s %d %d\\n", a, b, c, d, n[a, b, c, d]) }""")
must_be(status, got, ["cmethod.entry Integer times 12 1", "cmethod.entry Integer times 7 1", "gc.mark.begin   0 3",
                      "method.entry Object inner 1 14", "method.entry Object outer 2 7", "method.return Object inner 1 14",
                      "method.return Object outer 2 7", "raise ArgumentError known.rb 9 1"])
