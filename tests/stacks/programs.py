"""Programs of Debian at work: each keeps a CPU busy, all by itself, for longer than anybody looks at it."""
import os
import shutil
import subprocess

from soundness import workload

LIBC = ["malloc", "free", "realloc", "qsort_r", "fwrite", "memcpy", "strlen"]


class Program:
    """What to run, and where to put probes besides those of the profile and of system calls.

    entries: descriptions OBJECT:FUNCTION of functions at whose entry a probe is.
    steps: of functions with a probe at each instruction.
    rows: the beginnings of names of files with probes where their .eh_frame has a row.
    attach: it is started by us, and dtrace comes later; else by dtrace.
    variables: of its environment.
    is_hard: samples of all kinds are taken, however few are wanted."""

    def __init__(self, name, command, entries=(), steps=(), rows=(), stdin=None, attach=False, user=None, warm_s=0.0,
                 variables=None, is_hard=False):
        self.name, self.command, self.stdin = name, command, stdin
        self.entries = [f"libc.so.6:{function}" for function in LIBC] + list(entries)
        self.steps = ["libc.so.6:malloc", "libc.so.6:free", *steps]
        self.rows = ["libc.so", *rows]
        self.attach, self.user, self.warm_s = attach, user, warm_s
        self.environment, self.is_hard = {**os.environ, **(variables or {})}, is_hard


def installed(*paths):
    """The first of these that is a program; Debian's, not one that stands before it in PATH."""
    return next((path for path in paths if os.access(path, os.X_OK)), None)


def compile_rust(path, *flags):
    """Whether our program of Rust has been made, optimised and without frame pointers."""
    compiler = shutil.which("rustc")
    source = os.path.join(os.path.dirname(os.path.abspath(__file__)), "calls.rs")
    return compiler is not None and subprocess.run([compiler, "--edition", "2021", "-O", *flags, "-o", path, source],
                                                   capture_output=True, timeout=120).returncode == 0


BASH = r"""
f() { local x=$1; if ((x > 0)); then f $((x - 1)); else set -- a b c "${words[@]//o/0}"; fi; }
g() { case $1 in *7*) f 12 ;; [a-m]*) f 3 ;; *) eval 'f 2' ;; esac; }
RANDOM=1
while :; do
  words=(one two three four $RANDOM $RANDOM)
  for w in "${words[@]}"; do g "$w"; [[ $w =~ ^[0-9]+$ ]] && printf -v y '%05d' "$w"; done
done
"""

PYTHON = r"""
import json, re, hashlib, random
random.seed(1)
def fib(n): return n if n < 2 else fib(n - 1) + fib(n - 2)
class Key:
    def __init__(self, v): self.v = v
    def __lt__(self, other): return self.v < other.v
while True:
    fib(12)
    data = [{"a": random.random(), "b": [str(i) for i in range(9)]} for _ in range(50)]
    text = json.dumps(data, indent=1)
    json.loads(text)
    sorted(map(Key, random.sample(range(10000), 300)))
    re.sub(r"(\d)(\d+)", lambda m: m[2] + m[1], text)
    hashlib.sha256(text.encode()).hexdigest()
    open("/dev/null", "w").write(text)
"""

PERL = r"""
srand(1);
sub fib { my $n = shift; return $n < 2 ? $n : fib($n - 1) + fib($n - 2) }
while (1) {
  fib(12);
  my %h = map { $_ => sprintf("%08x", rand(2**31)) } 1 .. 200;
  my @s = sort { $h{$a} cmp $h{$b} or fib(2) } keys %h;
  my $t = join ",", map { "$_=$h{$_}" } @s;
  $t =~ s/(\d)(\w+)/fib(3) . $2 . $1/ge;
  eval { die { code => 1 } if $t =~ /a+b/ };
  my @p = unpack "(A4)*", $t;
}
"""

MAWK = r"""
function fib(n) { return n < 2 ? n : fib(n - 1) + fib(n - 2) }
BEGIN {
  srand(1)
  for (;;) {
    fib(12)
    s = ""
    for (i = 0; i < 300; i++) { s = s sprintf("%08x ", rand() * 2 ^ 31); h[i % 50] = length(s) }
    n = split(s, parts, " ")
    gsub(/[0-9]+[a-f]/, "<&>", s)
    if (match(toupper(substr(s, 5, 99)), /A+B/)) x = substr(s, RSTART)
  }
}
"""

DASH = r"""
fib() { if [ $1 -lt 2 ]; then echo $1 >/dev/null; else fib $(($1 - 1)); fib $(($1 - 2)); fi; }
while :; do
  fib 8
  for word in one two three four; do
    case $word in *o*) set -- "$word" "${word%o*}" ;; *) eval "x_$word=\${#word}" ;; esac
    printf '%s %05d\n' "$word" $# >/dev/null
  done
done
"""

RUBY = r"""
srand(1)
def fib(n) n < 2 ? n : fib(n - 1) + fib(n - 2) end
loop do
  fib(12)
  h = (1..200).to_h { |i| [i, format("%08x", rand(2**31))] }
  t = h.sort_by { |k, v| [v, k] }.map { |k, v| "#{k}=#{v}" }.join(",")
  t.gsub(/(\d)(\w+)/) { fib(3).to_s + $2 + $1 }
  begin raise ArgumentError, t if t.size > 3; rescue ArgumentError; end
  (2**1000).to_s; Marshal.load(Marshal.dump(h))
end
"""

NODE = r"""
const crypto = require('crypto');
function fib(n) { return n < 2 ? n : fib(n - 1) + fib(n - 2); }
function work() {
  fib(15);
  const data = Array.from({length: 300}, (_, i) => ({i, h: crypto.createHash('sha256').update('' + i).digest('hex')}));
  data.sort((a, b) => a.h < b.h ? -1 : 1);
  JSON.parse(JSON.stringify(data));
  data.map(d => d.h.replace(/(\d)(\w)/g, (m, a, b) => b + a));
  setImmediate(work);
}
work();
"""

SQLITE = ("WITH RECURSIVE c(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM c LIMIT 20000), "
          "t AS (SELECT x, printf('%d-%s', x * 7919 % 10007, hex(x)) AS s FROM c) "
          "SELECT count(*), max(upper(a.s) || lower(b.s)) FROM t a JOIN t b ON a.x % 977 = b.x % 977 "
          "WHERE a.s LIKE '%1%' GROUP BY b.s ORDER BY 2 DESC;")

POSTGRES = ("SELECT a % 1009, count(*), max(md5(b::text)), sum(b::numeric * 1.5) FROM generate_series(1, 10000) a, "
            "generate_series(1, 10000) b WHERE md5((a + b)::text) LIKE '%a%' GROUP BY 1 ORDER BY 3;\n")


def hard(home):
    """Ours (hard.c)."""
    return Program("hard", [installed(workload("hard"))], steps=["a.out:on_tick", "a.out:deep", "a.out:thrown"],
                   rows=["hard"], is_hard=True)


def lazy(home):
    """The same, where each call into a library goes through the PLT and the loader, which looks for it again."""
    return Program("hard, bound at each call", [installed(workload("hard"))], rows=["ld-linux"], is_hard=True,
                   variables={"LD_BIND_NOT": "1"})


def bash(home):
    return Program("bash", [installed("/bin/bash"), "-c", BASH],
                   entries=["a.out:execute_command_internal", "a.out:xmalloc", "a.out:expand_string"],
                   steps=["a.out:execute_command_internal"], rows=["bash"])


def sort(home):
    return Program("sort", [installed("/usr/bin/sort"), "-S", "1M", "-T", home, "--parallel=1", "-o", "/dev/null"],
                   stdin="/dev/urandom", entries=["libc.so.6:strcoll", "libc.so.6:memchr"],
                   steps=["libc.so.6:strcoll_l", "libc.so.6:fwrite_unlocked"], rows=["sort"])


def dash(home):
    return Program("dash", [installed("/bin/dash"), "-c", DASH], rows=["dash"])


def mawk(home):
    return Program("mawk", [installed("/usr/bin/mawk"), MAWK], rows=["mawk"])


def gzip(home):
    return Program("gzip", [installed("/bin/gzip", "/usr/bin/gzip"), "-9", "-c"], stdin="/dev/urandom", rows=["gzip"])


def xz(home):
    return Program("xz", [installed("/usr/bin/xz"), "-T1", "-2", "-c"], stdin="/dev/urandom",
                   entries=["liblzma:lzma_code"], steps=["liblzma:lzma_code"], rows=["liblzma"])


def zstd(home):
    return Program("zstd", [installed("/usr/bin/zstd"), "-b5", "-i600"], rows=["zstd"])


def python(home):
    return Program("python3.11", [installed("/usr/bin/python3.11"), "-S", "-c", PYTHON],
                   entries=["a.out:PyObject_Malloc", "a.out:PyDict_GetItem", "a.out:PyUnicode_FromFormat"],
                   steps=["a.out:PyObject_Vectorcall", "a.out:PyObject_RichCompare"], rows=["python"])


def perl(home):
    return Program("perl", [installed("/usr/bin/perl"), "-e", PERL],
                   entries=["a.out:Perl_pp_entersub", "a.out:Perl_sv_setsv_flags", "a.out:Perl_pp_subst"],
                   steps=["a.out:Perl_leave_scope"], rows=["perl"])


def sqlite3(home):
    return Program("sqlite3", [installed("/usr/bin/sqlite3"), ":memory:", SQLITE],
                   entries=["libsqlite3:sqlite3_step", "libsqlite3:sqlite3_str_vappendf"],
                   steps=["libsqlite3:sqlite3_str_vappendf"], rows=["libsqlite3"])


def openssl(home):
    return Program("openssl", [installed("/usr/bin/openssl"), "speed", "-seconds", "1", "-bytes", "1024", "rsa2048",
                               "sha256", "aes-256-cbc", "ecdsap256", "ghash"],
                   entries=["libcrypto:BN_mod_mul_montgomery", "libcrypto:EVP_DigestUpdate"],
                   steps=["libcrypto:EVP_EncryptUpdate", "libcrypto:BN_mod_mul_montgomery"], rows=["libcrypto"])


def postgres(home):
    """Alone, without a server: initdb takes a second."""
    path = installed("/usr/lib/postgresql/15/bin/postgres")
    if path is None:
        return Program("postgres", [None])
    data = f"{home}/pgdata"
    os.mkdir(data)
    shutil.chown(data, "postgres")
    subprocess.run([os.path.join(os.path.dirname(path), "initdb"), "-N", "-A", "trust", "-D", data], user="postgres",
                   group="postgres", cwd=data, check=True, stdout=subprocess.DEVNULL, timeout=60)
    with open(f"{home}/sql", "w") as file:
        file.write(POSTGRES)
    return Program("postgres", [path, "--single", "-c", "jit=off", "-D", data, "postgres"], stdin=f"{home}/sql",
                   attach=True, user="postgres", warm_s=0.5,
                   entries=["a.out:palloc", "a.out:ExecInitNode", "a.out:texteq"],
                   steps=["a.out:MemoryContextAlloc", "a.out:palloc"], rows=["postgres"])


def java(home):
    """A key of this size takes minutes. The main thread of a JVM is not its first one."""
    return Program("java", [installed("/usr/lib/jvm/java-17-openjdk-amd64/bin/java"), "-Xmx64m",
                            "-m", "java.base/sun.security.tools.keytool.Main", "-genkeypair", "-alias", "a", "-keyalg",
                            "RSA", "-keysize", "16384", "-dname", "CN=a", "-keystore", f"{home}/keys", "-storepass",
                            "password"], attach=True, warm_s=1.5)


def node(home):
    return Program("node", [installed("/usr/bin/node", "/usr/bin/nodejs"), "-e", NODE], attach=True, warm_s=1.0)


def ruby(home):
    return Program("ruby", [installed("/usr/bin/ruby"), "-e", RUBY],
                   entries=["libruby:rb_str_new", "libruby:rb_funcallv"], steps=["libruby:rb_ary_push"],
                   rows=["libruby"])


def write_functions(path):
    """A program in C that a compiler takes long for."""
    with open(path, "w") as file:
        for i in range(3000):
            file.write(f"int f{i}(int *a, int n) {{ int s = {i}; for (int i = 0; i < n; i++) "
                       f"{{ if (a[i] % {i + 2}) s += a[i] * s; else a[i] = s ^ {i}; }} return s; }}\n")


def clang(home):
    write_functions(f"{home}/clang.c")
    return Program("clang", [installed("/usr/lib/llvm-14/bin/clang", "/usr/bin/clang"), "-O2", "-c",
                             f"{home}/clang.c", "-o", f"{home}/clang.o"])


def cc1(home):
    """gcc's."""
    write_functions(f"{home}/cc1.c")
    return Program("cc1", [installed("/usr/lib/gcc/x86_64-linux-gnu/12/cc1"), "-quiet", "-O2", f"{home}/cc1.c", "-o",
                           "/dev/null"])


def rust(home):
    """Ours (calls.rs)."""
    path = f"{home}/rust"
    if not compile_rust(path):
        return Program("rust", [None])
    return Program("rust", [path], rows=["rust"])


def rg(home):
    """ripgrep: Rust as Debian builds it."""
    with open(f"{home}/text", "w") as file:
        file.writelines(f"{i * 7919 % 10007} {i:x} some words {'ab' * (i % 30)}\n" for i in range(200000))
    return Program("rg", [installed("/usr/bin/rg"), "-j1", "-c", r"(\w+)\s+[0-9a-f]*7(ab)+b?$", *[f"{home}/text"] * 30],
                   rows=["rg"])


# What takes long to start comes first, as several are looked at at a time.
ALL = [node, java, openssl, hard, lazy, bash, postgres, dash, sort, gzip, xz, zstd, mawk, python, perl, sqlite3, ruby,
       clang, cc1, rust, rg]
