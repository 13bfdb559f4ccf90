# @@timeout: 300
"""Programs do what they do, with a probe on each function of their libraries: their output never differs.

The programs have copies of the libraries: as long as a file has many probes, the kernel searches them at each
mapping of that file, and would slow every process of the machine.
"""
import hashlib
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

DTRACE = os.environ["DTRACE"]

EXCEPTIONS = r"""
#include <algorithm>
#include <cstdio>
#include <map>
#include <sstream>
#include <stdexcept>
#include <string>
#include <vector>
__attribute__((noinline)) int deep(int n) {
  std::string held(static_cast<size_t>(n), 'x');
  if (n == 0) throw std::out_of_range("bottom");
  return deep(n - 1) + static_cast<int>(held.size());
}
int main() {
  std::map<std::string, std::vector<int>> table;
  std::ostringstream text;
  int caught = 0;
  for (int i = 0; i < 40; i++) {
    try {
      deep(i);
    } catch (const std::exception& e) {
      caught += e.what()[0] == 'b';
    }
    try {
      text << std::stoi(i % 2 ? "12" : "none") << ' ' << i * 0.5 << '\n';
    } catch (const std::invalid_argument&) {
      caught += 1000;
    }
    table[std::to_string(i % 7)].push_back(i);
  }
  for (auto& [key, values] : table) {
    std::sort(values.rbegin(), values.rend());
    text << key << ' ' << values.front() << ' ' << values.size() << '\n';
  }
  std::printf("%d\n%s", caught, text.str().c_str());
}
"""

failures = 0
work = pathlib.Path(tempfile.mkdtemp())
lines = work / "lines"
lines.write_text("".join(hashlib.sha256(str(i).encode()).hexdigest() + "\n" for i in range(300)))
source = work / "exceptions.cc"
source.write_text(EXCEPTIONS)
cases = [
    (["sort", str(lines)], "libc", True),
    (["sh", "-c", "for i in 1 2 3; do echo $i $(expr $i + 40); done; printf '%5.2f|%x\\n' 3.14159 255"], "libc", True),
    ([sys.executable, "-c", "import json, re, zlib\nd = {str(i): [i * i, 'x' * i] for i in range(99)}\n"
      "t = json.dumps(d)\nprint(json.loads(t) == d, zlib.crc32(t.encode()), len(re.findall('x+', t)))"], "libc", False),
]
copies = work / "libraries"
copies.mkdir()


def with_copies(program):
    """Options of dtrace with which -c runs the program with copies of its libraries."""
    for path in re.findall(r"=> (/\S+/(?:libc|libstdc\+\+|libgcc_s)\.so\.\d+)",
                           subprocess.run(["ldd", shutil.which(program)], capture_output=True, text=True).stdout):
        if not (copies / os.path.basename(path)).exists():
            shutil.copy(path, copies)
    return ["-x", f"setenv=LD_LIBRARY_PATH={copies}"]


# The older way has a limit, and is slow for many.
is_slow = not re.search(r"uprobe.multi +yes", subprocess.run([DTRACE, "--self-test"], capture_output=True, text=True).stdout)
if is_slow:
    del cases[1:]
if subprocess.run(["c++", "-O2", "-std=c++17", "-o", str(work / "exceptions"), str(source)]).returncode == 0:
    for library in ["libc", "libstdc++", "a.out", "libgcc_s"][2 if is_slow else 0:]:
        cases.append(([str(work / "exceptions")], library, True))
# A probe on each instruction, too, but for those that are never reached with one.
sets = ["[_][_I]*", "[_][a-zA-HJ-Z]*", "[a-l]*", "[m-s]*", "[t-zA-Z]*"]
if is_slow:
    refused = subprocess.run([DTRACE, "-q", "-c", "true", "-n", f"pid$target:libc:{sets[2]}:[0-9a-f]*"],
                             capture_output=True, text=True)
    if refused.returncode != 1 or not re.search(r"these are \d{5,} places in user code; a kernel without uprobe.multi",
                                                refused.stderr):
        failures += 1
        print(f"more than the limit: exit status {refused.returncode}, {refused.stderr}")
    sets = ["q[a-z]*"]
for functions in sets[3:] if "DT_GUEST" in os.environ and not is_slow else sets:
    argv = [str(pathlib.Path(DTRACE).parents[2] / "tests/workloads/calls")]
    plain = subprocess.run(argv, capture_output=True)
    run = subprocess.run([DTRACE, "-q", *with_copies(argv[0]), "-o", "/dev/null", "-c", argv[0], "-n",
                          f"pid$target:libc:{functions}:[0-9a-f]* {{ @ = count(); }}"], capture_output=True, timeout=250)
    if run.stdout != plain.stdout or run.returncode != 0:
        failures += 1
        print(f"{argv[0]} with {functions}: exit status {run.returncode}, {run.stderr.decode()}, {run.stdout.decode()}")
for argv, library, also_returns in cases:
    plain = subprocess.run(argv, capture_output=True)
    # What a shell splits as these words; each is quoted in its own way.
    command = " ".join('"' + word.replace("\\", "\\\\").replace('"', '\\"') + '"' for word in argv)
    names = ["entry", "return"] if also_returns else ["entry"]
    script = ", ".join(f"pid$target:{library}::{name}" for name in names) + " { @n[probename] = count(); }"
    script += ' END { printa("%s %@d\\n", @n); }'
    run = subprocess.run([DTRACE, "-q", *with_copies(argv[0]), "-x", "evaltime=postinit", "-o", str(work / "counts"), "-c", command, "-n", script],
                         capture_output=True, timeout=250)
    counts = dict(line.split() for line in (work / "counts").read_text().splitlines() if line)
    (work / "counts").unlink()
    if run.stdout != plain.stdout or run.returncode != 0:
        failures += 1
        print(f"{argv[0]} with {library}: exit status {run.returncode}, {run.stderr.decode()}\n"
              f"printed {run.stdout.decode()[:400]}\nand not {plain.stdout.decode()[:400]}")
    # Not all calls return: exit() does not, and longjmp() and exceptions leave others.
    entries, returns = int(counts.get("entry", 0)), int(counts.get("return", 0))
    if entries < 20 or (also_returns and not 0 < returns <= entries * 2):
        failures += 1
        print(f"{argv[0]} with {library}: {counts}")
subprocess.run(["rm", "-rf", str(work)])
sys.exit(1 if failures else 0)
