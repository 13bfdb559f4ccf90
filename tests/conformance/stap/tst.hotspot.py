# @@host
# @@timeout: 240
"""Points of Java's virtual machine: methods of a class, objects, a thread, a class, a collection, a function of JNI; texts by their lengths."""
import pathlib
import subprocess
import sys
import tempfile

from programs import must_be, must_list, skip_without, trace

skip_without("javac", "openjdk-17-jdk-headless")
must_list("hotspot.*", ["hotspot.gc_begin name:string is_full:long",
                        "hotspot.class_loaded name:string class:string classloader_id:long is_shared:long",
                        "hotspot.method_entry name:string thread_id:long class:string method:string sig:string",
                        "hotspot.thread_start name:string thread_name:string id:long native_id:long is_daemon:long",
                        "hotspot.monitor_wait name:string thread_id:long id:long class:string timeout:long",
                        "hotspot.mem_pool_gc_end name:string manager:string pool:string initial:long used:long committed:long max:long",
                        "hotspot.object_alloc name:string thread_id:long class:string size:long"])
must_list("hotspot.jni.FindClass", ["hotspot.jni.FindClass name:string env:long"])
must_list("hotspot.jni.*.return", ["hotspot.jni.GetVersion.return name:string ret:long", "hotspot.jni.SetIntField.return name:string"])
SOURCE = """public class Known {
  static int inner(int n) { return n + 1; }
  static int outer(int n) { return inner(n) + inner(n); }
  static class Late {}
  static class Runs implements Runnable { public void run() {} }
  public static void main(String[] words) throws Exception {
    System.out.println("ready");
    System.in.read();
    Known known = null;
    for (int i = 0; i < 7; ++i) { outer(i); known = new Known(); }
    Thread thread = new Thread(new Runs(), "a-thread-of-ours");
    thread.start();
    thread.join();
    new Late();
    synchronized (known) { known.wait(1); }
    System.gc();
  }
}
"""
with tempfile.TemporaryDirectory() as work:
    path = pathlib.Path(work) / "Known.java"
    path.write_text(SOURCE)
    subprocess.run(["javac", "-d", work, path], check=True)
    java = subprocess.Popen(["java", "-Xint", "-XX:+ExtendedDTraceProbes", "-XX:+UseSerialGC", "-cp", work, "Known"],
                            stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    if java.stdout.readline() != "ready\n":
        sys.exit("java does not start")
    status, got = trace(java, """
global n
probe hotspot.method_entry, hotspot.method_return { if (pid() == target() && class == "Known") n[name, method, sig]++ }
probe hotspot.object_alloc { if (pid() == target() && class == "Known") n[name, class, ""]++ }
probe hotspot.thread_start {
  if (pid() == target() && thread_name == "a-thread-of-ours") n[name, is_daemon ? "daemon" : "", native_id == tid() ? "itself" : ""]++
}
probe hotspot.class_loaded { if (pid() == target() && class == "Known$Late") n[name, class, ""]++ }
probe hotspot.monitor_wait { if (pid() == target() && class == "Known") n[name, class, sprint(timeout)]++ }
probe hotspot.gc_begin { if (pid() == target() && is_full) n[name, "full", ""]++ }
probe hotspot.mem_pool_gc_end { if (pid() == target()) n[name, pool, used <= committed && (max < 0 || committed <= max) ? "" : "wrong"]++ }
probe hotspot.jni.DestroyJavaVM { if (pid() == target()) n[name, "", ""]++ }
probe end { foreach ([a, b, c] in n) printf("%s %s %s %d\\n", a, b, c, n[a, b, c]) }""", "-s", "64")
# How many pools there are is for the machine to say: one of them is enough.
pools = [line for line in got if line.startswith("mem_pool_gc_end")]
if not any("Tenured Gen" in line for line in pools) or any("wrong" in line for line in pools):
    sys.exit("\n".join(got))
must_be(status, [line for line in got if line not in pools],
        ["DestroyJavaVM   1", "class_loaded Known$Late  1", "gc_begin full  1", "method_entry <init> ()V 7",
         "method_entry inner (I)I 14", "method_entry outer (I)I 7", "method_return <init> ()V 7",
         "method_return inner (I)I 14", "method_return main ([Ljava/lang/String;)V 1",
         "method_return outer (I)I 7", "monitor_wait Known 1 1", "object_alloc Known  7", "thread_start  itself 1"])
