"""A program of Ruby that does a known thing when it gets a line: calls of methods, one exception, three collections."""
import os
import subprocess
import sys
import tempfile

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


class Ruby:
    """The program, ready to be told; it goes on to live until it is let go."""

    def __init__(self):
        with tempfile.TemporaryDirectory() as work:
            path = os.path.join(work, "known.rb")
            with open(path, "w") as file:
                file.write(SOURCE + 'puts "done"\n$stdout.flush\n$stdin.gets\n')
            # Ruby 3.1 itself fails now and then while it starts and another test has its cmethod probes enabled (docs/bugs.md).
            for _ in range(10):
                with open(os.path.join(work, "err"), "w") as err:
                    self.process = subprocess.Popen(["ruby", path], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                                                    stderr=err, text=True)
                if self.process.stdout.readline() == "ready\n":
                    break
                self.process.communicate()
                with open(os.path.join(work, "err")) as err:
                    said = err.read()
                if "rb_dtrace_setup" not in said and "RSTRING_PTR" not in said:
                    sys.exit(said)
        self.pid = self.process.pid

    def work(self):
        self.process.stdin.write("\n")
        self.process.stdin.flush()
        self.process.stdout.readline()

    def let_go(self):
        self.process.communicate("\n", timeout=60)
