"""Two network namespaces that are joined by a pair of interfaces, for the tests of networks."""
import os
import subprocess
import sys

SKIP = 77


def ip(*words, ok=True):
    done = subprocess.run(["ip", *words], capture_output=True, text=True, timeout=60)
    if ok and done.returncode != 0:
        print(f"no network here: ip {' '.join(words)}: {done.stderr.strip()}")
        sys.exit(SKIP)
    return done.stdout


class Pair:
    """spaces[n] has the interface devices[n] with the addresses addresses[version][n]."""

    def __init__(self, letter, addresses):
        self.addresses = addresses
        self.spaces = tuple(f"dt-{letter}{end}-{os.getpid()}" for end in "ab")
        self.devices = tuple(f"dt{letter}{os.getpid() % 100000}{end}" for end in "ab")  # at most 15 bytes

    def make(self):
        for space in self.spaces:
            ip("netns", "add", space)
            ip("-n", space, "link", "set", "lo", "up")
        ip("link", "add", self.devices[0], "netns", self.spaces[0], "type", "veth",
           "peer", "name", self.devices[1], "netns", self.spaces[1])
        for end, (space, device) in enumerate(zip(self.spaces, self.devices)):
            ip("-n", space, "addr", "add", f"{self.addresses[4][end]}/24", "dev", device)
            ip("-n", space, "addr", "add", f"{self.addresses[6][end]}/64", "dev", device, "nodad")
            ip("-n", space, "link", "set", device, "up")

    def remove(self):
        for space in self.spaces:
            ip("netns", "del", space, ok=False)
