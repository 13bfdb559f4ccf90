# A program whose functions call each other: tools/funcgraph.d.
import os
import re
import subprocess
import sys

sys.path.insert(0, os.environ["TESTS"])
import toolkit  # noqa: E402

import shutil
import tempfile

SOURCE = """
__attribute__((noinline)) int leaf(int n) { __asm__ volatile("" : "+r"(n)); return n; }
__attribute__((noinline)) int inner(int n) { return leaf(n) + leaf(n + 1) + 1; }
__attribute__((noinline)) int recurs(int n) { return n ? recurs(n - 1) + 1 : leaf(n); }
__attribute__((noinline)) int outside(int n) { return leaf(n) + 2; }
__attribute__((noinline)) int work(int n) { return inner(n) + recurs(2) + 1; }
int main(void) { return outside(1) + work(1) + outside(2) < 0; }
"""
SOURCE_OF_CPP = """
namespace shop {
struct Cart {
  int n;
  template <class T> __attribute__((noinline)) void add(T k) { n += k; __asm__ volatile("" ::: "memory"); }
};
__attribute__((noinline)) int total(Cart &cart) { cart.add(2); return cart.n; }
}
int main() { shop::Cart cart{0}; return shop::total(cart) < 0; }
"""
if not shutil.which("gcc") or not shutil.which("g++"):
    print("there is no compiler")
    sys.exit(toolkit.SKIP)


def tree(*options):
    done = subprocess.run([toolkit.DTRACE, "-s", str(toolkit.TOOLS / "funcgraph.d"), *options, "-c", f"{work}/known"], capture_output=True, text=True,
                          stdin=subprocess.DEVNULL, timeout=100)
    if done.returncode != 0 or done.stderr:
        sys.exit(f"exit status {done.returncode}: {done.stderr}")
    return [(len(blanks) // 2, name, bool(back)) for blanks, name, back in re.findall(r"^.{8} .{12}  ( *)(\w+)\(\)( returns)?$", done.stdout, re.M)]


def call(depth, name, *within):
    return [(depth, name, False), *[row for part in within for row in part], (depth, name, True)]


with tempfile.TemporaryDirectory() as work:
    with open(f"{work}/known.c", "w") as file:
        file.write(SOURCE)
    subprocess.run(["gcc", "-O1", "-fno-optimize-sibling-calls", "-o", f"{work}/known", file.name], check=True)
    toolkit.same("tree", tree("work"), call(0, "work", call(1, "inner", call(2, "leaf"), call(2, "leaf")),
                                            call(1, "recurs", call(2, "recurs", call(3, "recurs", call(4, "leaf"))))))
    toolkit.same("upper part", tree("-m", "2", "work"), call(0, "work", call(1, "inner"), call(1, "recurs")))
    # Names of C++ as in the source, in all tools that print names of functions.
    with open(f"{work}/known.cc", "w") as file:
        file.write(SOURCE_OF_CPP)
    subprocess.run(["g++", "-O1", "-o", f"{work}/known", file.name], check=True)
    for name, arguments, wanted in (
            ("funcgraph", ["main"], ["main()", "shop::total(shop::Cart&)", "void shop::Cart::add<int>(int)", "void shop::Cart::add<int>(int) returns",
                                     "shop::total(shop::Cart&) returns", "main() returns"]),
            ("funcgraph", ["*shop??total*"], ["shop::total(shop::Cart&) returns"]), ("funccount", ["pid$target:a.out:*total*:entry"], ["shop::total(shop::Cart&)"]),
            ("funccount", ["pid$target:a.out:_ZN4shop5totalERNS_4CartE:entry"], ["shop::total(shop::Cart&)"]),
            ("funcslower", ["-u", "0", "pid$target:a.out:*total*"], ["shop::total(shop::Cart&)"]),
            ("funclatency", ["-F", "pid$target:a.out:*total*"], ["shop::total(shop::Cart&)"]),
            ("argdist", ["pid$target:a.out:*total*:entry"], ["shop::total(shop::Cart&)"]),
            ("trace", ["pid$target:a.out:*total*:entry"], ["shop::total(shop::Cart&)"])):
        done = subprocess.run([toolkit.DTRACE, "-s", str(toolkit.TOOLS / f"{name}.d"), *arguments, "-c", f"{work}/known"], capture_output=True,
                              text=True, stdin=subprocess.DEVNULL, timeout=100)
        at = [done.stdout.find(one) for one in wanted]
        toolkit.same(f"{name} {arguments}: {done.stdout}{done.stderr}", (done.returncode, -1 in at, at == sorted(at), "_ZN" in done.stdout),
                     (0, False, True, False))
