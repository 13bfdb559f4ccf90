# @@host
# @@timeout: 120
"""What bash, zsh and fish complete behind dtrace, and that their lists are those of the command."""
import os
import pathlib
import pty
import re
import select
import shutil
import subprocess
import sys
import tempfile
import time

DTRACE = os.environ["DTRACE"]
MADE = pathlib.Path(os.environ["BUILD"]) / "completions"
TOP = pathlib.Path(os.environ["TESTS"]).parent
LIMIT_S = 60
failed = []


def check(condition, *shown):
    if not condition:
        failed.append(shown)
        print(*shown)


class Shell:
    """A shell on a terminal, with its line editor: Ctrl-T prints the line as it is then."""

    def __init__(self, words, environment):
        self.name = words[0]
        self.pid, self.fd = pty.fork()
        if self.pid == 0:
            os.execvpe(words[0], words, {**environment, "TERM": "dumb"})
        self.wait(r"ready")

    def wait(self, pattern):
        text, until = "", time.monotonic() + LIMIT_S
        while time.monotonic() < until:
            if select.select([self.fd], [], [], 1)[0]:
                text += os.read(self.fd, 65536).decode(errors="replace").replace("\r", "")
                found = re.search(pattern, text, re.S)
                if found:
                    return found
        sys.exit(f"{self.name} does not print {pattern!r}, but:\n{text}")

    def line(self, typed, key):
        os.write(self.fd, (typed + key + "\x14").encode())
        line = self.wait(r"\n<(.*?)>\n").group(1)
        os.write(self.fd, b"\x15")  # Ctrl-U
        return line

    def one(self, typed):
        return self.line(typed, "\t")

    def all(self, typed):
        return self.line(typed, "\x1b*").split()


def bash(directory):
    rc = pathlib.Path(directory) / "rc"
    rc.write_text(f"PATH={directory}:/usr/bin:/bin\nPS1=\nPS2=\ncd {directory}\n. {MADE}/dtrace.bash\n"
                  "bind 'set enable-bracketed-paste off'\nbind 'set bell-style none'\n"
                  """bind -x '"\\C-t": printf "\\n<%s>\\n" "$READLINE_LINE"'\necho ready\n""")
    shell = Shell(["bash", "--noprofile", "--rcfile", str(rc), "-i"], os.environ)
    for typed, wanted in (
            ("dtrace -x bufp", "dtrace -x bufpolicy="),
            ("dtrace -x bufpolicy=ri", "dtrace -x bufpolicy=ring "),
            ("dtrace -xbufpolicy=fi", "dtrace -xbufpolicy=fill "),
            ("dtrace -x aggsortr", "dtrace -x aggsortrev"),
            ("dtrace -n 'sysca", "dtrace -n 'syscall::"),
            ("dtrace -qn 'syscall::rena", "dtrace -qn 'syscall::rename"),
            ("dtrace -qn 'syscall::clock_nanosleep:en", "dtrace -qn 'syscall::clock_nanosleep:entry'"),
            ("dtrace -n 'BEGIN { x = 1; } syscall::clock_nanosleep:en",
             "dtrace -n 'BEGIN { x = 1; } syscall::clock_nanosleep:entry'"),
            ("dtrace -n 'tcp:::connect-es", "dtrace -n 'tcp:::connect-established'"),
            ("dtrace -ln syscall::clock_nanosleep:en", "dtrace -ln syscall::clock_nanosleep:entry"),
            ("dtrace -l syscall::clock_nanosleep:en", "dtrace -l syscall::clock_nanosleep:entry"),
            ("dtrace -lP sysin", "dtrace -lP sysinfo "),
            ("dtrace -f exit_gro", "dtrace -f exit_group "),
            ("dtrace -s opensn", "dtrace -s opensnoop "),
            ("dtrace -s mine.", "dtrace -s mine.d "),
            ("dtrace --self", "dtrace --self-test "),
            (f"dtrace -p {os.getpid()}", f"dtrace -p {os.getpid()} "),
            ("dtrace -o mi", "dtrace -o mine.d ")):
        got = shell.one(typed)
        check(got == wanted, f"bash: {typed!r} becomes {got!r}")
    every = shell.all("dtrace -x bufpolicy=")
    check(every[2:] == ["bufpolicy=fill", "bufpolicy=ring", "bufpolicy=switch"] or len(every) == 5, every)
    check({"-n", "-x", "-F"} <= set(shell.all("dtrace -")), "bash does not list the letters")
    check({"-p", "-x", "-n"} <= set(shell.all("dtrace -s opensnoop -")), "bash does not list the letters of a tool")
    check("BEGIN" in shell.all("dtrace -n "), "bash does not offer BEGIN")


def zsh(directory):
    if not shutil.which("zsh"):
        print("zsh is not installed")
        return
    (pathlib.Path(directory) / ".zshrc").write_text(
        f"PATH={directory}:/usr/bin:/bin\nPS1=\nPS2=\ncd {directory}\nfpath=({MADE} $fpath)\nautoload -Uz compinit\n"
        "compinit -u -D\nunsetopt beep prompt_sp\nshow() { print -r -- $'\\n'\"<$BUFFER>\" }\nzle -N show\nbindkey -e\nbindkey '^T' show\n"
        "echo ready\n")
    shell = Shell(["zsh", "-i"], {**os.environ, "ZDOTDIR": directory})
    for typed, wanted in (
            ("dtrace -x bufp", "dtrace -x bufpolicy="),
            ("dtrace -x bufpolicy=ri", "dtrace -x bufpolicy=ring "),
            ("dtrace -n 'sysca", "dtrace -n 'syscall:"),
            ("dtrace -qn 'syscall::clock_nanosleep:en", "dtrace -qn 'syscall::clock_nanosleep:entry"),
            ("dtrace -ln syscall::clock_nanosleep:en", "dtrace -ln syscall::clock_nanosleep:entry"),
            ("dtrace -lP sysin", "dtrace -lP sysinfo "),
            ("dtrace -s opensn", "dtrace -s opensnoop "),
            ("dtrace --self", "dtrace --self-test ")):
        got = shell.one(typed)
        check(got == wanted, f"zsh: {typed!r} becomes {got!r}")


def lists():
    letters = re.findall(r"case '(\w)':", (TOP / "src/cli/command_line.cc").read_text())
    letters += re.findall(r"\{'(\w)', \"", (TOP / "src/cli/words.cc").read_text())  # those of options
    ours = [line.split()[0] for line in (TOP / "completions/letters").read_text().splitlines() if line[0] != "#"]
    check(sorted(letters) == sorted(ours), "completions/letters differs from the command:", set(letters) ^ set(ours))
    options = re.findall(r"^DT_OPTION\((\w+),", (TOP / "src/api/options/options.def").read_text(), re.M)
    made = (MADE / "dtrace.bash").read_text().split("_dtrace_values=")[0]
    check(sorted(options) == sorted(re.findall(r"^(\w+)=?\t", made, re.M)), "a completion lacks an option of -x")
    for line in (TOP / "completions/words").read_text().splitlines():
        if line.startswith("--"):
            check(f'"{line.split()[0]}"' in (TOP / "src/cli/command_line.cc").read_text(), line)
    for line in (TOP / "completions/values").read_text().splitlines():
        name, *values = line.split()
        for value in values if name != "#" else []:
            done = subprocess.run([DTRACE, "-e", "-x", f"{name}={value}", "-n", "BEGIN { @[stack()] = count(); stack(); }"],
                                  capture_output=True, text=True, timeout=LIMIT_S)
            check(done.returncode == 0, f"-x {name}={value}: {done.stderr}")
        if name != "#":
            done = subprocess.run([DTRACE, "-e", "-x", f"{name}=nothing-of-the-kind", "-n", "BEGIN"], capture_output=True,
                                  timeout=LIMIT_S)
            check(done.returncode != 0, f"-x {name} accepts anything")


def others():
    for shell, file in (("zsh", "_dtrace"), ("fish", "dtrace.fish")):
        if not shutil.which(shell):
            print(f"{shell} is not installed: its file is not read")
            continue
        done = subprocess.run([shell, "-n", MADE / file], capture_output=True, text=True, timeout=LIMIT_S)
        check(done.returncode == 0 and not done.stderr, done.stderr)
    if shutil.which("fish"):
        for typed, wanted in (("dtrace -x bufp", "bufpolicy="), ("dtrace -x bufpolicy=ri", "bufpolicy=ring"),
                              ("dtrace -n syscall::clock_nanosl", "syscall::clock_nanosleep:"),
                              ("dtrace -s opensn", "opensnoop"), ("dtrace --self", "--self-test")):
            done = subprocess.run(["fish", "--no-config", "-c", f"source {MADE}/dtrace.fish; complete -C '{typed}'"],
                                  capture_output=True, text=True, timeout=LIMIT_S,
                                  env={**os.environ, "PATH": f"{os.getcwd()}:{os.environ['PATH']}"})
            check(wanted in [line.split("\t")[0] for line in done.stdout.splitlines()],
                  f"fish: {typed!r} gives {done.stdout!r} {done.stderr!r}")


with tempfile.TemporaryDirectory() as work:
    os.chdir(work)
    os.symlink(DTRACE, "dtrace")
    pathlib.Path("mine.d").write_text("BEGIN { exit(0); }\n")
    bash(work)
    zsh(work)
    lists()
    others()
    os.chdir("/")
sys.exit(1 if failed else 0)
