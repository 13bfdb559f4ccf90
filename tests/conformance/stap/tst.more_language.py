#!/usr/bin/env python3
# @@host
"""print() of several values, aliases of aliases, files and the standard input, braces of points with arguments, argc and argv, an array's element in its own foreach."""
import os
import re
import sys

sys.path.insert(0, os.environ["TESTS"])
from tables import Stap, check, says

AT_HAND = "WARNING: the array 'a' is read without its index, as its element of this turn of foreach"


class Typed(Stap):
    """With a standard input."""

    def __init__(self, script, out, stdin):
        super().__init__(script, out)
        self.stdin = stdin


check([
    says('print("a", 1, "b", 2)', 'a1b2'),
    says('println("size=", 5, " bytes")', 'size=5 bytes\n'),
    says('println()', '\n'),
    # Texts that macros and conditions bring side by side are one; a backslash at its end joins a line with the next one.
    says('printf("<" @word ">" %( 1 == 1 %? "a" %: "b" %) "c\\n")', '<word>ac\n', before='@define word %( "wo" "rd" %)'),
    says('println("one\\\ntwo")', 'onetwo\n'),
    says('print(sprint(1, "x", 2), sprintln("y", 3))', '1x2y3\n'),
    says('s <<< 3 print("n ", @count(s), "\\n")', 'n 1\n', before="global s"),
    Stap('probe begin { print() }', '',
         err="hint: print() has too few arguments", status=1),
    Stap('global a[3]%, b%[2], c[2]% probe begin { for (i = 0; i < 9; i++) a[i] = b[i] = c[i] = i foreach (k in a) print(k) foreach (k in b) print(k) foreach (k in c) print(k) exit() }',
         '6787878'),
    Stap('global a%[3]% probe begin { for (i = 0; i < 9; i++) a[i] = i foreach (k in a) print(k) exit() }', '678'),
    # What has ended one token is of no later one.
    says('tokenize("a b,c", " ") println(tokenize("", ",")) println(tokenize("", ","))', 'b\nc\n'),
    says('tokenize("a,", ",") println("[", tokenize("", ","), "]") tokenize("a", ",") println("[", tokenize("", "x"), "]")', '[]\n[]\n'),
    says('println(user_string2(@cast(0, "task_struct")->comm, "none"), kernel_string(@cast(0, "task_struct")->mm->owner, "none"))', 'nonenone\n'),
    says('try { println(kernel_string(@cast(1 / 0, "task_struct")->mm->owner, "none")) } catch (m) { println(substr(m, 0, 13)) }', 'division by 0\n'),
    says('try { println(kernel_string(@cast(0, "task_struct")->mm->owner)) } catch { println("fault") }', 'fault\n'),
    # Braces hold whole components behind a dot; what stands behind them is of each.
    Stap('probe dtrace("syscall::{no") ? , begin { println(pp()) exit() }', 'begin\n'),
    Stap('probe kernel.{trace("sched_switch"), trace("sched_wakeup")} { } probe begin { println("attached") exit() }',
         'attached\n'),
    Stap('probe x.{a, b}.c = begin { println("x") } probe begin { }', '', status=1,
         err="parse error: expected probe point specifier"),
    Stap('probe one.entry = begin { w = "1" } probe two.entry = begin(1) { w = "2" } '
         'probe {one,two}.entry { println(w) if (w == "2") exit() }', '1\n2\n'),
    Stap('probe syscall.{read.return, write.{return}} { } probe begin { println("all") exit() }', 'all\n'),
    Stap('probe kernel.{trace("sched_switch" { }', '', status=1, err="parse error: expected ')'"),
    Stap('probe kernel.{trace("sched_switch"),} { }', '', status=1, err="parse error: expected identifier or '*' or '{'"),
    # An alias of an alias may use the variables of that one; behind the probe it is the other way round.
    Stap('probe one = begin { v = "one" } probe two = one { w = v . "two" } probe three = two { x = w . "three" } '
         'probe three { println(x) exit() }', 'onetwothree\n'),
    Stap('probe one += begin { print("1") exit() } probe two += one { print("2") } probe two { print("0") }', '021'),
    Stap('probe one = begin { print("a") }, { print("e") exit() } probe two = one { print("b") }, { print("d") } probe two { print("c") }',
         'abcde'),
    # Files and the standard input, as far as they can be seen before a run.
    Stap('probe procfs("a").read { } probe procfs("a").read { }', '', status=1,
         err="semantic error: another probe is for reads of the file 'a': identifier 'procfs' at <input>:1:34"),
    Stap('probe procfs("a").write { } probe procfs("a/b").read { }', '', status=1,
         err="semantic error: 'a' and 'a/b' cannot both be files"),
    Stap('probe procfs("../a").read { }', '', status=1, err="procfs path cannot be relative"),
    Stap('probe procfs("a//b").read { }', '', status=1, err="procfs path cannot contain an empty component"),
    Stap('probe procfs("a") { }', '', status=1, err="probe point truncated (follow:  read umask(number) write)"),
    Stap('probe procfs("a").read.write { }', '', status=1, err="invalid suffix for probe: identifier 'write'"),
    Stap('probe procfs("a").read.umask(01000) { }', '', status=1, err="umask out of range (0, 0777)"),
    Stap('probe procfs("a").read { $value = 5 }', '', status=1, err="type mismatch"),
    Stap('probe procfs("a").read { $other = "x" }', '', status=1, err="write to target variable not permitted"),
    Stap('probe begin { $value = "x" }', '', status=1, err="write to target variable not permitted"),
    Stap('function f() { $value = "x" } probe procfs("a").read { f() }', '', status=1, err="semantic error"),
    Stap('probe procfs("a").umask(0).read.maxsize(9) { $value .= "x" }', '# probes\nprocfs("a").umask(0).read.maxsize(9)\n  $value:string\n',
         options=["-p2"]),
    Stap('probe input.word { }', '', status=1, err="probe point mismatch (similar: char, line)"),
    Typed('probe input.char { print("[", char, "]") } probe input.line { print(n++, ":", line) if (n == 2) exit() } global n',
          '[a][b][\n]0:ab\n[c][\n]1:c\n', "ab\nc\nd"),
    Typed('probe input.line { print(strlen(line), " ") n++ } probe timer.ms(20) { if (n == 2) exit() } global n', '511 2 ',
          "x" * 600 + "\nz\n"),
    Typed('probe input.char { c++ } global c probe timer.ms(20) { if (c == 3) { println("the end is no end") exit() } }',
          'the end is no end\n', "abc"),
    # /dev/null has no moment at which it becomes readable.
    Stap('probe input.char { println("something") } probe timer.ms(20) { println("nothing") exit() }', 'nothing\n'),
    # The arguments are also variables, as those of main().
    Stap('probe begin { for (i = 1; i <= argc; i++) println(i, "=", argv[i]) exit() }', '1=20\n2=a "b"\\n\n',
         words=("20", 'a "b"\\n')),
    # The limit of a loop over a histogram.
    says('s <<< 1 s <<< 9 foreach (b in @hist_log(s) limit 1) n++ println(n)', '1\n', before="global s, n"),
    # A function of the script is called, and not what the library has under its name.
    Stap('function pid2execname(p) { return "mine" } probe begin { println(pid2execname(pid())) exit() }', 'mine\n'),
    Stap('function stack() { return 1 } probe timer.ms(5) { println(stack(), pid() == stp_pid()) exit() }', '11\n'),
    Stap('probe begin { println(argc, argv[1]) exit() }', '0\n'),
    Stap('global argc = 7 probe begin { println(argc) exit() }', '7\n'),
    Stap('function f(argv) { return argv + 1 } probe begin { println(f(1)) exit() }', '2\n'),
    Stap('global a probe begin { a["x"] = 1 a["y"] = 2 foreach (k in a) printf("%s%d ", k, a) exit() }', 'x1 y2 ',
         err=f"{AT_HAND}: identifier 'a' at <input>:1:82"),
    Stap('global a probe begin { a["x", 1] <<< 5 foreach ([k, n] in a) println(k, @sum(a)) exit() }', 'x5\n',
         err=AT_HAND),
    Stap('global a probe begin { a[1] = 1 foreach (k in a) a = 2 exit() }', '', status=1,
         err="semantic error: inconsistent arity (1 vs 0): identifier 'a'"),
    Stap('global a probe begin { a[1] = 1 println(a) exit() }', '', status=1,
         err="semantic error: inconsistent arity (1 vs 0): identifier 'a'"),
])
