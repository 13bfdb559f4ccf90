# @@host
# Layouts that headers of C ask for (packed, aligned, #pragma pack), under -C, are those of the compiler.
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

HEADER = """
struct a { char type; int value; short tail; } __attribute__((packed));
struct __attribute__((__packed__)) b { char type; long value; };
struct c { char type; int value __attribute__((packed)); int last; };
struct d { char type; int value __attribute__((aligned(16))); char last; };
struct e { char x; } __attribute__((__aligned__(8)));
struct f { char x; struct e e; struct a a; short y; };
#pragma pack(push, 1)
struct g { char x; long y; struct { short p; int q; } in; };
#pragma pack(2)
struct h { char x; long y; };
#pragma pack(pop)
struct i { char x; long y; };
typedef struct { char x; int y; } __attribute__((packed)) j_t;
typedef int k_t __attribute__((aligned(32)));
struct k { char x; k_t y; } __attribute__((unused));
struct l { unsigned a : 5; unsigned b : 30; unsigned c : 7; } __attribute__((packed));
struct m { char x; long long y __attribute__((__aligned__(__alignof__(long long)))); };
struct n { union { char x; int y; } __attribute__((packed)) u; char z; };
struct o { char x; __attribute__((aligned(4))) char y; short z; } __attribute__((packed, aligned(4)));
extern int function(const char*, ...) __attribute__((format(printf, 1, 2))) __attribute__((noreturn));
#include <linux/usb/ch9.h>
#include <sys/socket.h>
"""
PLACES = [("struct a", "value tail"), ("struct b", "value"), ("struct c", "value last"), ("struct d", "value last"),
          ("struct e", "x"), ("struct f", "e a y"), ("struct g", "y in"), ("struct h", "y"), ("struct i", "y"),
          ("j_t", "y"), ("struct k", "y"), ("struct l", ""), ("struct m", "y"), ("struct n", "u z"), ("struct o", "y z"),
          ("struct usb_endpoint_descriptor", "wMaxPacketSize bRefresh"), ("struct usb_config_descriptor", "bMaxPower"),
          ("struct sockaddr_storage", "")]
WANTED = [f"sizeof ({name})" for name, _ in PLACES]
WANTED += [f"offsetof({name}, {member})" for name, members in PLACES for member in members.split()]
FORMAT = " ".join(["%d"] * len(WANTED)) + "\\n"

with tempfile.TemporaryDirectory() as home:
    with open(f"{home}/layout.h", "w") as file:
        file.write(HEADER)
    with open(f"{home}/layout.c", "w") as file:
        file.write('#include "layout.h"\n#include <stddef.h>\n#include <stdio.h>\n'
                   'struct l value = {3, 0x2aaaaaaa, 0x55};\nint main(int argc, char** argv) {\n' +
                   "".join(f"  if (argc == 1) printf(\"%d \", (int)({one}));\n" for one in WANTED) +
                   '  FILE* null = fopen("/dev/null", "w");\n  fwrite(&value, 1, sizeof value, null);\n'
                   "  fclose(null);\n  return 0;\n}\n")
    with open(f"{home}/layout.d", "w") as file:
        file.write('#include "layout.h"\nBEGIN { printf("' + FORMAT + '", ' +
                   ", ".join(f"(int)({one})" for one in WANTED) + "); }\n"
                   'syscall::write:entry /pid == $target && arg2 == sizeof (struct l)/\n{\n'
                   "\tthis->l = (struct l *)copyin(arg1, sizeof (struct l));\n"
                   '\tprintf("fields %x %x %x\\n", this->l->a, this->l->b, this->l->c);\n}\n')
    subprocess.run([compiler, "-o", f"{home}/layout", f"{home}/layout.c"], check=True, timeout=60)
    want = subprocess.run([f"{home}/layout"], capture_output=True, text=True, check=True, timeout=60).stdout.split()
    done = subprocess.run([DTRACE, "-qCs", f"{home}/layout.d", "-c", f"{home}/layout quiet"], stdin=subprocess.DEVNULL,
                          capture_output=True, text=True, timeout=60)
    if done.returncode != 0 or done.stderr:
        sys.exit(f"exit status {done.returncode}: {done.stderr}")
    have = re.search(r"^(\d+ )+\d+$", done.stdout, re.M).group().split()
    for one, theirs, ours in zip(WANTED, want, have):
        if theirs != ours:
            print(f"{one}: the compiler says {theirs}, dtrace {ours}")
    if have != want:
        sys.exit(1)
    if "fields 3 2aaaaaaa 55" not in done.stdout:
        sys.exit(f"bit-fields: {done.stdout}")
    print(len(WANTED), "sizes and places agree")

    # What is not known is not guessed.
    for text, why in (("struct x { char c; } __attribute__((aligned(SIZE)));", "is no power of 2 that is known here"),
                      ("struct x { char c; } __attribute__; int y;", "attributes stand in parentheses"),
                      ("struct x { char c; } __attribute__((packed; int y;", "attributes stand in parentheses"),
                      ("enum x { A } __attribute__((packed));", "packed enumerations are not supported")):
        with open(f"{home}/bad.d", "w") as file:
            file.write(text + "\nBEGIN { exit(0); }\n")
        done = subprocess.run([DTRACE, "-qCs", f"{home}/bad.d"], capture_output=True, text=True, timeout=60)
        if done.returncode != 1 or why not in done.stderr:
            sys.exit(f"{text}: {done.returncode} {done.stderr}")
