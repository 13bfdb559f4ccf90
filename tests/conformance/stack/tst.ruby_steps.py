# @@timeout: 120
# At every instruction of rb_vm_exec() a method is where it is called from, also where it has just ended, or where an
# exception leaves it; and a stack that is cut is the beginning of the whole one.
import os
import re
import shutil
import subprocess
import sys
import tempfile

DTRACE = os.environ["DTRACE"]
RUBY = "/usr/bin/ruby3.1"
if not os.path.exists(RUBY):
    print(f"there is no {RUBY}")
    sys.exit(77)
PROGRAM = """def leaf(x) = x
def option(x, y = 2) = leaf(x + y)
def plain = [1].each { |x| leaf(x); option(x) }
def calls = [1].each { |x| [2].map(&method(:option)) }
def raises
  [1].each { |x| raise "x" }
rescue
  leaf(1)
end
def sorts = [2, 1].sort { |a, b| option(a) <=> b }
def text = "#{Class.new { def to_s = leaf('s') }.new}"
puts "ready"
$stdout.flush
$stdin.gets
3.times { plain; calls; raises; sorts; text; Fiber.new { plain }.resume; Thread.new { raises }.join }
"""
# Who may call whom, of what is shown and of functions in C that call blocks.
CALLERS = {
    "leaf": {"block in plain", "option", "rescue in raises", "to_s"},
    "option": {"block in plain", "map", "block in sorts", "rb_ary_collect", "call"},
    "block in plain": {"rb_ary_each"}, "block in calls": {"rb_ary_each"}, "block in raises": {"rb_ary_each"},
    "block in sorts": {"rb_ary_sort_bang", "sort!", "sort"},
    "plain": {"block in <main>", "block (2 levels) in <main>"}, "calls": {"block in <main>"},
    "raises": {"block in <main>", "block (2 levels) in <main>"},
    "sorts": {"block in <main>"}, "text": {"block in <main>"}, "rescue in raises": {"raises"},
    "block in <main>": {"times"}, "times": {"<main>"},
}
work = tempfile.mkdtemp()
path = f"{work}/steps.rb"
with open(path, "w", encoding="utf-8") as file:
    file.write(PROGRAM)


def check(condition, *shown):
    if not condition:
        shutil.rmtree(work)
        sys.exit(f"line {sys._getframe(1).f_lineno}: " + "\n".join(map(str, shown)))


program = subprocess.Popen([RUBY, "--disable-gems", path], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
check(program.stdout.readline() == "ready\n", "the program did not begin")
script = ('BEGIN { printf("live\\n"); } pid$target:libruby-3.1.so.3.1*:rb_vm_exec: '
          '{ printf("whole"); jstack(100); printf("cut"); jstack(9); printf("end\\n"); }')
tracer = subprocess.Popen([DTRACE, "-q", "-b", "16m", "-p", str(program.pid), "-n", script], stdout=subprocess.PIPE,
                          stderr=subprocess.PIPE, text=True)
check(tracer.stdout.readline() == "live\n", tracer.poll())
program.communicate("go\n", timeout=60)
out, err = tracer.communicate(timeout=60)
check(tracer.returncode == 0 and err == "", err)


def frames(text):
    """Methods, and functions in C by their names."""
    found = []
    for line in text.strip().splitlines():
        name = re.match(r" *(?:\S+`(\w+)|(.*) \(.*:\d+\)$)", line)
        found.append((name[1] or name[2], name[2] is not None) if name else (line.strip(), False))
    return found


stacks = re.findall(r"^whole\n(.*?)^cut\n(.*?)^end$", out, re.M | re.S)
check(len(stacks) > 1000, len(stacks))
seen = set()
for whole, cut in stacks:
    check(whole.strip().splitlines()[:9] == cut.strip().splitlines(), whole, cut)
    check("[...]" not in whole, whole)
    all_frames = frames(whole)
    ours = [i for i, (name, is_method) in enumerate(all_frames) if is_method and name in CALLERS]
    for i in ours:
        name = all_frames[i][0]
        # The next one that has a name that is told here.
        named = [other for other, is_method in all_frames[i + 1:] if is_method or other in CALLERS[name]]
        check(named and named[0] in CALLERS[name], name, named[:3], whole)
    seen.add(tuple(all_frames[i][0] for i in ours))
check({name for stack in seen for name in stack} >= set(CALLERS) - {"leaf", "to_s"}, seen)  # which Ruby itself may call
check(len(seen) > 15, seen)
shutil.rmtree(work)
