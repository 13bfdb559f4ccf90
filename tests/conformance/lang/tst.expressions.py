#!/usr/bin/env python3
# @@host
"""Random expressions over variables of every integer type, against the manual: values have 64 bits, types follow the
usual conversions of C and decide how a value is divided, shifted, compared and shown."""
import os
import random
import sys

sys.path.insert(0, os.environ["TESTS"])
from tables import Case, check

TYPES = [("int8_t", 1, True), ("uint8_t", 1, False), ("int16_t", 2, True), ("uint16_t", 2, False),
         ("int", 4, True), ("unsigned int", 4, False), ("long", 8, True), ("unsigned long", 8, False)]
INT = (4, True)
WORD = (1 << 64) - 1
SCRIPTS, EXPRESSIONS, DEPTH = 25, 12, 3


class Undefined(Exception):
    """A division by 0, or one whose result has no place."""


def narrow(value, kind):
    size, signed = kind
    value &= (1 << 8 * size) - 1
    return value - (1 << 8 * size) if signed and value >> (8 * size - 1) else value


def promoted(kind):
    return INT if kind[0] < 4 else kind


def common(left, right):
    left, right = promoted(left), promoted(right)
    if left[0] != right[0]:
        return max(left, right)
    return left if left == right else (left[0], False)


def as_type(value, kind):
    """All 64 bits, with the sign of the type."""
    return narrow(value, (8, kind[1]))


def divide(left, right, kind, remainder):
    a, b = as_type(left, kind), as_type(right, kind)
    if b == 0 or (a == -(1 << 63) and b == -1):
        raise Undefined
    quotient = abs(a) // abs(b) * (-1 if (a < 0) != (b < 0) else 1)
    return a - quotient * b if remainder else quotient


class Maker:
    """Texts of expressions, with their values (of 64 bits) and types."""

    def __init__(self, seed):
        self.random = random.Random(seed)
        self.variables = []
        for number, (name, size, signed) in enumerate(TYPES):
            bits = self.random.choice([0, 1, -1, self.random.getrandbits(8 * size), 1 << (8 * size - 1)])
            self.variables.append((f"v{number}", name, (size, signed), narrow(bits, (size, signed))))

    def make(self, depth):
        choice = self.random.randrange(12) if depth and self.random.random() > .15 else -1
        if choice < 0:
            if self.random.random() < .8:
                name, _, kind, value = self.random.choice(self.variables)
                return name, value & WORD, kind
            value = self.random.choice([0, 1, 2, 3, 7, 255, 256, 65535, 2147483647])
            return str(value), value, INT
        text, value, kind = self.make(depth - 1)
        if choice < 7:
            return self.binary(text, value, kind, *self.make(depth - 1), compares=choice >= 5)
        if choice == 7:
            by, kind = self.random.randrange(8), promoted(kind)
            if self.random.random() < .5:
                return f"({text} << {by})", value << by & WORD, kind
            return f"({text} >> {by})", as_type(value, kind) >> by & WORD, kind
        if choice == 8:
            op = self.random.choice("-~!+")
            if op == "!":
                return f"(!{text})", int(value == 0), INT
            return f"({op} {text})", {"-": -value, "~": ~value, "+": value}[op] & WORD, promoted(kind)
        if choice < 11:
            name, size, signed = self.random.choice(TYPES)
            return f"(({name}){text})", narrow(value, (size, signed)) & WORD, (size, signed)
        yes, no = self.make(depth - 1), self.make(depth - 1)
        return f"({text} ? {yes[0]} : {no[0]})", (yes if value else no)[1], common(yes[2], no[2])

    def binary(self, text, value, kind, text2, value2, kind2, compares):
        both = common(kind, kind2)
        if compares:
            op = self.random.choice(["<", "<=", ">", ">=", "==", "!="])
            a, b = as_type(value, both), as_type(value2, both)
            result = {"<": a < b, "<=": a <= b, ">": a > b, ">=": a >= b, "==": a == b, "!=": a != b}[op]
            return f"({text} {op} {text2})", int(result), INT
        op = self.random.choice("+-*&|^/%")
        if op in "/%":
            result = divide(value, value2, both, op == "%")
        else:
            result = {"+": value + value2, "-": value - value2, "*": value * value2, "&": value & value2,
                      "|": value | value2, "^": value ^ value2}[op]
        return f"({text} {op} {text2})", result & WORD, both


def case(seed):
    maker = Maker(seed)
    made = []
    while len(made) < EXPRESSIONS:
        try:
            made.append(maker.make(DEPTH))
        except Undefined:
            pass
    declared = " ".join(f"{kind} {name};" for name, kind, _, _ in maker.variables)
    assigned = " ".join(f"{name} = ({kind}){value & WORD:#x};" for name, kind, _, value in maker.variables)
    printed = " ".join(f'printf("%d\\n", {text});' for text, _, _ in made)
    return Case(f"{declared} BEGIN {{ {assigned} }} BEGIN {{ {printed} exit(0); }}",
                "".join(f"{narrow(value, kind)}\n" for _, value, kind in made))


check([case(seed) for seed in range(SCRIPTS)])
