#!/usr/bin/env python3
# @@host
"""The whole text of each kind of error: of the lexer, the parser, macros, points, types, formats and the run."""
import os
import subprocess
import sys

# A script, and all that is written to standard error.
TEXTS = [
    ('probe begin { println(@1) exit() }',
     'parse error: command line argument out of range [1-0]\n'
     "         at: junk '' at <input>:1:23\n"
     '     source: probe begin { println(@1) exit() }\n'
     '                                   ^\n'
     '\n1 parse error.\n'
     'Pass 1: parse failed.  [man error::pass1]\n'),
    ('probe error { println("err") } probe begin { error("x") }',
     'ERROR: x\n'
     'WARNING: Number of errors: 1, skipped probes: 0\n'
     'Pass 5: run failed.  [man error::pass5]\n'),
    ('probe begin { return }',
     "parse error: found 'return' not in function context\n"
     '        saw: keyword at <input>:1:15\n'
     '     source: probe begin { return }\n'
     '                           ^\n'
     "hint: 'next' ends a handler\n"
     '\n1 parse error.\n'
     'Pass 1: parse failed.  [man error::pass1]\n'),
    ('probe begin { println(kernel_string(0)) exit() }',
     "ERROR: kernel string copy fault at 0x0 [man error::fault] near identifier 'kernel_string' at <input>:1:23\n"
     'WARNING: Number of errors: 1, skipped probes: 0\n'
     'Pass 5: run failed.  [man error::pass5]\n'),
    ('probe begin { println(user_string(0)) exit() }',
     "semantic error: memory of a program is read when an event fires, and not here: identifier 'user_string' at <input>:1:23\n"
     '        source: probe begin { println(user_string(0)) exit() }\n'
     '                                      ^\n'
     'hint: the handler of an event can keep the value in a variable\n'
     '\nPass 2: analysis failed.  [man error::pass2]\n'),
    ('probe begin { x[1] = 1 exit() }',
     "semantic error: unresolved arity-1 global array x, missing global declaration?: identifier 'x' at <input>:1:15\n"
     '        source: probe begin { x[1] = 1 exit() }\n'
     '                              ^\n'
     '\nPass 2: analysis failed.  [man error::pass2]\n'),
    ('probe begin { x = 1; x = "a" exit() }',
     "semantic error: type mismatch (string): identifier 'x' at <input>:1:22\n"
     '        source: probe begin { x = 1; x = "a" exit() }\n'
     '                                     ^\n'
     "\nsemantic error: type was first inferred here (long): identifier 'x' at <input>:1:15\n"
     '        source: probe begin { x = 1; x = "a" exit() }\n'
     '                              ^\n'
     '\nPass 2: analysis failed.  [man error::pass2]\n'),
    ('probe begin { foo() exit() }',
     "semantic error: unresolved function foo (similar: log, HZ, pn, pp, cpu): identifier 'foo' at <input>:1:15\n"
     '        source: probe begin { foo() exit() }\n'
     '                              ^\n'
     '\n'
     'Pass 2: analysis failed.  [man error::pass2]\n'),
    ('probe begin { println(undefined_var) exit() }',
     "WARNING: never-assigned local variable 'undefined_var': identifier 'undefined_var' at <input>:1:23\n"
     ' source: probe begin { println(undefined_var) exit() }\n'
     '                               ^\n'
     "semantic error: unresolved type : identifier 'undefined_var' at <input>:1:23\n"
     '        source: probe begin { println(undefined_var) exit() }\n'
     '                                      ^\n'
     '\n'
     'Pass 2: analysis failed.  [man error::pass2]\n'),
    ('probe foo { }',
     "semantic error: while resolving probe point: identifier 'foo' at <input>:1:7\n"
     '        source: probe foo { }\n'
     '                      ^\n'
     '\n'
     "semantic error: probe point mismatch (similar: vfs, vm, end, error, php): identifier 'foo' at <input>:1:7\n"
     '        source: probe foo { }\n'
     '                      ^\n'
     '\n'
     'Pass 2: analysis failed.  [man error::pass2]\n'),
    ('probe syscall.nosuch { }',
     "semantic error: while resolving probe point: identifier 'syscall' at <input>:1:7\n"
     '        source: probe syscall.nosuch { }\n'
     '                      ^\n'
     '\n'
     "semantic error: probe point mismatch (similar: nosys, acct, dup, dup2, dup3): identifier 'nosuch' at <input>:1:15\n"
     '        source: probe syscall.nosuch { }\n'
     '                              ^\n'
     '\n'
     'Pass 2: analysis failed.  [man error::pass2]\n'),
    ('probe begin { $x = 1 }',
     "semantic error: write to target variable not permitted; need stap -g: identifier '$x' at <input>:1:15\n"
     '        source: probe begin { $x = 1 }\n'
     '                              ^\n'
     'hint: no memory of the kernel or of a program is written here\n'
     '\nPass 2: analysis failed.  [man error::pass2]\n'),
    ('probe begin { println($x) }',
     "semantic error: unresolved target-symbol expression: identifier '$x' at <input>:1:23\n"
     '        source: probe begin { println($x) }\n'
     '                                      ^\n'
     '\n'
     'Pass 2: analysis failed.  [man error::pass2]\n'),
    ('global x probe begin { x <<< 1; x = 2 }',
     "semantic error: type mismatch (long): identifier 'x' at <input>:1:33\n"
     '        source: global x probe begin { x <<< 1; x = 2 }\n'
     '                                                ^\n'
     "\nsemantic error: type was first inferred here (stats): identifier 'x' at <input>:1:24\n"
     '        source: global x probe begin { x <<< 1; x = 2 }\n'
     '                                       ^\n'
     '\nPass 2: analysis failed.  [man error::pass2]\n'),
    ('global x, x probe begin { exit() }',
     'parse error: duplicate global name\n'
     "        saw: identifier 'x' at <input>:1:11\n"
     '     source: global x, x probe begin { exit() }\n'
     '                       ^\n'
     '\n1 parse error.\n'
     'Pass 1: parse failed.  [man error::pass1]\n'),
    ('probe begin { break }',
     'semantic error: found statement not nested in loop: keyword at <input>:1:15\n'
     '        source: probe begin { break }\n'
     '                              ^\n'
     '\nPass 2: analysis failed.  [man error::pass2]\n'),
    ('probe begin { foreach (x in y) { } }',
     "semantic error: unresolved arity-1 global array y, missing global declaration?: identifier 'y' at <input>:1:29\n"
     '        source: probe begin { foreach (x in y) { } }\n'
     '                                            ^\n'
     '\nPass 2: analysis failed.  [man error::pass2]\n'),
    ('probe begin { println(1 +) }',
     'parse error: expected literal string or number\n'
     "        saw: operator ')' at <input>:1:26\n"
     '     source: probe begin { println(1 +) }\n'
     '                                      ^\n'
     '\n1 parse error.\n'
     'Pass 1: parse failed.  [man error::pass1]\n'),
    ('probe begin { "abc }',
     'parse error: Could not find matching closing quote\n'
     "         at: junk '' at <input>:1:15\n"
     '     source: probe begin { "abc }\n'
     '                           ^\n'
     '\n1 parse error.\n'
     'Pass 1: parse failed.  [man error::pass1]\n'),
    ('probe { }',
     "parse error: expected identifier or '*' or '{'\n"
     "        saw: operator '{' at <input>:1:7\n"
     '     source: probe { }\n'
     '                   ^\n'
     '\n1 parse error.\n'
     'Pass 1: parse failed.  [man error::pass1]\n'),
    ('global',
     'parse error: unexpected end-of-file\n'
     '        saw: <input> EOF\n'
     '\n1 parse error.\n'
     'Pass 1: parse failed.  [man error::pass1]\n'),
    ('probe begin { println(1) ) }',
     'parse error: expected literal string or number\n'
     "        saw: operator ')' at <input>:1:26\n"
     '     source: probe begin { println(1) ) }\n'
     '                                      ^\n'
     '\n1 parse error.\n'
     'Pass 1: parse failed.  [man error::pass1]\n'),
    ('/* unterminated',
     'parse error: unterminated comment\n'
     "         at: operator '/' at <input>:1:1\n"
     '     source: /* unterminated\n'
     '             ^\n'
     '\n1 parse error.\n'
     'Pass 1: parse failed.  [man error::pass1]\n'),
    ('probe begin { x = 08 }',
     'parse error: number invalid or out of range\n'
     "        saw: number '08' at <input>:1:19\n"
     '     source: probe begin { x = 08 }\n'
     '                               ^\n'
     '\n1 parse error.\n'
     'Pass 1: parse failed.  [man error::pass1]\n'),
    ('probe begin { x = 0xg }',
     'parse error: number invalid or out of range\n'
     "        saw: number '0xg' at <input>:1:19\n"
     '     source: probe begin { x = 0xg }\n'
     '                               ^\n'
     '\n1 parse error.\n'
     'Pass 1: parse failed.  [man error::pass1]\n'),
    ('probe begin { printf("%q", 1) }',
     'parse error: invalid or missing conversion specifier\n'
     "        saw: operator ',' at <input>:1:26\n"
     '     source: probe begin { printf("%q", 1) }\n'
     '                                      ^\n'
     "hint: there is no conversion '%q'\n"
     '\n1 parse error.\n'
     'Pass 1: parse failed.  [man error::pass1]\n'),
    ('probe begin { printf("%d") }',
     "semantic error: Wrong number of args to formatted print operator: identifier 'printf' at <input>:1:15\n"
     '        source: probe begin { printf("%d") }\n'
     '                              ^\n'
     'hint: too few arguments for the format: 0 instead of 1\n'
     '\nPass 2: analysis failed.  [man error::pass2]\n'),
    ('probe begin { printf("%d", "x") }',
     "semantic error: type mismatch: expected long but found string: string 'x' at <input>:1:28\n"
     '        source: probe begin { printf("%d", "x") }\n'
     '                                           ^\n'
     '\nPass 2: analysis failed.  [man error::pass2]\n'),
    ('probe begin { printf("%s", 1) }',
     "semantic error: type mismatch: expected string but found long: number '1' at <input>:1:28\n"
     '        source: probe begin { printf("%s", 1) }\n'
     '                                           ^\n'
     '\nPass 2: analysis failed.  [man error::pass2]\n'),
    ('probe begin { strlen(1) }',
     "semantic error: type mismatch: expected string but found long: number '1' at <input>:1:22\n"
     '        source: probe begin { strlen(1) }\n'
     '                                     ^\n'
     '\nPass 2: analysis failed.  [man error::pass2]\n'),
    ('probe begin { strlen() }',
     "semantic error: arity mismatch found (function 'strlen' takes 1 args): identifier 'strlen' at <input>:1:15\n"
     '        source: probe begin { strlen() }\n'
     '                              ^\n'
     '\nPass 2: analysis failed.  [man error::pass2]\n'),
    ('probe begin { @count(1) }',
     "semantic error: type mismatch: expected stats but found long: number '1' at <input>:1:22\n"
     '        source: probe begin { @count(1) }\n'
     '                                     ^\n'
     '\nPass 2: analysis failed.  [man error::pass2]\n'),
    ('global a probe begin { a[1] <<< 1; println(@hist_log(a)) exit() }',
     "semantic error: inconsistent arity (1 vs 0): identifier 'a' at <input>:1:54\n"
     '        source: global a probe begin { a[1] <<< 1; println(@hist_log(a)) exit() }\n'
     '                                                                     ^\n'
     "\nsemantic error: arity 1 first inferred here: identifier 'a' at <input>:1:24\n"
     '        source: global a probe begin { a[1] <<< 1; println(@hist_log(a)) exit() }\n'
     '                                       ^\n'
     '\nPass 2: analysis failed.  [man error::pass2]\n'),
    ('probe begin { println(@hist_linear(x, 0, 10, 1)) }',
     "WARNING: never-assigned local variable 'x': identifier 'x' at <input>:1:36\n"
     ' source: probe begin { println(@hist_linear(x, 0, 10, 1)) }\n'
     '                                            ^\n'
     "semantic error: stat locals not supported, missing global declaration? : identifier 'x' at <input>:1:36\n"
     '        source: probe begin { println(@hist_linear(x, 0, 10, 1)) }\n'
     '                                                   ^\n'
     '\n'
     'Pass 2: analysis failed.  [man error::pass2]\n'),
    ('global s probe begin { s <<< 5; println(@hist_linear(s, 10, 0, 1)) exit() }',
     "semantic error: invalid bounds or width of @hist_linear: operator '@hist_linear' at <input>:1:41\n"
     '        source: global s probe begin { s <<< 5; println(@hist_linear(s, 10, 0, 1)) exit() }\n'
     '                                                        ^\n'
     '\nPass 2: analysis failed.  [man error::pass2]\n'),
    ('global s probe begin { s <<< 5; println(@hist_linear(s, 0, 10, 0)) exit() }',
     "semantic error: invalid bounds or width of @hist_linear: operator '@hist_linear' at <input>:1:41\n"
     '        source: global s probe begin { s <<< 5; println(@hist_linear(s, 0, 10, 0)) exit() }\n'
     '                                                        ^\n'
     '\nPass 2: analysis failed.  [man error::pass2]\n'),
    ('probe begin { println(1/0) }',
     "ERROR: division by 0 near operator '/' at <input>:1:24\n"
     'WARNING: Number of errors: 1, skipped probes: 0\n'
     'Pass 5: run failed.  [man error::pass5]\n'),
    ('probe begin { println(1%0) }',
     "ERROR: division by 0 near operator '%' at <input>:1:24\n"
     'WARNING: Number of errors: 1, skipped probes: 0\n'
     'Pass 5: run failed.  [man error::pass5]\n'),
    ('global a[2] probe begin { a[1]=1 a[2]=2 a[3]=3 exit() }',
     "ERROR: Array overflow, check size limit (2) near identifier 'a' at <input>:1:41\n"
     'WARNING: Number of errors: 1, skipped probes: 0\n'
     'Pass 5: run failed.  [man error::pass5]\n'),
    ('probe begin { while (1) { } }',
     'ERROR: MAXACTION exceeded near keyword at <input>:1:15\n'
     'WARNING: Number of errors: 1, skipped probes: 0\n'
     'Pass 5: run failed.  [man error::pass5]\n'),
    ('function f(x) { return f(x+1) } probe begin { f(0) }',
     "ERROR: MAXNESTING exceeded near identifier 'f' at <input>:1:24\n"
     'WARNING: Number of errors: 1, skipped probes: 0\n'
     'Pass 5: run failed.  [man error::pass5]\n'),
    ('probe begin { println(stringat("abc", 5)) exit() }',
     "ERROR: position 5 is out of bounds of a string near identifier 'stringat' at <input>:1:23\n"
     'WARNING: Number of errors: 1, skipped probes: 0\n'
     'Pass 5: run failed.  [man error::pass5]\n'),
    ('probe begin { s = "x" if ("a" =~ s) exit() }',
     'parse error: expected literal string\n'
     "        saw: identifier 's' at <input>:1:34\n"
     '     source: probe begin { s = "x" if ("a" =~ s) exit() }\n'
     '                                              ^\n'
     '\n1 parse error.\n'
     'Pass 1: parse failed.  [man error::pass1]\n'),
    ('probe begin { if ("a" =~ "(") exit() }',
     "semantic error: regular expression '(': Unmatched ( or \\(: string '(' at <input>:1:26\n"
     '        source: probe begin { if ("a" =~ "(") exit() }\n'
     '                                         ^\n'
     '\nPass 2: analysis failed.  [man error::pass2]\n'),
    ('global a probe begin { a[1] = 1 a["x"] = 2 }',
     "semantic error: index 0 type mismatch (string): string 'x' at <input>:1:35\n"
     '        source: global a probe begin { a[1] = 1 a["x"] = 2 }\n'
     '                                                  ^\n'
     "\nsemantic error: type of index 0 was first inferred here (long): number '1' at <input>:1:26\n"
     '        source: global a probe begin { a[1] = 1 a["x"] = 2 }\n'
     '                                         ^\n'
     '\nPass 2: analysis failed.  [man error::pass2]\n'),
    ('global a probe begin { a[1] = 1 a[1, 2] = 2 }',
     "semantic error: inconsistent arity (1 vs 2): identifier 'a' at <input>:1:33\n"
     '        source: global a probe begin { a[1] = 1 a[1, 2] = 2 }\n'
     '                                                ^\n'
     "\nsemantic error: arity 1 first inferred here: identifier 'a' at <input>:1:24\n"
     '        source: global a probe begin { a[1] = 1 a[1, 2] = 2 }\n'
     '                                       ^\n'
     '\nPass 2: analysis failed.  [man error::pass2]\n'),
    ('probe begin { foreach (k in a limit 1) { } }',
     "semantic error: unresolved arity-1 global array a, missing global declaration?: identifier 'a' at <input>:1:29\n"
     '        source: probe begin { foreach (k in a limit 1) { } }\n'
     '                                            ^\n'
     '\nPass 2: analysis failed.  [man error::pass2]\n'),
    ('@define m(x) %( @x %) probe begin { println(@m) }',
     "parse error: expected '(' in invocation of macro '@m' taking 1 parameter\n"
     "         at: operator ')' at <input>:1:47\n"
     '     source: @define m(x) %( @x %) probe begin { println(@m) }\n'
     '                                                           ^\n'
     '\n1 parse error.\n'
     'Pass 1: parse failed.  [man error::pass1]\n'),
    ('@define m(x) %( @x + %) probe begin { println(@m(1)) }',
     'parse error: expected literal string or number\n'
     "        saw: operator ')' at <input>:1:52\n"
     '     source: @define m(x) %( @x + %) probe begin { println(@m(1)) }\n'
     '                                                                ^\n'
     '\n1 parse error.\n'
     'Pass 1: parse failed.  [man error::pass1]\n'),
    ('probe begin { println(@nosuch) }',
     'parse error: unknown operator @nosuch\n'
     "        saw: operator '@nosuch' at <input>:1:23\n"
     '     source: probe begin { println(@nosuch) }\n'
     '                                   ^\n'
     '\n1 parse error.\n'
     'Pass 1: parse failed.  [man error::pass1]\n'),
    ('%( kernel_v ~ "5" %? %) probe begin { }',
     'parse error: expected comparison operator\n'
     "         at: operator '~' at <input>:1:13\n"
     '     source: %( kernel_v ~ "5" %? %) probe begin { }\n'
     '                         ^\n'
     "\nparse error: incomplete conditional - missing '%('\n"
     "         at: operator '%?' at <input>:1:19\n"
     '     source: %( kernel_v ~ "5" %? %) probe begin { }\n'
     '                               ^\n'
     "\nparse error: incomplete conditional - missing '%('\n"
     "         at: operator '%)' at <input>:1:22\n"
     '     source: %( kernel_v ~ "5" %? %) probe begin { }\n'
     '                                  ^\n'
     '\n3 parse errors.\n'
     'Pass 1: parse failed.  [man error::pass1]\n'),
    ('%( kernel_v > "5" %? probe begin { }',
     'parse error: incomplete conditional at end of file\n'
     "         at: operator '%(' at <input>:1:1\n"
     '     source: %( kernel_v > "5" %? probe begin { }\n'
     '             ^\n'
     "\nInput file '<input>' is empty after preprocessing.\n"
     'Pass 1: parse failed.  [man error::pass1]\n'),
    ('probe a = a { } probe a { }',
     "semantic error: while resolving probe point: identifier 'a' at <input>:1:11\n"
     '        source: probe a = a { } probe a { }\n'
     '                          ^\n'
     '\n'
     'semantic error: recursive loop in alias expansion of a\n'
     '\n'
     'Pass 2: analysis failed.  [man error::pass2]\n'
     'Number of similar error messages suppressed: 3.\n'
     'Rerun with -v to see them.\n'),
    ('probe begin { x = $1 }',
     'parse error: command line argument out of range [1-0]\n'
     "         at: junk '' at <input>:1:19\n"
     '     source: probe begin { x = $1 }\n'
     '                               ^\n'
     '\n1 parse error.\n'
     'Pass 1: parse failed.  [man error::pass1]\n'),
    ('function f(a, a) { } probe begin { f(1, 2) }',
     'parse error: duplicate parameter names\n'
     "        saw: identifier 'a' at <input>:1:15\n"
     '     source: function f(a, a) { } probe begin { f(1, 2) }\n'
     '                           ^\n'
     '\n1 parse error.\n'
     'Pass 1: parse failed.  [man error::pass1]\n'),
    ('probe timer.ms(0) { }',
     "semantic error: while resolving probe point: identifier 'timer' at <input>:1:7\n"
     '        source: probe timer.ms(0) { }\n'
     '                      ^\n'
     '\n'
     'semantic error: interval value out of range (1, 86400000)\n'
     '\n'
     'Pass 2: analysis failed.  [man error::pass2]\n'),
    ('probe timer.sec { }',
     "semantic error: while resolving probe point: identifier 'timer' at <input>:1:7\n"
     '        source: probe timer.sec { }\n'
     '                      ^\n'
     '\n'
     "semantic error: probe point mismatch (similar: sec, msec, nsec, usec, s): identifier 'sec' at <input>:1:13\n"
     '        source: probe timer.sec { }\n'
     '                            ^\n'
     'hint: units are s (sec), ms (msec), us (usec), ns (nsec), jiffies and hz: timer.s(60)\n'
     '\n'
     'Pass 2: analysis failed.  [man error::pass2]\n'),
    ("probe begin { println('a') }",
     'parse error: expected literal string or number\n'
     "        saw: operator ''' at <input>:1:23\n"
     "     source: probe begin { println('a') }\n"
     '                                   ^\n'
     'hint: strings are in double quotes, "a"\n'
     '\n1 parse error.\n'
     'Pass 1: parse failed.  [man error::pass1]\n'),
    ('probe begin { switch (1) { case 1: exit() } }',
     "parse error: the language has no 'switch': use if (...) ... else if (...) ...\n"
     "        saw: identifier 'case' at <input>:1:28\n"
     '     source: probe begin { switch (1) { case 1: exit() } }\n'
     '                                        ^\n'
     '\n1 parse error.\n'
     'Pass 1: parse failed.  [man error::pass1]\n'),
    ('probe timer.us(10) { }',
     "semantic error: while resolving probe point: identifier 'timer' at <input>:1:7\n"
     '        source: probe timer.us(10) { }\n'
     '                      ^\n'
     '\n'
     'semantic error: interval value out of range (100, 86400000000)\n'
     '\n'
     'Pass 2: analysis failed.  [man error::pass2]\n'),
    ('probe timer.nope(10) { }',
     "semantic error: while resolving probe point: identifier 'timer' at <input>:1:7\n"
     '        source: probe timer.nope(10) { }\n'
     '                      ^\n'
     '\n'
     "semantic error: probe point mismatch (similar: s, hz, ms, ns, nsec): identifier 'nope' at <input>:1:13\n"
     '        source: probe timer.nope(10) { }\n'
     '                            ^\n'
     'hint: units are s (sec), ms (msec), us (usec), ns (nsec), jiffies and hz: timer.s(60)\n'
     '\n'
     'Pass 2: analysis failed.  [man error::pass2]\n'),
    ('probe process.thread { }',
     "semantic error: while resolving probe point: identifier 'process' at <input>:1:7\n"
     '        source: probe process.thread { }\n'
     '                      ^\n'
     '\n'
     "semantic error: probe point truncated (follow:  begin end): identifier 'thread' at <input>:1:15\n"
     '        source: probe process.thread { }\n'
     '                              ^\n'
     '\n'
     'Pass 2: analysis failed.  [man error::pass2]\n'),
    ('probe begin.x { }',
     "semantic error: while resolving probe point: identifier 'begin' at <input>:1:7\n"
     '        source: probe begin.x { }\n'
     '                      ^\n'
     "\nsemantic error: invalid suffix for probe: identifier 'x' at <input>:1:13\n"
     '        source: probe begin.x { }\n'
     '                            ^\n'
     '\nPass 2: analysis failed.  [man error::pass2]\n'),
    ('probe syscall.read { println($nosuch) }',
     "semantic error: unable to find local 'nosuch' at syscall.read (alternatives: $fd, $buf, $count): identifier '$nosuch' at <input>:1:30\n"
     '        source: probe syscall.read { println($nosuch) }\n'
     '                                             ^\n'
     '\n'
     'Pass 2: analysis failed.  [man error::pass2]\n'),
    ('probe syscall.read { println($return) }',
     "semantic error: unable to find $return: this probe point is no return: identifier '$return' at <input>:1:30\n"
     '        source: probe syscall.read { println($return) }\n'
     '                                             ^\n'
     '\nPass 2: analysis failed.  [man error::pass2]\n'),
    ('probe kernel.trace("sched_switch") { println($prev->tasks->nosuch) }',
     "semantic error: unable to find member 'nosuch' for struct list_head (alternatives: next, prev): operator '->' at <input>:1:58\n"
     '        source: probe kernel.trace("sched_switch") { println($prev->tasks->nosuch) }\n'
     '                                                                         ^\n'
     '\n'
     'Pass 2: analysis failed.  [man error::pass2]\n'),
    ('probe kernel.trace("sched_switch") { println(@cast($prev, "nosuch")->x) }',
     "semantic error: type definition 'nosuch' not found in 'kernel': operator '@cast' at <input>:1:46\n"
     '        source: probe kernel.trace("sched_switch") { println(@cast($prev, "nosuch")->x) }\n'
     '                                                             ^\n'
     '\n'
     'Pass 2: analysis failed.  [man error::pass2]\n'),
    ('probe begin { println(@const("NOSUCH")) }',
     "semantic error: 'NOSUCH' is no constant of C or of the kernel's named enumerations: operator '@const' at <input>:1:23\n"
     '        source: probe begin { println(@const("NOSUCH")) }\n'
     '                                      ^\n'
     '\nPass 2: analysis failed.  [man error::pass2]\n'),
    ('probe kernel.trace("nosuch") { }',
     "semantic error: while resolving probe point: identifier 'kernel' at <input>:1:7\n"
     '        source: probe kernel.trace("nosuch") { }\n'
     '                      ^\n'
     '\nsemantic error: no match\n'
     '\nPass 2: analysis failed.  [man error::pass2]\n'),
    ('probe begin { printk("x") }',
     "semantic error: function 'printk' is not available: the kernel's log is not written: identifier 'printk' at <input>:1:15\n"
     '        source: probe begin { printk("x") }\n'
     '                              ^\n'
     '\nPass 2: analysis failed.  [man error::pass2]\n'),
    ('probe begin { println(pid) }',
     "WARNING: never-assigned local variable 'pid': identifier 'pid' at <input>:1:23\n"
     ' source: probe begin { println(pid) }\n'
     '                               ^\n'
     "semantic error: unresolved type : identifier 'pid' at <input>:1:23\n"
     '        source: probe begin { println(pid) }\n'
     '                                      ^\n'
     'hint: here it is pid()\n'
     '\n'
     'Pass 2: analysis failed.  [man error::pass2]\n'),
    ('probe syscall.close { println(comm) }',
     "WARNING: never-assigned local variable 'comm': identifier 'comm' at <input>:1:31\n"
     ' source: probe syscall.close { println(comm) }\n'
     '                                       ^\n'
     "semantic error: unresolved type : identifier 'comm' at <input>:1:31\n"
     '        source: probe syscall.close { println(comm) }\n'
     '                                              ^\n'
     'hint: here it is execname()\n'
     '\n'
     'Pass 2: analysis failed.  [man error::pass2]\n'),
    ('probe syscall.close { println(nsecs) }',
     "WARNING: never-assigned local variable 'nsecs': identifier 'nsecs' at <input>:1:31\n"
     ' source: probe syscall.close { println(nsecs) }\n'
     '                                       ^\n'
     "semantic error: unresolved type : identifier 'nsecs' at <input>:1:31\n"
     '        source: probe syscall.close { println(nsecs) }\n'
     '                                              ^\n'
     'hint: here it is ktime_get_ns()\n'
     '\n'
     'Pass 2: analysis failed.  [man error::pass2]\n'),
    ('probe syscall.close { println(timestamp) }',
     "WARNING: never-assigned local variable 'timestamp': identifier 'timestamp' at <input>:1:31\n"
     ' source: probe syscall.close { println(timestamp) }\n'
     '                                       ^\n'
     "semantic error: unresolved type : identifier 'timestamp' at <input>:1:31\n"
     '        source: probe syscall.close { println(timestamp) }\n'
     '                                              ^\n'
     'hint: here it is ktime_get_ns()\n'
     '\n'
     'Pass 2: analysis failed.  [man error::pass2]\n'),
    ('probe syscall.close { println(arg1) }',
     "WARNING: never-assigned local variable 'arg1': identifier 'arg1' at <input>:1:31\n"
     ' source: probe syscall.close { println(arg1) }\n'
     '                                       ^\n'
     "semantic error: unresolved type : identifier 'arg1' at <input>:1:31\n"
     '        source: probe syscall.close { println(arg1) }\n'
     '                                              ^\n'
     'hint: here it is $arg2\n'
     '\n'
     'Pass 2: analysis failed.  [man error::pass2]\n'),
    ('probe syscall.close { println(kstack) }',
     "WARNING: never-assigned local variable 'kstack': identifier 'kstack' at <input>:1:31\n"
     ' source: probe syscall.close { println(kstack) }\n'
     '                                       ^\n'
     "semantic error: unresolved type : identifier 'kstack' at <input>:1:31\n"
     '        source: probe syscall.close { println(kstack) }\n'
     '                                              ^\n'
     'hint: here it is backtrace(), which print_backtrace() prints with names\n'
     '\n'
     'Pass 2: analysis failed.  [man error::pass2]\n'),
    ('probe syscall.close { println(pexecname) }',
     "WARNING: never-assigned local variable 'pexecname': identifier 'pexecname' at <input>:1:31\n"
     ' source: probe syscall.close { println(pexecname) }\n'
     '                                       ^\n'
     "semantic error: unresolved type : identifier 'pexecname' at <input>:1:31\n"
     '        source: probe syscall.close { println(pexecname) }\n'
     '                                              ^\n'
     'hint: here it is pexecname()\n'
     '\n'
     'Pass 2: analysis failed.  [man error::pass2]\n'),
    ('probe syscall.close.return { println(arg1) }',
     "WARNING: never-assigned local variable 'arg1': identifier 'arg1' at <input>:1:38\n"
     ' source: probe syscall.close.return { println(arg1) }\n'
     '                                              ^\n'
     "semantic error: unresolved type : identifier 'arg1' at <input>:1:38\n"
     '        source: probe syscall.close.return { println(arg1) }\n'
     '                                                     ^\n'
     'hint: here it is $return\n'
     '\n'
     'Pass 2: analysis failed.  [man error::pass2]\n'),
    ('probe syscall.close { self->t = 1 }',
     "semantic error: Expecting symbol or array index expression: operator '=' at <input>:1:31\n"
     '        source: probe syscall.close { self->t = 1 }\n'
     '                                              ^\n'
     'hint: here a variable of each thread is an array: global t, and t[tid()]\n'
     '\nPass 2: analysis failed.  [man error::pass2]\n'),
    ('probe syscall.close { println(self->t) }',
     "semantic error: unknown type in dereference: operator '->' at <input>:1:35\n"
     '        source: probe syscall.close { println(self->t) }\n'
     '                                                  ^\n'
     'hint: here a variable of each thread is an array: global t, and t[tid()]\n'
     '\n'
     'Pass 2: analysis failed.  [man error::pass2]\n'),
    ('probe syscall.close { this->t = 1 }',
     "semantic error: Expecting symbol or array index expression: operator '=' at <input>:1:31\n"
     '        source: probe syscall.close { this->t = 1 }\n'
     '                                              ^\n'
     'hint: here it is a local variable: t\n'
     '\nPass 2: analysis failed.  [man error::pass2]\n'),
    ('probe syscall.close { println(args->fd) }',
     "semantic error: unknown type in dereference: operator '->' at <input>:1:35\n"
     '        source: probe syscall.close { println(args->fd) }\n'
     '                                                  ^\n'
     'hint: here it is $fd: stap -L POINT lists the arguments of a point\n'
     '\n'
     'Pass 2: analysis failed.  [man error::pass2]\n'),
    ('probe syscall.close { println(args[0]) }',
     "semantic error: unresolved arity-1 global array args, missing global declaration?: identifier 'args' at <input>:1:31\n"
     '        source: probe syscall.close { println(args[0]) }\n'
     '                                              ^\n'
     'hint: here it is $NAME for each argument: stap -L POINT lists them\n'
     '\nPass 2: analysis failed.  [man error::pass2]\n'),
    ('probe begin { println($target) }',
     "semantic error: unresolved target-symbol expression: identifier '$target' at <input>:1:23\n"
     '        source: probe begin { println($target) }\n'
     '                                      ^\n'
     'hint: here it is target()\n'
     '\n'
     'Pass 2: analysis failed.  [man error::pass2]\n'),
    ('probe begin { switch (1) { } }',
     "semantic error: function 'switch' is not available: the language has if and else: identifier 'switch' at <input>:1:15\n"
     '        source: probe begin { switch (1) { } }\n'
     '                              ^\n'
     '\nPass 2: analysis failed.  [man error::pass2]\n'),
    ('global x probe begin { delete x[1] x = 1 }',
     "semantic error: inconsistent arity (1 vs 0): identifier 'x' at <input>:1:36\n"
     '        source: global x probe begin { delete x[1] x = 1 }\n'
     '                                                   ^\n'
     "\nsemantic error: arity 1 first inferred here: identifier 'x' at <input>:1:31\n"
     '        source: global x probe begin { delete x[1] x = 1 }\n'
     '                                              ^\n'
     '\nPass 2: analysis failed.  [man error::pass2]\n'),
    ('probe begin { continue }',
     'semantic error: found statement not nested in loop: keyword at <input>:1:15\n'
     '        source: probe begin { continue }\n'
     '                              ^\n'
     '\nPass 2: analysis failed.  [man error::pass2]\n'),
    ('probe begin { if }',
     "parse error: expected '('\n"
     "        saw: operator '}' at <input>:1:18\n"
     '     source: probe begin { if }\n'
     '                              ^\n'
     '\n1 parse error.\n'
     'Pass 1: parse failed.  [man error::pass1]\n'),
    ('probe begin { foreach }',
     "parse error: expected '('\n"
     "        saw: operator '}' at <input>:1:23\n"
     '     source: probe begin { foreach }\n'
     '                                   ^\n'
     '\n1 parse error.\n'
     'Pass 1: parse failed.  [man error::pass1]\n'),
    ('private x',
     'semantic error: no probes found\n'
     'Pass 2: analysis failed.  [man error::pass2]\n'),
    ('function { }',
     'parse error: expected identifier\n'
     "        saw: operator '{' at <input>:1:10\n"
     '     source: function { }\n'
     '                      ^\n'
     '\n1 parse error.\n'
     'Pass 1: parse failed.  [man error::pass1]\n'),
    ('probe begin { a = %{ foo() %} }',
     'parse error: embedded expression code in unprivileged script; need stap -g\n'
     '        saw: embedded-code at <input>:1:19\n'
     '     source: probe begin { a = %{ foo() %} }\n'
     '                               ^\n'
     '\nparse error: embedded code in unprivileged script; need stap -g\n'
     '        saw: embedded-code at <input>:1:19\n'
     '     source: probe begin { a = %{ foo() %} }\n'
     '                               ^\n'
     '\n2 parse errors.\n'
     'Pass 1: parse failed.  [man error::pass1]\n'),
    ('probe begin { 1 = 2 }',
     "semantic error: Expecting symbol or array index expression: operator '=' at <input>:1:17\n"
     '        source: probe begin { 1 = 2 }\n'
     '                                ^\n'
     '\nPass 2: analysis failed.  [man error::pass2]\n'),
    ('probe begin { speculate("x") }',
     "semantic error: type mismatch: expected long but found string: string 'x' at <input>:1:25\n"
     '        source: probe begin { speculate("x") }\n'
     '                                        ^\n'
     '\nPass 2: analysis failed.  [man error::pass2]\n'),
    ('probe begin { assert(0) }',
     "ERROR: Assertion failed\n"
     'WARNING: Number of errors: 1, skipped probes: 0\n'
     'Pass 5: run failed.  [man error::pass5]\n'),
    ('probe begin { assert(0, "why") }',
     "ERROR: why\n"
     'WARNING: Number of errors: 1, skipped probes: 0\n'
     'Pass 5: run failed.  [man error::pass5]\n'),
    ('probe begin { println(matched(3)) }',
     "ERROR: the last match has no group 3 near identifier 'matched' at <input>:1:23\n"
     'WARNING: Number of errors: 1, skipped probes: 0\n'
     'Pass 5: run failed.  [man error::pass5]\n'),
    ('global s probe begin { println(@avg(s)) }',
     "ERROR: empty aggregate near operator '@avg' at <input>:1:32\n"
     'WARNING: Number of errors: 1, skipped probes: 0\n'
     'Pass 5: run failed.  [man error::pass5]\n'),
    ('global s probe begin { println(@min(s)) }',
     "ERROR: empty aggregate near operator '@min' at <input>:1:32\n"
     'WARNING: Number of errors: 1, skipped probes: 0\n'
     'Pass 5: run failed.  [man error::pass5]\n'),
    ('global s probe begin { print(@hist_log(s)) }',
     "ERROR: empty aggregate near operator '@hist_log' at <input>:1:30\n"
     'WARNING: Number of errors: 1, skipped probes: 0\n'
     'Pass 5: run failed.  [man error::pass5]\n'),
    ('probe begin { for (i = 0; i < 3000; i++) x .= "0123456789" for (;;) { } }',
     'ERROR: MAXACTION exceeded near keyword at <input>:1:60\n'
     'WARNING: Number of errors: 1, skipped probes: 0\n'
     'Pass 5: run failed.  [man error::pass5]\n'),
    ('global a probe begin { for (i = 0; i < 2050; i++) a[i] = 1 }',
     "ERROR: Array overflow, check MAXMAPENTRIES near identifier 'a' at <input>:1:51\n"
     'WARNING: Number of errors: 1, skipped probes: 0\n'
     'Pass 5: run failed.  [man error::pass5]\n'),
    ('probe begin { println(kernel_long(1)) }',
     "ERROR: kernel read fault [man error::fault] at 0x1 near identifier 'kernel_long' at <input>:1:23\n"
     'WARNING: Number of errors: 1, skipped probes: 0\n'
     'Pass 5: run failed.  [man error::pass5]\n'),
    ('probe begin { error("") }',
     'ERROR: \n'
     'WARNING: Number of errors: 1, skipped probes: 0\n'
     'Pass 5: run failed.  [man error::pass5]\n'),
    ('probe begin { printf("%d %s %", 1, "a") }',
     'parse error: trailing incomplete print format conversion\n'
     "        saw: operator ',' at <input>:1:31\n"
     '     source: probe begin { printf("%d %s %", 1, "a") }\n'
     '                                           ^\n'
     '\n1 parse error.\n'
     'Pass 1: parse failed.  [man error::pass1]\n'),
    ('probe begin { print() }',
     'parse error: expected literal string or number\n'
     "        saw: operator ')' at <input>:1:21\n"
     '     source: probe begin { print() }\n'
     '                                 ^\n'
     'hint: print() has too few arguments\n'
     '\n1 parse error.\n'
     'Pass 1: parse failed.  [man error::pass1]\n'),
    ('probe begin { printd(1, 2) }',
     'parse error: expected literal string\n'
     "        saw: number '1' at <input>:1:22\n"
     '     source: probe begin { printd(1, 2) }\n'
     '                                  ^\n'
     '\n1 parse error.\n'
     'Pass 1: parse failed.  [man error::pass1]\n'),
    ('probe begin { printf(1) }',
     'parse error: expected literal string\n'
     "        saw: number '1' at <input>:1:22\n"
     '     source: probe begin { printf(1) }\n'
     '                                  ^\n'
     '\n1 parse error.\n'
     'Pass 1: parse failed.  [man error::pass1]\n'),
    ('%{ #include <x> %} probe begin { }',
     'parse error: embedded code in unprivileged script; need stap -g\n'
     '        saw: embedded-code at <input>:1:1\n'
     '     source: %{ #include <x> %} probe begin { }\n'
     '             ^\n'
     '\n1 parse error.\n'
     'Pass 1: parse failed.  [man error::pass1]\n'),
    ('function f() %{ %} probe begin { }',
     'parse error: embedded code in unprivileged script; need stap -g\n'
     '        saw: embedded-code at <input>:1:14\n'
     '     source: function f() %{ %} probe begin { }\n'
     '                          ^\n'
     '\n1 parse error.\n'
     'Pass 1: parse failed.  [man error::pass1]\n'),
    ('global a[1] = 5 probe begin { }',
     'parse error: only scalar globals can be initialized\n'
     "        saw: operator '=' at <input>:1:13\n"
     '     source: global a[1] = 5 probe begin { }\n'
     '                         ^\n'
     '\n1 parse error.\n'
     'Pass 1: parse failed.  [man error::pass1]\n'),
    ('probe begin { "x" =~ y }',
     'parse error: expected literal string\n'
     "        saw: identifier 'y' at <input>:1:22\n"
     '     source: probe begin { "x" =~ y }\n'
     '                                  ^\n'
     '\n1 parse error.\n'
     'Pass 1: parse failed.  [man error::pass1]\n'),
    ('probe begin { "x" !~ 5 }',
     'parse error: expected literal string\n'
     "        saw: number '5' at <input>:1:22\n"
     '     source: probe begin { "x" !~ 5 }\n'
     '                                  ^\n'
     '\n1 parse error.\n'
     'Pass 1: parse failed.  [man error::pass1]\n'),
    ('probe begin { println = 5 }',
     "parse error: expected '('\n"
     "        saw: operator '=' at <input>:1:23\n"
     '     source: probe begin { println = 5 }\n'
     '                                   ^\n'
     '\n1 parse error.\n'
     'Pass 1: parse failed.  [man error::pass1]\n'),
    ('probe begin { x = printf + 5 }',
     "parse error: expected '('\n"
     "        saw: operator '+' at <input>:1:26\n"
     '     source: probe begin { x = printf + 5 }\n'
     '                                      ^\n'
     '\n1 parse error.\n'
     'Pass 1: parse failed.  [man error::pass1]\n'),
    ('probe begin { long = 5 }',
     'parse error: expected statement\n'
     '        saw: keyword at <input>:1:15\n'
     '     source: probe begin { long = 5 }\n'
     '                           ^\n'
     '\n1 parse error.\n'
     'Pass 1: parse failed.  [man error::pass1]\n'),
    ('probe begin { printf() }',
     'parse error: expected literal string\n'
     "        saw: operator ')' at <input>:1:22\n"
     '     source: probe begin { printf() }\n'
     '                                  ^\n'
     '\n1 parse error.\n'
     'Pass 1: parse failed.  [man error::pass1]\n'),
    ('probe begin { printd() }',
     'parse error: expected literal string\n'
     "        saw: operator ')' at <input>:1:22\n"
     '     source: probe begin { printd() }\n'
     '                                  ^\n'
     '\n1 parse error.\n'
     'Pass 1: parse failed.  [man error::pass1]\n'),
    ('probe begin { printdln(",") }',
     'parse error: expected literal string or number\n'
     "        saw: operator ')' at <input>:1:27\n"
     '     source: probe begin { printdln(",") }\n'
     '                                       ^\n'
     'hint: printdln() has too few arguments\n'
     '\n1 parse error.\n'
     'Pass 1: parse failed.  [man error::pass1]\n'),
    ('probe begin { x = sprint() }',
     'parse error: expected literal string or number\n'
     "        saw: operator ')' at <input>:1:26\n"
     '     source: probe begin { x = sprint() }\n'
     '                                      ^\n'
     'hint: sprint() has too few arguments\n'
     '\n1 parse error.\n'
     'Pass 1: parse failed.  [man error::pass1]\n'),
    ('%( kernel_v == 1 %? probe a { } %)',
     'parse error: expected string literal\n'
     "         at: number '1' at <input>:1:16\n"
     '     source: %( kernel_v == 1 %? probe a { } %)\n'
     '                            ^\n'
     "\nparse error: incomplete conditional - missing '%('\n"
     "         at: operator '%?' at <input>:1:18\n"
     '     source: %( kernel_v == 1 %? probe a { } %)\n'
     '                              ^\n'
     "\nparse error: incomplete conditional - missing '%('\n"
     "         at: operator '%)' at <input>:1:33\n"
     '     source: %( kernel_v == 1 %? probe a { } %)\n'
     '                                             ^\n'
     '\n3 parse errors.\n'
     'Pass 1: parse failed.  [man error::pass1]\n'),
    ('%( arch < "x" %? probe a { } %)',
     "parse error: expected '==' or '!='\n"
     "         at: operator '<' at <input>:1:9\n"
     '     source: %( arch < "x" %? probe a { } %)\n'
     '                     ^\n'
     "\nparse error: incomplete conditional - missing '%('\n"
     "         at: operator '%?' at <input>:1:15\n"
     '     source: %( arch < "x" %? probe a { } %)\n'
     '                           ^\n'
     "\nparse error: incomplete conditional - missing '%('\n"
     "         at: operator '%)' at <input>:1:30\n"
     '     source: %( arch < "x" %? probe a { } %)\n'
     '                                          ^\n'
     '\n3 parse errors.\n'
     'Pass 1: parse failed.  [man error::pass1]\n'),
    ('%( CONFIG_HZ == 5 %? probe a { } %)',
     "Input file '<input>' is empty after preprocessing.\n"
     'Pass 1: parse failed.  [man error::pass1]\n'),
    ('%( 1 == "x" %? probe a { } %)',
     'parse error: expected number literal as right value\n'
     "         at: string 'x' at <input>:1:9\n"
     '     source: %( 1 == "x" %? probe a { } %)\n'
     '                     ^\n'
     "\nparse error: incomplete conditional - missing '%('\n"
     "         at: operator '%?' at <input>:1:13\n"
     '     source: %( 1 == "x" %? probe a { } %)\n'
     '                         ^\n'
     "\nparse error: incomplete conditional - missing '%('\n"
     "         at: operator '%)' at <input>:1:28\n"
     '     source: %( 1 == "x" %? probe a { } %)\n'
     '                                        ^\n'
     '\n3 parse errors.\n'
     'Pass 1: parse failed.  [man error::pass1]\n'),
    ('%( guru_mode == "1" %? probe a { } %)',
     'parse error: expected number\n'
     "         at: string '1' at <input>:1:17\n"
     '     source: %( guru_mode == "1" %? probe a { } %)\n'
     '                             ^\n'
     "\nparse error: incomplete conditional - missing '%('\n"
     "         at: operator '%?' at <input>:1:21\n"
     '     source: %( guru_mode == "1" %? probe a { } %)\n'
     '                                 ^\n'
     "\nparse error: incomplete conditional - missing '%('\n"
     "         at: operator '%)' at <input>:1:36\n"
     '     source: %( guru_mode == "1" %? probe a { } %)\n'
     '                                                ^\n'
     '\n3 parse errors.\n'
     'Pass 1: parse failed.  [man error::pass1]\n'),
    ('probe begin { y = 1 println(y . "a") }',
     "semantic error: type mismatch (string): identifier 'y' at <input>:1:29\n"
     '        source: probe begin { y = 1 println(y . "a") }\n'
     '                                            ^\n'
     "\nsemantic error: type was first inferred here (long): identifier 'y' at <input>:1:15\n"
     '        source: probe begin { y = 1 println(y . "a") }\n'
     '                              ^\n'
     '\nPass 2: analysis failed.  [man error::pass2]\n'),
    ('global a probe end { a["x"] = 1 a[2] = 1 }',
     "semantic error: index 0 type mismatch (long): number '2' at <input>:1:35\n"
     '        source: global a probe end { a["x"] = 1 a[2] = 1 }\n'
     '                                                  ^\n'
     "\nsemantic error: type of index 0 was first inferred here (string): string 'x' at <input>:1:24\n"
     '        source: global a probe end { a["x"] = 1 a[2] = 1 }\n'
     '                                       ^\n'
     '\nPass 2: analysis failed.  [man error::pass2]\n'),
    ('global a probe end { a["k"] = 1 foreach (k in a) k++ }',
     "semantic error: type mismatch (long): identifier 'k' at <input>:1:50\n"
     '        source: global a probe end { a["k"] = 1 foreach (k in a) k++ }\n'
     '                                                                 ^\n'
     "\nsemantic error: type was first inferred here (string): identifier 'k' at <input>:1:42\n"
     '        source: global a probe end { a["k"] = 1 foreach (k in a) k++ }\n'
     '                                                         ^\n'
     '\nPass 2: analysis failed.  [man error::pass2]\n'),
    ('function f(v) { v++ } probe end { f("s") }',
     "semantic error: type mismatch: expected long but found string: string 's' at <input>:1:37\n"
     '        source: function f(v) { v++ } probe end { f("s") }\n'
     '                                                    ^\n'
     '\nPass 2: analysis failed.  [man error::pass2]\n'),
    ('function f() { return 1 } probe end { s = f() . "" }',
     "semantic error: type mismatch: expected string but found long: identifier 'f' at <input>:1:43\n"
     '        source: function f() { return 1 } probe end { s = f() . "" }\n'
     '                                                          ^\n'
     '\nPass 2: analysis failed.  [man error::pass2]\n'),
    ('probe begin { println(exit()) }',
     "semantic error: unresolved type (exit() returns nothing): identifier 'exit' at <input>:1:23\n"
     '        source: probe begin { println(exit()) }\n'
     '                                      ^\n'
     '\nPass 2: analysis failed.  [man error::pass2]\n'),
    ('probe begin { z = println("a") }',
     "semantic error: unresolved type (println() returns nothing): identifier 'println' at <input>:1:19\n"
     '        source: probe begin { z = println("a") }\n'
     '                                  ^\n'
     '\nPass 2: analysis failed.  [man error::pass2]\n'),
    ('function f() { x = 1 } probe end { println(f()) }',
     "semantic error: unresolved type (f() returns nothing): identifier 'f' at <input>:1:44\n"
     '        source: function f() { x = 1 } probe end { println(f()) }\n'
     '                                                           ^\n'
     '\nPass 2: analysis failed.  [man error::pass2]\n'),
    ('global a[5] probe begin { a = 1 }',
     "semantic error: inconsistent arity (1 vs 0): identifier 'a' at <input>:1:27\n"
     '        source: global a[5] probe begin { a = 1 }\n'
     '                                          ^\n'
     "\nsemantic error: arity 1 first inferred here: identifier 'a' at <input>:1:8\n"
     '        source: global a[5] probe begin { a = 1 }\n'
     '                       ^\n'
     '\nPass 2: analysis failed.  [man error::pass2]\n'),
    ('global a% probe begin { a = 1 }',
     "semantic error: inconsistent arity (1 vs 0): identifier 'a' at <input>:1:25\n"
     '        source: global a% probe begin { a = 1 }\n'
     '                                        ^\n'
     "\nsemantic error: arity 1 first inferred here: identifier 'a' at <input>:1:8\n"
     '        source: global a% probe begin { a = 1 }\n'
     '                       ^\n'
     '\nPass 2: analysis failed.  [man error::pass2]\n'),
    ('probe begin("x") { }',
     "semantic error: while resolving probe point: identifier 'begin' at <input>:1:7\n"
     '        source: probe begin("x") { }\n'
     '                      ^\n'
     '\n'
     "semantic error: probe point mismatch (similar: begin, end, vm, generic, ipmib): identifier 'begin' at <input>:1:7\n"
     '        source: probe begin("x") { }\n'
     '                      ^\n'
     '\n'
     'Pass 2: analysis failed.  [man error::pass2]\n'),
]

bad = 0
for script, text in TEXTS:
    ran = subprocess.run([os.environ["STAP"], "-e", script], capture_output=True, text=True, stdin=subprocess.DEVNULL,
                         timeout=100, check=False)
    if ran.returncode != 1 or ran.stderr != text:
        bad += 1
        print(f"{script}\n status {ran.returncode}\n{ran.stderr}\n wanted\n{text}")
sys.exit(1 if bad else 0)
