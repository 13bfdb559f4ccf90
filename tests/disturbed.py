"""For tests in Python: a part of a test that something outside of it has disturbed may run again, if tests/disturbed.txt
allows it. tests/run counts how often."""
import os
import sys


def again(why):
    """Returns where the part may run again, and ends the test where it may not."""
    log = os.environ.get("DT_AGAIN_LOG")
    if log is None:
        sys.exit(f"disturbed: {why}; tests/run would let it run again if it is in tests/disturbed.txt")
    with open(log, "a+") as file:
        file.seek(0)
        so_far = len(file.readlines())
        if so_far >= int(os.environ["DT_AGAIN"]):
            sys.exit(f"disturbed once more than tests/disturbed.txt allows ({so_far}): {why}")
        file.write(why.replace("\n", " ") + "\n")
