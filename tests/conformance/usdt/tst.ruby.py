# @@timeout: 60
"""The probes of Ruby: methods of a program that has a TracePoint, functions in C, what is raised, collections of garbage."""
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

DTRACE = os.environ["DTRACE"]
if not shutil.which("ruby"):
    print("ruby is not installed")
    sys.exit(77)
if not re.search(r"uprobe.multi +yes", subprocess.run([DTRACE, "--self-test"], capture_output=True, text=True).stdout):
    print("this kernel has no uprobe.multi")
    sys.exit(77)
SOURCE = """def inner(n) = n + 1
def outer(n) = inner(n) + inner(n)
TracePoint.new(:call, :return) {}.enable
puts "ready"
$stdout.flush
$stdin.gets
7.times { |i| outer(i) }
begin
  raise ArgumentError, "known"
rescue ArgumentError
end
3.times { GC.start }
"""
PROGRAM = """BEGIN { printf("goes\\n"); }
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
with tempfile.TemporaryDirectory() as work:
    script = pathlib.Path(work) / "known.rb"
    script.write_text(SOURCE)
    ruby = subprocess.Popen(["ruby", script], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    ruby.stdout.readline()
    tracer = subprocess.Popen([DTRACE, "-q", "-p", str(ruby.pid), "-n", PROGRAM], stdout=subprocess.PIPE,
                              stderr=subprocess.STDOUT, text=True)
    first = tracer.stdout.readline()
    ruby.communicate("\n", timeout=30)
    got = sorted(line for line in tracer.communicate(timeout=30)[0].splitlines() if line)
if first != "goes\n" or got != WANTED or tracer.returncode != 0:
    print(f"exit status {tracer.returncode}\n{first}" + "\n".join(got) + "\nwanted\n" + "\n".join(WANTED))
    sys.exit(1)
