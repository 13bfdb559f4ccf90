# @@host
# @@timeout: 240
"""Programs of Go, stripped ones, too: calls are counted once however stacks grow, arguments are where Go has them, stacks
are those that Go's own runtime says, and what programs print stays the same."""
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile

DTRACE = os.environ["DTRACE"]
SOURCE = r"""
package main

import (
	"fmt"
	"os"
	"runtime"
	"sort"
	"strings"
	"sync"
)

var lock sync.Mutex
var ids = make(chan int)
var path string

func next() int { return <-ids }

// What Go says of the stack, of the functions that were not inlined.
//
//go:noinline
func mark(id int) {
	var pcs [200]uintptr
	n := runtime.Callers(1, pcs[:])
	frames := runtime.CallersFrames(pcs[:n])
	var names []string
	for more := true; more; {
		var f runtime.Frame
		f, more = frames.Next()
		if f.Func != nil {
			names = append(names, f.Function)
		}
	}
	lock.Lock()
	fmt.Println(id, strings.Join(names, " "))
	lock.Unlock()
}

func inlined(f func()) { f() }

//go:noinline
func deep(n int, pad [64]byte, bottom func()) int {
	if n == 0 {
		bottom()
		return int(pad[3])
	}
	pad[n%64]++
	return deep(n-1, pad, bottom) + 1
}

//go:noinline
func many(a, b, c, d, e, f, g, h, i, j int) int { return a + b + c + d + e + f + g + h + i + j }

//go:noinline
func text(s string, b []byte, p *int) (string, int) { return s + string(b), *p }

//go:noinline
func large(n int) int {
	var room [60000]byte
	for i := range room {
		room[i] = byte(n)
	}
	return int(room[n%60000]) + len(fmt.Sprint(n))
}

type walker interface{ walk() }
type tree struct{ left, right *tree }

func (t *tree) walk() {
	if t == nil {
		mark(next())
		return
	}
	t.left.walk()
	var w walker = t.right
	w.walk()
}

func grown(n int) *tree {
	if n == 0 {
		return nil
	}
	return &tree{grown(n - 1), grown(n - 1)}
}

func apply[T any](values []T, f func(T)) {
	for _, v := range values {
		f(v)
	}
}

func recovered(n int) {
	defer func() {
		recover()
		mark(next())
	}()
	if n == 0 {
		panic("bottom")
	}
	recovered(n - 1)
}

// So that no function has to be made that calls another one with arguments.
func stacks() {
	go func() {
		for i := 0; ; i++ {
			ids <- i
		}
	}()
	marked := func() { mark(next()) }
	for i := 0; i < 30; i++ {
		deep(i*2, [64]byte{}, marked)
	}
	grown(4).walk()
	inlined(func() { mark(next()) })
	apply([]string{"a", "b"}, func(s string) { apply([]int{1, 2}, func(int) { mark(next()) }) })
	recovered(5)
	numbers := []int{3, 1, 2, 5, 4}
	sort.Slice(numbers, func(a, b int) bool { mark(next()); return numbers[a] < numbers[b] })
	var all sync.WaitGroup
	for i := 0; i < 40; i++ {
		all.Add(1)
		depth := i
		go func() {
			defer all.Done()
			deep(depth, [64]byte{}, marked)
			runtime.Gosched()
			grown(2).walk()
		}()
	}
	all.Wait()
	throughC()
}

func main() {
	if len(os.Args) > 1 {
		stacks()
		return
	}
	total := 0
	done := make(chan int)
	for i := 0; i < 20; i++ {
		n := i
		go func() { done <- deep(500, [64]byte{}, func() {}) + large(n) }()
	}
	for i := 0; i < 20; i++ {
		total += <-done
	}
	x := 42
	s, v := text("hello", []byte("you"), &x)
	fmt.Println(total, s, v, many(1, 2, 3, 4, 5, 6, 7, 8, 9, 10))
}
"""
PLAIN = "//go:build !cgo\n\npackage main\n\nfunc throughC() {}\n"
C = r"""
//go:build cgo

package main

/*
extern void fromC(int);
static void __attribute__((noinline)) through(int n) {
  if (n > 0) through(n - 1); else fromC(n);
  __asm__ volatile("");
}
*/
import "C"

//export fromC
func fromC(n C.int) { deep(2, [64]byte{}, func() { mark(next()) }) }

func throughC() {
	for i := 0; i < 3; i++ {
		C.through(C.int(i))
	}
}
"""
# What stands between Go and C, which Go shows in its own way.
C_FRAMES = re.compile(r"runtime\.(cgo|asmcgo|systemstack)|crosscall|through$|fromC$|_cgoexp_|_Cfunc_")
failures = 0


def check(is_good, *what):
    global failures
    if not is_good:
        failures += 1
        print("FAILED:", *what)


def build(home, name, *flags, cgo="0"):
    path = os.path.join(home, name)
    environment = {**os.environ, "GO111MODULE": "off", "GOFLAGS": "", "GOCACHE": f"{home}/cache", "CGO_ENABLED": cgo}
    done = subprocess.run(["go", "build", *flags, "-o", path, "."], cwd=f"{home}/source", env=environment,
                          capture_output=True, text=True)
    return path if done.returncode == 0 else print(done.stderr)


def traced(home, command, script, *options, stdin=None):
    """(what the program printed, what dtrace recorded)."""
    out = os.path.join(home, "out")
    if os.path.exists(out):
        os.unlink(out)
    run = subprocess.run([DTRACE, "-q", *options, "-o", out, "-c", command, "-n", script], stdin=stdin,
                         capture_output=True, text=True, timeout=200)
    check(run.returncode == 0, command, script, run.returncode, run.stderr[:1000])
    with open(out) as file:
        return run.stdout, file.read()


def look_at_calls(home, program, others):
    plain = subprocess.run([program], capture_output=True, text=True).stdout
    printed, counts = traced(home, program, """
pid$target:a.out:main.deep:entry, pid$target:a.out:main.deep:return, pid$target:a.out:main.large:entry,
pid$target:a.out:main.large:return { @[probefunc, probename] = count(); }
pid$target:a.out:main.deep:entry { @sums["sum", "of arguments"] = sum(arg0); }
pid$target:a.out:main.deep:return { @sums["sum", "of results"] = sum(arg1); }
pid$target:a.out:main.many:entry
{
	printf("%d %d %d %d %d %d %d %d %d %d\\n", arg0, arg1, arg2, arg3, arg4, arg5, arg6, arg7, arg8, arg9);
}
pid$target:a.out:main.many:return { printf("= %d\\n", arg1); }
pid$target:a.out:main.text:entry
{
	printf("%s %s %d\\n", copyinstr(arg0, arg1), copyinstr(arg2, arg3), *(int *)copyin(arg5, 4));
}
END { printa("%s %s %@d\\n", @); printa("%s %s %@d\\n", @sums); }""")
    check(printed == plain, program, "printed", printed)
    for line in ["main.deep entry 10020", "main.deep return 10020", "main.large entry 20", "main.large return 20",
                 f"sum of arguments {20 * 501 * 250}", "1 2 3 4 5 6 7 8 9 10", "= 55", "hello you 42"]:
        check(line in counts.splitlines(), program, line, "is not in", counts)
    for script in others:
        printed, counts = traced(home, program, script)
        check(printed == plain, program, "printed", printed)
        check(int(counts.split()[0]) > 20000, program, counts)


def shown(name):
    """Go leaves out what types a function is of, and linkers say which ABI it has."""
    return re.sub(r"\[.*\]", "", name.removesuffix(".abi0"))


def is_told(name):
    """Go does not show what its runtime calls of itself."""
    return not name.startswith("runtime.") or name in ("runtime.main", "runtime.goexit")


def look_at_stacks(home, program, goes_through_c):
    printed, records = traced(home, f"{program} stacks",
                              "pid$target:a.out:main.mark:entry { trace(arg0); ustack(); }", "-x", "oformat=jsonl",
                              "-x", "ustackframes=127")
    theirs = {int(words[0]): words[1:] for words in map(str.split, printed.splitlines())}
    ours = {}
    for record in map(json.loads, records.splitlines()):
        if record["type"] == "record":
            number, stack = (action["values"][0]["value"] for action in record["actions"])
            ours[number] = [frame.get("symbol", str(frame)) for frame in stack]
    check(len(theirs) > 250, program, len(theirs), "stacks")
    through = 0
    for number, names in theirs.items():
        stack = [shown(name) for name in ours.get(number, [])]
        through += "through" in stack and "main.stacks" in stack
        wanted = [shown(name) for name in names if is_told(name) and not C_FRAMES.search(name)]
        got = [name for name in stack if is_told(name) and not C_FRAMES.search(name)]
        check(got == wanted, program, "stack", number, "is", got, "and not", wanted)
    check(through == (3 if goes_through_c else 0), program, through, "stacks go through C")


def look_at_fzf(home):
    """Debian's: stripped, and with C."""
    with open(f"{home}/numbers", "w") as file:
        file.writelines(f"{i}\n" for i in range(3000))
    with open(f"{home}/numbers") as numbers:
        plain = subprocess.run(["fzf", "-f", "199"], stdin=numbers, capture_output=True, text=True).stdout
    with open(f"{home}/numbers") as numbers:
        printed, counts = traced(home, "fzf -f 199", """
pid$target:fzf::entry { @ = count(); }
pid$target:fzf:*algo.FuzzyMatchV2:entry { @stacks[ustack(30)] = count(); }""", stdin=numbers)
    check(sorted(printed.split()) == sorted(plain.split()), "fzf printed", printed)
    check(int(counts.split()[0]) > 3000, "fzf", counts)
    for name in ["algo.FuzzyMatchV2", "(*Pattern).matchChunk", "runtime.goexit"]:
        check(name in counts, name, "is in no stack of", counts)


def main():
    if shutil.which("go") is None:
        print("skipped: no Go")
        sys.exit(77)
    home = tempfile.mkdtemp()
    try:
        os.mkdir(f"{home}/source")
        for name, content in (("calls.go", SOURCE), ("plain.go", PLAIN), ("c.go", C)):
            with open(f"{home}/source/{name}", "w") as file:
                file.write(content)
        plain, stripped = build(home, "plain"), build(home, "stripped", "-ldflags=-s -w", "-buildmode=pie")
        look_at_calls(home, plain, [])
        look_at_stacks(home, plain, False)
        look_at_calls(home, stripped, ["pid$target:a.out::entry, pid$target:a.out:main.*:return { @ = count(); }"])
        look_at_stacks(home, stripped, False)
        if shutil.which("gcc"):
            look_at_stacks(home, build(home, "cgo", cgo="1"), True)
        if shutil.which("fzf"):
            look_at_fzf(home)
    finally:
        shutil.rmtree(home)
    sys.exit(1 if failures else 0)


main()
