# @@timeout: 60
"""The probes of PHP, which it has while USE_ZEND_DTRACE is set: functions, methods with their class, exceptions."""
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

DTRACE = os.environ["DTRACE"]
if not shutil.which("php8.2"):
    print("php8.2-cli is not installed")
    sys.exit(77)
if not re.search(r"uprobe.multi +yes", subprocess.run([DTRACE, "--self-test"], capture_output=True, text=True).stdout):
    print("this kernel has no uprobe.multi")
    sys.exit(77)
SOURCE = """<?php
function inner($n) { return $n + 1; }
function outer($n) { return inner($n) + inner($n); }
class Known { function method() { return 1; } }
echo "ready\\n";
fgets(STDIN);
for ($i = 0; $i < 7; $i++) outer($i);
(new Known)->method();
try { throw new InvalidArgumentException("x"); } catch (Exception $e) {}
"""
PROGRAM = """BEGIN { printf("goes\\n"); }
php$target:::function-entry, php$target:::function-return {
    @[probename, copyinstr(arg3), copyinstr(arg0), basename(copyinstr(arg1)), args[2]] = count();
}
php$target:::exception-thrown { @[probename, copyinstr(arg0), "", "", 0] = count(); }
END { printa("%s [%s] %s %s %d %@d\\n", @); }"""
WANTED = ["exception-thrown [InvalidArgumentException]   0 1", "function-entry [Known] method known.php 4 1",
          "function-entry [] inner known.php 2 14", "function-entry [] outer known.php 3 7",
          "function-return [Known] method known.php 4 1", "function-return [] inner known.php 2 14",
          "function-return [] outer known.php 3 7"]
with tempfile.TemporaryDirectory() as work:
    script = pathlib.Path(work) / "known.php"
    script.write_text(SOURCE)
    php = subprocess.Popen(["php8.2", "-n", script], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True,
                           env={**os.environ, "USE_ZEND_DTRACE": "1"})
    php.stdout.readline()
    tracer = subprocess.Popen([DTRACE, "-q", "-p", str(php.pid), "-n", PROGRAM], stdout=subprocess.PIPE,
                              stderr=subprocess.STDOUT, text=True)
    first = tracer.stdout.readline()
    php.communicate("\n", timeout=30)
    got = sorted(line for line in tracer.communicate(timeout=30)[0].splitlines() if line)
if first != "goes\n" or got != WANTED or tracer.returncode != 0:
    print(f"exit status {tracer.returncode}\n{first}" + "\n".join(got) + "\nwanted\n" + "\n".join(WANTED))
    sys.exit(1)
