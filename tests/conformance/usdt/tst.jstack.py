# @@host
# @@timeout: 180
"""jstack(): the compiled methods of Java that a sample stands in have the names of the perf map that the machine writes."""
import os
import pathlib
import re
import subprocess
import sys
import tempfile

import java

java.skip_without_java()
SOURCE = """public class Spin {
  static volatile boolean stops;
  static long deepest(int n) { long s = 0; for (int i = 0; i < n; ++i) s += i * s + 1; return s; }
  static long middle(int n) { return deepest(n) + 1; }
  public static void main(String[] words) throws Exception {
    Thread thread = new Thread(() -> { long s = 0; while (!stops) s += middle(20000); System.out.println(s); });
    thread.start();
    Thread.sleep(500);
    System.out.println("ready");
    System.in.read();
    stops = true;
  }
}
"""
OPTIONS = ["-XX:+PreserveFramePointer", "-XX:CompileCommand=quiet", "-XX:CompileCommand=dontinline,Spin.*"]
WANTED = r"""\[jit\]`long Spin\.deepest\(int\)\+0x[0-9a-f]+ \[jit\]`long Spin\.middle\(int\)\+0x[0-9a-f]+"""
with tempfile.TemporaryDirectory() as work:
    program = java.start(work, "Spin", SOURCE, OPTIONS)
    subprocess.run(["jcmd", str(program.pid), "Compiler.perfmap"], check=True, stdout=subprocess.DEVNULL)
    # Of all samples of user code; the deepest two frames of two kinds of calls.
    tracer = java.trace(program, """
        profile-97hz /pid == $target && arg1/ { @two[jstack(2)] = count(); @all[jstack()] = count(); @text[jstack(2, 512)] = count();
                                              ++n >= 40 ? exit(0) : 0; }
        tick-60s { exit(0); }""", "-x", "jstackframes=3")
    text = tracer.communicate(timeout=90)[0]
    program.stdin.write("\n")
    program.stdin.close()
    program.wait(timeout=30)
    pathlib.Path(f"/tmp/perf-{program.pid}.map").unlink(missing_ok=True)
stacks = [" ".join(stack.split()) for stack in text.split("\n\n")]
samples = {2: 0, 3: 0}
for stack in stacks:
    frames, count = len(re.findall("`|0x[0-9a-f]{6,}", stack)), re.search(r" (\d+)$", stack)
    if re.match(WANTED, stack) and count and frames in samples:
        samples[frames] += int(count[1])
# Two aggregations have stacks of two frames, and one has those of the option.
if tracer.returncode != 0 or samples[3] < 20 or samples[2] != 2 * samples[3]:
    print(f"exit status {tracer.returncode}, {samples}\n{text}")
    sys.exit(1)
