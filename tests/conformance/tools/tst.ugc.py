# @@host
# @@timeout: 60
# Collections of garbage of a program of Ruby: tools/ugc.d.
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


with toolkit.Alone("ugc", "-p", ruby.pid) as mine, toolkit.Alone("ugc", "-M", 100000000) as long_ones:
    work_on()
    mine.shows(r"(?s)(mark.*){3}")
ruby.communicate("\n", timeout=60)
rows = re.findall(rf" {ruby.pid} +ruby +\d+\.\d{{3}} (\w+)$", mine.ours, re.M)
toolkit.same("collections", (rows.count("mark"), set(rows)), (3, {"mark", "sweep"}))
toolkit.same("long ones", toolkit.rows(long_ones.ours), [])
