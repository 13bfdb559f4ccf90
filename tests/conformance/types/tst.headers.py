# Headers of C as they are, under -C: wide enumerators, words of D as names, tables, what newer C adds.
# @@host
import os
import re
import shutil
import subprocess
import sys
import tempfile

DTRACE = os.environ["DTRACE"]
compiler = shutil.which("cc") or shutil.which("gcc")
if compiler is None:
    print("skipped: there is no C compiler to compare with")
    sys.exit(77)

SYSTEM = ["aio.h", "arpa/nameser.h", "linux/bpf.h", "linux/cn_proc.h", "linux/netfilter_ipv4.h", "linux/nfc.h",
          "linux/perf_event.h", "linux/rseq.h", "linux/rtnetlink.h", "linux/videodev2.h", "linux/virtio_input.h",
          "regex.h", "spawn.h", "sys/epoll.h", "sys/mount.h"]
HEADER = """
enum unsigned_one { U_LOW = 1, U_HIGH = 1U << 31, U_NEXT, U_ALL = 0xffffffff };
enum signed_one { S_LOW = -5, S_HIGH = 0x7fffffff };
enum wide_signed { WS_LOW = -1, WS_HIGH = 0x80000000, WS_NEXT };
enum wide_unsigned { WU_ONE = 1, WU_TOP = 1ULL << 63, WU_NEXT };
struct words { char string[3]; int counter, *self; unsigned probe : 3; int (*import)(char* string, int this); int provider; };
struct blank { int a;; short b; };
struct atomic { char c; _Atomic int a; _Alignas(16) char d; };
_Static_assert(sizeof(int) == 4, "int");
static const struct blank table[] = {{1, 2}, {.a = 3, .b = (4)}}, *const first = &table[0];
static const int scalar = 5;
_Noreturn void leave(int status);
void parameters(int n, char* const a[restrict], int b[static 4], int c[restrict n], const char* string);
enum values { V_BOTH = U_HIGH | U_LOW };
struct all { enum unsigned_one u; enum signed_one s; enum wide_signed ws; enum wide_unsigned wu; };
"""
# Numbers that both languages know, as 64 bits.
WANTED = ["U_LOW", "U_HIGH", "U_NEXT", "U_ALL", "S_LOW", "S_HIGH", "WS_LOW", "WS_HIGH", "WS_NEXT", "WU_TOP", "WU_NEXT",
          "V_BOTH", "sizeof(enum unsigned_one)", "sizeof(enum signed_one)", "sizeof(enum wide_signed)",
          "sizeof(enum wide_unsigned)", "sizeof(struct all)", "sizeof(struct words)", "sizeof(struct blank)",
          "sizeof(struct atomic)", "offsetof(struct words, provider)", "offsetof(struct atomic, d)", "U_HIGH > 0",
          "U_HIGH >> 4", "WU_TOP >> 63", "WS_HIGH / 2", "EPOLLIN", "EPOLLET", "sizeof(enum EPOLL_EVENTS)",
          "PERF_TXN_ABORT_MASK", "PERF_SAMPLE_TIME", "RT_TABLE_MAX", "MS_NOUSER", "PROC_EVENT_EXIT", "NF_IP_PRI_FIRST",
          "sizeof(struct perf_event_attr)", "sizeof(union bpf_attr)", "sizeof(struct rseq)", "sizeof(struct sockaddr_nfc_llcp)",
          "sizeof(struct v4l2_ext_control)", "sizeof(struct aiocb)", "sizeof(struct epoll_event)", "sizeof(regex_t)"]
ALL = "{0xfffffff0, -5, 0x80000001, 0x8000000000000010}"
RUNTIME = ["u >> 4", "u", "s - 1", "s", "ws", "ws + 1", "wu", "wu >> 4", "wu / 16"]

with tempfile.TemporaryDirectory() as home:
    with open(f"{home}/all.h", "w") as file:
        file.write("".join(f"#include <{one}>\n" for one in SYSTEM) + HEADER)
    with open(f"{home}/all.c", "w") as file:
        file.write('#define _GNU_SOURCE\n#include <stddef.h>\n#include <stdio.h>\n#include "all.h"\n'
                   f"struct all value = {ALL};\nint main(int argc, char** argv) {{\n  if (argc == 1) {{\n" +
                   "".join(f"    printf(\"%llx \", (unsigned long long)({one}));\n" for one in WANTED) +
                   "".join(f"    printf(\"%llx \", (unsigned long long)(value.{one}));\n" for one in RUNTIME) +
                   '  }\n  FILE* null = fopen("/dev/null", "w");\n  fwrite(&value, 1, sizeof value, null);\n'
                   "  fclose(null);\n  return 0;\n}\n")
    with open(f"{home}/all.d", "w") as file:
        file.write('#define _GNU_SOURCE\n#include "all.h"\nBEGIN { ' +
                   " ".join(f'printf("%x ", (unsigned long long)({one}));' for one in WANTED) + " }\n"
                   'syscall::write:entry /pid == $target && arg2 == sizeof (struct all)/\n{\n'
                   "\tthis->p = (struct all *)copyin(arg1, sizeof (struct all));\n" +
                   "".join(f'\tprintf("%x ", (unsigned long long)(this->p->{one}));\n' for one in RUNTIME) + "}\n")
    subprocess.run([compiler, "-w", "-o", f"{home}/all", f"{home}/all.c"], check=True, timeout=60)
    want = subprocess.run([f"{home}/all"], capture_output=True, text=True, check=True, timeout=60).stdout.split()
    done = subprocess.run([DTRACE, "-qCs", f"{home}/all.d", "-c", f"{home}/all quiet"], stdin=subprocess.DEVNULL,
                          capture_output=True, text=True, timeout=60)
    if done.returncode != 0 or done.stderr:
        sys.exit(f"exit status {done.returncode}: {done.stderr}")
    have = done.stdout.split()
    for one, theirs, ours in zip(WANTED + RUNTIME, want, have):
        if theirs != ours:
            print(f"{one}: the compiler says {theirs}, dtrace {ours}")
    if have != want:
        sys.exit(1)
    print(len(want), "numbers agree")

    # In the script itself D's rules hold; what a header defines with values has no name; one hint to use -C is enough.
    for flags, text, why in (
            ("-qCs", "enum e { A = 0x80000000 };", r"bad.d:1:10: error: enumerator 'A' value overflows INT_MAX"),
            ("-qCs", '#include "all.h"\nBEGIN { trace(table[0].a); }', "error: failed to resolve table: Unknown variable name"),
            ("-qCs", '#include "all.h"\nBEGIN { trace(scalar); }', "error: failed to resolve scalar: Unknown variable name"),
            ("-qCs", '#include "all.h"\nint string;', "D_DECL_COMBO"),
            ("-qCs", "#nonsense", "invalid preprocessing directive"),
            ("-qs", "#include <a.h>\n#include <b.h>\n#define X 1", "the option -C")):
        with open(f"{home}/bad.d", "w") as file:
            file.write(text + "\nBEGIN { exit(0); }\n")
        done = subprocess.run([DTRACE, flags, f"{home}/bad.d"], capture_output=True, text=True, timeout=60)
        if done.returncode != 1 or len(re.findall(why, done.stderr)) != 1:
            sys.exit(f"{text}: {done.returncode} {done.stderr}")
