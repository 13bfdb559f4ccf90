# @@host
# @@timeout: 60
# Functions of a program of Ruby that has a TracePoint: tools/ucalls.d.
import os
import re
import subprocess
import sys

sys.path.insert(0, os.environ["TESTS"])
import toolkit  # noqa: E402

import shutil
import tempfile

PROGRAM = """def inner(n) = n + 1
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
puts "done"
$stdout.flush
$stdin.gets
"""
if not shutil.which("ruby"):
    print("there is no ruby (ruby)")
    sys.exit(toolkit.SKIP)
with tempfile.TemporaryDirectory() as work:
    with open(f"{work}/known.rb", "w") as file:
        file.write(PROGRAM)
    ruby = subprocess.Popen(["ruby", file.name], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    ruby.stdout.readline()


def work_on():
    ruby.stdin.write("\n")
    ruby.stdin.flush()
    ruby.stdout.readline()


with toolkit.Alone("ucalls", "-p", ruby.pid, "-T", 100) as mine, toolkit.Alone("ucalls", "-p", ruby.pid, "-T", 1) as most:
    work_on()
ruby.communicate("\n", timeout=60)
rows = {(where, name): int(count) for where, name, count in re.findall(r"^ruby +(\S+) +(\S+) +(\d+)$", mine.ours, re.M)}
toolkit.same("calls", [rows.get(key) for key in (("Object", "inner"), ("Object", "outer"), ("Integer", "times"))], [14, 7, 2])
toolkit.same("most", len(re.findall(r"^ruby ", most.ours, re.M)), 1)
