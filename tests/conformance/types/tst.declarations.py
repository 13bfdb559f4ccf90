#!/usr/bin/env python3
"""sizeof and offsetof of declarations are what a C compiler says: random structs
and unions of everything that C has, declared alike in D and in C."""
# @@host
import os
import random
import shutil
import subprocess
import sys
import tempfile

BASES = ["char", "signed char", "unsigned char", "short", "unsigned short", "int", "unsigned int", "long",
         "unsigned long", "long long", "_Bool", "float", "double", "int8_t", "uint16_t", "int32_t", "uint64_t"]
FIELDS = {"char": 8, "unsigned char": 8, "short": 16, "unsigned short": 16, "int": 32, "unsigned int": 32,
          "long": 64, "unsigned long": 64, "_Bool": 1}


class Generator:
    def __init__(self, seed):
        self.random = random.Random(seed)
        self.known = []  # types that may be used by value
        self.text, self.asked = [], []
        self.count = 0

    def name(self, prefix):
        self.count += 1
        return f"{prefix}{self.count}"

    def member(self, depth, names, path):
        """One member's text; its name goes to `names` unless it has none."""
        r = self.random
        kind = r.randrange(14)
        if kind < 3:
            base = r.choice(sorted(FIELDS))
            if r.randrange(6) == 0:
                return f"{base} : {r.randrange(0, FIELDS[base] + 1)};"
            return f"{base} {self.name('f')} : {r.randrange(1, FIELDS[base] + 1)};"
        if kind == 3 and depth < 3:
            return f"{r.choice(['struct', 'union'])} {{ {self.members(depth + 1, names, path)} }};"
        if kind == 4 and depth < 3:
            name = self.name("n")
            names.append(name)
            inner = []
            return f"{r.choice(['struct', 'union'])} {{ {self.members(depth + 1, inner, name)} }} {name};"
        name = self.name("m")
        names.append(name)
        base = r.choice(BASES + self.known)
        return [f"{base} {name};", f"{base} *{name};", f"{base} {name}[{r.randrange(1, 5)}];",
                f"{base} {name}[{r.randrange(1, 4)}][{r.randrange(1, 4)}];", f"{base} *{name}[{r.randrange(1, 4)}];",
                f"{base} (*{name})[3];", f"int (*{name})({base} *, int);", f"enum e{r.randrange(3)} {name};",
                f"struct never *{name};", f"{base} **{name};", f"const {base} *{name};"][r.randrange(11)]

    def members(self, depth, names, path):
        return " ".join(self.member(depth, names, path) for _ in range(self.random.randrange(1, 6))) + \
            f" char {self.last(names)};"

    def last(self, names):
        names.append(self.name("z"))
        return names[-1]

    def declare(self):
        r = self.random
        tag, word = self.name("s"), r.choice(["struct", "struct", "struct", "union"])
        names = []
        body = self.members(0, names, "")
        if word == "struct" and r.randrange(5) == 0:
            names.append(self.name("x"))
            body += f" {r.choice(BASES)} {names[-1]}[];"
            by_value = False
        else:
            by_value = True
        self.text.append(f"{word} {tag} {{ {body} }};")
        if r.randrange(3) == 0:
            self.text.append(f"typedef {word} {tag} {tag}_t;")
            spelled = f"{tag}_t"
        else:
            spelled = f"{word} {tag}"
        if by_value:
            self.known.append(spelled)
        self.asked.append((spelled, names))


def program(seed):
    g = Generator(seed)
    g.text += [f"enum e{i} {{ E{i}A = {i - 1}, E{i}B }};" for i in range(3)]
    for _ in range(40):
        g.declare()
    return g


def c_answers(g, work):
    lines = ["#include <stddef.h>", "#include <stdint.h>", "#include <stdio.h>"] + g.text + ["int main(void) {"]
    for spelled, names in g.asked:
        lines.append(f'printf("%zu", sizeof({spelled}));')
        lines += [f'printf(" %zu", offsetof({spelled}, {name}));' for name in names]
        lines.append('printf("\\n");')
    lines += ["return 0; }"]
    source = os.path.join(work, "t.c")
    with open(source, "w") as file:
        file.write("\n".join(lines))
    subprocess.run(["cc", "-w", "-o", source[:-2], source], check=True)
    return subprocess.run([source[:-2]], capture_output=True, text=True, check=True).stdout


def d_answers(g, work):
    lines = ["#pragma D option quiet"] + g.text + ["BEGIN {"]
    for spelled, names in g.asked:
        lines.append(f'printf("%d", sizeof({spelled}));')
        lines += [f'printf(" %d", offsetof({spelled}, {name}));' for name in names]
        lines.append('printf("\\n");')
    lines.append("exit(0); }")
    script = os.path.join(work, "t.d")
    with open(script, "w") as file:
        file.write("\n".join(lines))
    done = subprocess.run([os.environ["DTRACE"], "-q", "-s", script], capture_output=True, text=True)
    if done.returncode != 0:
        sys.exit(f"dtrace: status {done.returncode}\n{done.stderr}")
    return done.stdout


def main():
    if shutil.which("cc") is None:
        print("skipped: no C compiler")
        sys.exit(77)
    bad = 0
    with tempfile.TemporaryDirectory() as work:
        for seed in range(int(os.environ.get("SEED", "1")), int(os.environ.get("SEED", "1")) + 4):
            g = program(seed)
            wanted, got = c_answers(g, work).splitlines(), d_answers(g, work).splitlines()
            for i, (spelled, names) in enumerate(g.asked):
                if i >= len(got) or wanted[i] != got[i]:
                    bad += 1
                    print(f"seed {seed}: {spelled}: wanted {wanted[i]}, got {got[i] if i < len(got) else 'nothing'}")
                    print("  " + "\n  ".join(t for t in g.text if f" {spelled.split()[-1]} {{" in t))
    sys.exit(1 if bad else 0)


main()
