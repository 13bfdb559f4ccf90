#!/usr/bin/env python3
# @@host
"""Scripts of ten lines and more, as people keep them, and what they print beside a command that does a known thing."""
import os
import re
import sys

sys.path.insert(0, os.environ["TESTS"])
from tables import Stap, check

FAMILY = os.environ["BUILD"] + "/tests/workloads/family"


def runs(command, script, out, words=(), options=(), **more):
    """A script beside a command; `out` is a text, or a pattern for all of it."""
    return Stap(script, out if isinstance(out, str) else re.compile(out.pattern, re.S), words=list(words),
                options=["-c", command, *options], **more)


check([
    # Who asks most, in a table that is sorted and then deleted.
    runs("true", """
global calls
probe syscall_any { if (pid() == target()) calls[name] <<< 1 }
function print_top() {
  printf("%25s %10s\\n", "SYSCALL", "COUNT")
  foreach (call in calls- limit 1) printf("%25s %10s\\n", call, @count(calls[call]) > 1 ? "many" : "one")
  delete calls
  foreach (call in calls) println("never")
}
probe end { print_top() printf("%s\\n", "----") }
""", re.compile(r" {18}SYSCALL      COUNT\n {15}[a-z_ 0-9]{10} +many\n----\n")),
    # Keys of nine kinds.
    runs("true", """
global a[10]
probe begin {
  a["x", 1, "y", 2, "z", 3, "w", 4, 5] = 9
  foreach ([k1, k2, k3, k4, k5, k6, k7, k8, k9] in a)
    printf("%s%d%s%d%s%d%s%d%d=%d\\n", k1, k2, k3, k4, k5, k6, k7, k8, k9, a[k1, k2, k3, k4, k5, k6, k7, k8, k9])
  if (["x", 1, "y", 2, "z", 3, "w", 4, 5] in a) println("in")
  if (!(["x", 1, "y", 2, "z", 3, "w", 4, 6] in a)) println("out")
  delete a["x", 1, "y", 2, "z", 3, "w", 4, 5]
  foreach ([k1, k2, k3, k4, k5, k6, k7, k8, k9] in a) println("never")
  exit()
}""", "x1y2z3w45=9\nin\nout\n"),
    # Which files are opened, and how.
    runs("cat /etc/hostname", """
probe syscall.open ?, syscall.openat {
  if (pid() != target() || !isinstr(argstr, "hostname")) next
  printf("%s(%d) %s (%s)\\n", execname(), pid() == tid(), name, argstr)
}""", re.compile(r'.*cat\(1\) openat \(AT_FDCWD, "/etc/hostname", O_RDONLY\)\n.*')),
    # How long calls take: an entry and a return, with what was kept in between.
    runs("cat /etc/hostname", """
global start, took, names
probe syscall.read { if (pid() == target()) start[tid()] = gettimeofday_ns() }
probe syscall.read.return {
  if (!(tid() in start)) next
  took[execname()] <<< gettimeofday_ns() - start[tid()]
  delete start[tid()]
}
probe end {
  foreach (who in took @count-) printf("%s %d %d %d\\n", who, @count(took[who]) >= 2, @min(took[who]) > 0, @avg(took[who]) <= @max(took[who]))
  foreach (t in start) println("left over")
}""", re.compile(r".*cat 1 1 1\n")),
    # What fails, and why.
    runs("cat /no/such/file", """
global errors
probe syscall.*.return {
  if (pid() != target() || retval >= 0 || retval < -4095) next
  errors[name, retval, errno_str(retval)] <<< 1
}
probe end {
  foreach ([call, number, text] in errors- limit 20)
    if (call == "openat") printf("%-10s %4d %s\\n", call, number, text)
}""", "openat       -2 ENOENT\n", err=None),
    # A graph of calls, with the words of the command line. Of two handlers of a return, the first one comes first.
    runs(FAMILY, """
function trace(entry_p, extra) {
  %( $# > 1 %? if (tid() in trace) %)
  printf("%s%s%s %s\\n", thread_indent(entry_p), entry_p > 0 ? "->" : "<-", ppfunc(), extra)
}
%( $# > 1 %?
global trace
probe $2.call { if (pid() == target()) trace[tid()] = 1 }
%)
probe $1.call { if (pid() == target()) trace(1, $$parms) }
probe $1.return { if (pid() == target()) trace(-1, $$return) }
%( $# > 1 %? probe $2.return { delete trace[tid()] } %)
""", re.compile(r" *0 family\(\d+\):->main \n *\d+ family\(\d+\): ->shorten low=0x[0-9a-f]+ high=0x[0-9a-f]+ score=0x[0-9a-f]+ sign=0x[0-9a-f]+\n"
                r" *\d+ family\(\d+\): <-shorten return=0x9c40\n.* *\d+ family\(\d+\):<-main return=0x0\n"),
         words=[f'process("{FAMILY}").function("*")', f'process("{FAMILY}").function("main")']),
    # Who makes whom: a program, its fork, what the child executes and how it ends.
    runs("sh -c '/bin/sh -c \"exit 3\"; true'", """
global child
probe kprocess.create { if (pid() == target() && new_pid != pid()) { child = new_pid println("create") } }
probe kprocess.exec { if (pid() == child) printf("exec %s\\n", filename) }
probe kprocess.exit { if (pid() == child) printf("exit %d\\n", code >> 8) }
""", 'create\nexec /bin/sh\nexit 3\n', err=None),
    # Arguments, macros and conditions.
    runs("true", """
@define larger(a, b) %( ((@a) > (@b) ? (@a) : (@b)) %)
global most = 3, who = "nobody"
probe begin {
  printf("%d %s %d %s\\n", $1, @2, $#, @#)
  println(@larger($1, most), who, argv[2], argc)
%( $# >= 3 %? println("three") %: println("fewer") %)
%( kernel_v >= "2.6.9" && arch == "x86_64" %? println("here") %: println("there") %)
  exit()
}""", "5 two words 2 2\n7metwo words2\nfewer\nhere\n", words=["5", "two words"], options=["-G", "who=me", "-G", "most=7"]),
    # Optional points, an alias of an alias, and a point that ends its list.
    runs("true", """
probe first = begin { x = 1 }
probe second = first { y = x + 1 }
probe second { println(x, y) }
probe no.such.point ? { println("never") }
probe no.such.point !, end { println(pp()) }
probe never { println("never") }
probe end(-1) { println("before") }
""", "12\nbefore\nend\n"),
    # Errors within functions, caught and thrown again.
    runs("true", """
function checked(n) { if (n > 2) error(sprintf("%d is too much", n)) return n }
probe begin {
  for (i = 0; i < 5; i++) {
    try { println(checked(i)) } catch (message) { println(message) break }
  }
  try { try { x = 1 / (i - i) } catch (m) { error("again: " . substr(m, 0, 13)) } } catch (m) { println(m) }
  exit()
}""", "0\n1\n2\n3 is too much\nagain: division by 0\n"),
    # Pieces of texts.
    runs("true", """
probe begin {
  for (word = tokenize("one:two::three", ":"); word != ""; word = tokenize("", ":")) printf("<%s>", word)
  println("")
  if ("eth0: 1500 bytes" =~ "^([a-z]+)([0-9]+): ([0-9]+)") printf("%s %s %d %d\\n", matched(1), matched(2), strtol(matched(3), 10), ngroups())
  if ("abc" !~ "^b") println(str_replace("a-b-c", "-", "+"), substr("hello world", 6, 5), stringat("A", 0), isinstr("haystack", "st"))
  println(strtol("0x1f", 16), " ", strtol("077", 8), " ", strtol("12abc", 10), " ", text_str("a\\tb\\n"))
  exit()
}""", "<one><two><three>\neth 0 1500 4\na+b+cworld651\n31 63 12 a\\tb\\n\n"),
    # What nothing reads is printed at the end.
    runs("true", """
global counts, pairs, sizes, by, word, number, unused
probe begin {
  counts["x"]++
  pairs[1, "two"] = "q"
  sizes <<< 3
  by[1] <<< 5 by[2] <<< 7
  word = "str" number = -3
  exit()
}""", 'counts["x"]=1\npairs[1,"two"]="q"\nsizes @count=1 @min=3 @max=3 @sum=3 @avg=3\nby[1] @count=1 @min=5 @max=5 @sum=5 @avg=5\n'
         'by[2] @count=1 @min=7 @max=7 @sum=7 @avg=7\nword="str"\nnumber=-3\n'),
])
