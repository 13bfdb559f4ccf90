# @@host
# @@timeout: 180
"""The probes of OpenJDK's virtual machine: the methods of a class, an object, a thread, a collection; strings by their lengths."""
import sys
import tempfile

import java

java.skip_without_java()
SOURCE = """public class Known {
  static int inner(int n) { return n + 1; }
  static int outer(int n) { return inner(n) + inner(n); }
  public static void main(String[] words) throws Exception {
    System.out.println("ready");
    System.in.read();
    Known known = null;
    for (int i = 0; i < 7; ++i) { outer(i); known = new Known(); }
    Thread thread = new Thread(() -> {}, "a-thread-of-ours");
    thread.start();
    thread.join();
    System.gc();
  }
}
"""
PROGRAM = """
hotspot$target:::method-entry, hotspot$target:::method-return /copyinstr(arg1, arg2) == "Known"/ {
    @[probename, copyinstr(arg3, arg4), copyinstr(arg5, arg6)] = count();
}
hotspot$target:::object-alloc /copyinstr(arg1, arg2) == "Known"/ { @[probename, "Known", ""] = count(); }
hotspot$target:::thread-start /copyinstr(arg0, arg1) == "a-thread-of-ours"/ {
    @[probename, copyinstr(arg0, arg1), args[4] ? "daemon" : ""] = count();
}
hotspot$target:::gc-begin /args[0] == 1/ { @[probename, "full", ""] = count(); }
hotspot_jni$target:::DestroyJavaVM-entry { @[probename, "", ""] = count(); }
END { printa("%s %s %s %@d\\n", @); }"""
WANTED = ["DestroyJavaVM-entry   1", "gc-begin full  1", "method-entry <init> ()V 7", "method-entry inner (I)I 14",
          "method-entry lambda$main$0 ()V 1", "method-entry outer (I)I 7", "method-return <init> ()V 7",
          "method-return inner (I)I 14", "method-return lambda$main$0 ()V 1",
          "method-return main ([Ljava/lang/String;)V 1", "method-return outer (I)I 7", "object-alloc Known  7",
          "thread-start a-thread-of-ours  1"]
with tempfile.TemporaryDirectory() as work:
    program = java.start(work, "Known", SOURCE, ["-Xint", "-XX:+ExtendedDTraceProbes", "-XX:+UseSerialGC"])
    tracer = java.trace(program, PROGRAM)
    program.stdin.write("\n")
    program.stdin.close()
    got = sorted(line for line in tracer.communicate(timeout=90)[0].splitlines() if line)
    program.wait(timeout=30)
if got != WANTED or tracer.returncode != 0:
    print(f"exit status {tracer.returncode}\n" + "\n".join(got) + "\nwanted\n" + "\n".join(WANTED))
    sys.exit(1)
