# @@timeout: 120
# jstack() shows the methods and blocks of Ruby 3.1 with their files and lines, frame by frame as the program itself sees
# them at the same moment: callbacks from C, rescue and ensure, evaluated code, fibers, threads, files that are loaded,
# and in processes that are attached to while they run, or have ended.
import json
import os
import shutil
import signal
import subprocess
import sys
import tempfile

DTRACE = os.environ["DTRACE"]
RUBY = "/usr/bin/ruby3.1"
if not os.path.exists(RUBY):
    print(f"there is no {RUBY}")
    sys.exit(77)

# Every probed call is on one line with what says where it is.
PROGRAM = r'''
require "fiber"
$out = File.open(ARGV[0], "w")
$mutex = Mutex.new

def tell(what)
  frames = caller_locations(1).map { |l| [l.label, l.path, l.lineno] }
  $out.write([what, *frames].join("\t"), "\n")
  $out.flush
end

def mark(what) = (tell(what); Process.ppid)

def nested(n, what)
  return mark(what) if n == 0
  nested(n - 1,
         what)
end

def yields
  yield 1
end

class Shape
  mark("class body")
  class << self
    mark("singleton class body")
    def make(*) = mark("singleton method")
  end
  module Inner
    def self.method_of(what) = nested_in(what) { |x| mark(x) }
    def self.nested_in(what)
      yield what
    end
  end
  define_method(:defined) { |x| mark("define_method") }
  def method_missing(name, *rest) = mark("method_missing #{name}")
  def respond_to_missing?(*) = true
  def +(other) = mark("operator")
  def each
    yield 1
    mark("each of ours")
  end
  include Enumerable
  def to_s
    mark("to_s")
    "shape"
  end
  def <=>(other) = mark("compare")
end

class Square < Shape
  def +(other)
    super
  end
  def initialize(n)
    mark("initialize")
    @n = n
  end
  attr_reader :n
end

def rescues
  raise ArgumentError, "x"
rescue ArgumentError
  mark("rescue")
  begin
    raise "again"
  rescue => e
    mark("inner rescue")
  else
    mark("never")
  ensure
    mark("ensure")
  end
ensure
  mark("outer ensure")
end

def données_π(what) = mark(what)
define_method(("long_name_" + "x" * 150).to_sym) { |what| mark(what) }
define_method(("長い名" * 20).to_sym) { |what| mark(what) }

def main
  mark("plain")
  nested(0, "nested 0")
  nested(1, "nested 1")
  nested(40, "nested 40")
  yields { |x| mark("block") }
  yields { |x| yields { |y| mark("block in block") } }
  [3, 1, 2].each { |x| mark("each") }
  [3, 1].sort { |a, b| mark("sort"); a <=> b }
  { a: 1 }.map do |k, v|
    nested(2, "in map")
  end
  1.upto(2) { mark("upto") }
  3.times.select { |x| x > 1 && mark("select") }
  [1].each_with_index.map { |x, i| mark("enumerator") }
  -> (x) { mark("lambda") }.call(1)
  proc { mark("proc") }.()
  method(:nested).call(1, "method object")
  [["by symbol"]].each { |(x)| [x].each(&method(:mark)) }
  send(:nested, 1, "send")
  instance_eval { mark("instance_eval") }
  eval("mark('eval')")
  eval("1 +\n 1; mark('eval with a place')", binding, "elsewhere.rb", 100)
  Shape.class_eval("def added(x) = mark('class_eval')", "added.rb", 7)
  shape = Shape.new
  shape.added(1)
  shape.defined(1)
  shape.anything
  shape + 1
  Square.new(1) + 2
  "#{shape}"
  [shape, shape].max rescue mark("rescue modifier")
  shape.map { |x| mark("map of ours") }
  Shape.make
  Shape::Inner.method_of("module function")
  rescues
  données_π("UTF-8")
  send("long_name_" + "x" * 150, "long")
  send("長い名" * 20, "long UTF-8")
  catch(:done) { mark("catch"); throw :done }
  loop { mark("loop"); break }
  tap { mark("tap") }
  Fiber.new { nested(3, "fiber"); Fiber.yield; mark("never") }.resume
  Enumerator.new { |y| y << nested(1, "external enumerator") }.next
  Enumerator::Lazy.new([1, 2]) { |y, x| y << mark("lazy") }.first(1)
  [Thread.new { nested(3, "thread") }, Thread.new { Fiber.new { mark("fiber in thread") }.resume }].each(&:join)
  $mutex.synchronize { mark("synchronize") }
  Struct.new(:a) { def b = mark("struct") }.new(1).b
  Comparable.instance_method(:==).bind(shape).call(3) rescue nil
  trap("USR1") { mark("signal") }
  Process.kill("USR1", $$)
  sleep 0.01
  load ARGV[1]
  required("required file")
  fork { mark("forked"); exit!(0) }
  Process.wait
  x = 1; mark("second on a line")
  if x == 1 then [
    1,
    mark("in an array of several lines"),
  ] end
  ObjectSpace.garbage_collect
  1000.times { |i| eval("def again#{i % 3}(n) = n == 0 ? 1 : again#{i % 3}(n - 1)"); again0(2) if i % 3 == 0 }
  eval("def again0(n)\n  mark('made anew')\nend")
  again0(1)
end
at_exit { mark("at_exit") }
main
END { mark("END") }
'''
LOADED = '''
mark("top of a file")
def required(what)
  mark(what)
end
BEGIN { mark("BEGIN") }
'''
work = tempfile.mkdtemp()
program, loaded, told = f"{work}/known.rb", f"{work}/loaded.rb", f"{work}/told"
for path, text in ((program, PROGRAM), (loaded, LOADED)):
    with open(path, "w") as file:
        file.write(text)
def check(condition, *shown):
    if not condition:
        sys.exit(f"line {sys._getframe(1).f_lineno}: {shown}")


def cut(text, room, end=False):
    data = text.encode()
    if len(data) <= room:
        return text
    return "..." + data[-room:].decode(errors="ignore") if end else data[:room].decode(errors="ignore") + "..."


def as_told():
    """What the program said: of each place its name, and the frames of Ruby."""
    with open(told, encoding="utf-8") as file:
        for line in file:
            what, *words = line.rstrip("\n").split("\t")
            frames = zip(words[::3], words[1::3], words[2::3])
            yield what, [[cut(label, 112), cut(path, 256, True), int(number)] for label, path, number in frames]


def as_seen(output):
    for line in output.splitlines():
        for action in json.loads(line).get("actions", []):
            for value in action["values"]:
                if isinstance(value["value"], list):
                    yield value["value"]


def is_ruby(frame):
    return "file" in frame and "module" not in frame


COMMAND = [RUBY, "--disable-gems", program, told, loaded]


def trace(*words):
    """What dtrace says when the program has run."""
    tracer = subprocess.Popen([DTRACE, "-q", "-x", "oformat=jsonl", "-x", "jstackframes=127", *words], text=True,
                              stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    return tracer


def compare(output):
    seen, wanted = list(as_seen(output)), list(as_told())
    check(len(seen) == len(wanted) > 60, len(seen), len(wanted))
    for (what, frames), stack in zip(wanted, seen):
        ours = [[frame["symbol"], frame.get("file", ""), frame.get("line", 0)] for frame in stack if is_ruby(frame)]
        called = [["ppid", *frames[0][1:]], *frames]  # which is at the place of its caller
        while called[-1][1] == "":  # in C, and nothing of Ruby has called it
            called.pop()
        check(ours == called, what, ours, called)
    check(any(frame.get("symbol") == "rb_ary_each" for stack in seen for frame in stack), "functions in C")


def stack_of(frames):
    return [[frame.get("symbol", "[...]"), frame.get("line", 0)] for frame in frames if is_ruby(frame)]


tracer = trace("-c", " ".join(COMMAND), "-n", "syscall::getppid:entry /pid == $target || ppid == $target/ { jstack(); }")
out, err = tracer.communicate(timeout=100)
check(tracer.returncode == 0 and err == "", err)
compare(out)

# A process of which nobody knew before, whose names are asked for when it has ended.
tracer = trace("-n", "BEGIN { printf(\"live\"); } syscall::getppid:entry /execname == \"ruby3.1\"/ { @[jstack()] = count(); }")
check("live" in tracer.stdout.readline(), tracer.poll())
for _ in range(6):  # the first may come before its tables are made
    subprocess.run(COMMAND, check=True, timeout=30)
tracer.send_signal(signal.SIGINT)
out, err = tracer.communicate(timeout=60)
names = {frame["symbol"] for line in out.splitlines() for key in json.loads(line).get("keys", [])
         for frame in key["value"] if is_ruby(frame)}
check({"main", "données_π", "rescues", "method_missing"} <= names, names)

# One that computes: wherever it stands, it is in these functions.
with open(program, "w") as file:
    file.write("""def work(n) = (1..n).sum { |x| x.to_s.hash }
def outer
  puts "ready"
  $stdout.flush
  loop { work(100) }
end
outer
""")
target = subprocess.Popen([RUBY, "--disable-gems", program], stdout=subprocess.PIPE, text=True)
try:
    check(target.stdout.readline() == "ready\n")
    tracer = trace("-p", str(target.pid), "-n", "profile-499 /pid == $target && arg1/ { jstack(); n++; } tick-100ms /n > 40/ { exit(0); }")
    out, err = tracer.communicate(timeout=60)
    stacks = [stack_of(stack) for stack in as_seen(out)]
    check(len(stacks) > 20, len(stacks), err)
    whole = [stack for stack in stacks if stack[-2:] == [["outer", 5], ["<main>", 7]] and "[...]" not in str(stack)]
    check(len(whole) == len(stacks), len(whole), len(stacks), [stack for stack in stacks if stack not in whole][:3])
    # From the outermost on, each is called by the one before; what Ruby's own code in C calls is in one of these.
    known = [("loop", 5), ("block in outer", 5), ("work", 1), ("sum", 1), ("each", 1), ("block in work", 1)]
    for stack in whole:
        inner = [(name, line) for name, line in reversed(stack[:-2]) if (name, line) not in {("to_s", 1), ("hash", 1)}]
        check(inner == known[:len(inner)], inner)
    depths = {len(stack) for stack in whole}
    check(len(depths) > 2, depths)
finally:
    target.kill()
    target.wait()
shutil.rmtree(work)
