# @@host
# @@timeout: 60
# What a program of Ruby does: tools/ustat.d.
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


with toolkit.Alone("ustat", "-p", ruby.pid, 1000) as mine, toolkit.Alone("ustat", "-p", 1 << 22, 1000) as of_another:
    work_on()
ruby.communicate("\n", timeout=60)
row = re.search(rf"^{ruby.pid} +ruby +(\d+) +(\d+) +(\d+) +(\d+) +(\d+) +(\d+)$", mine.ours, re.M)
if not row:
    sys.exit(mine.ours)
calls, collections, _, loads, raises, threads = map(int, row.groups())
# The methods inner and outer, and times twice; others are the interpreter's own.
toolkit.same("values", (calls >= 14 + 7 + 2, collections, loads, raises, threads), (True, 3, 0, 1, 0))
toolkit.same("of another", re.findall(r"^\d+ +\S+(?: +\d+){6}$", of_another.ours, re.M), [])
