"""How many faults the messages of dtrace are of: those of one place are said once, then counted."""
import re


def count(err, text):
    """Of the faults whose messages contain the text."""
    total = 0
    for line in err.splitlines():
        if text in line:
            more = re.search(r": (\d+) more times?$", line)
            total += int(more[1]) if more else 1
    return total
