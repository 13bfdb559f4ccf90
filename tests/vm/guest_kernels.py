"""Where the guests' kernels come from: Debian's packages, unpacked and never
installed. This release's own is asked of apt as it is configured; for others
apt is given the same mirror with another suite, and checks the signature as it
always does."""
import glob
import lzma
import pathlib
import re
import subprocess
import tempfile

# By the name that selects a guest, the suite that has its kernel: "" is the
# release that apt is configured for.
GUESTS = {"6.1": "", "6.12": "trixie", "newest": "sid"}
META_PACKAGE = "linux-image-amd64"
KEYRING = "/usr/share/keyrings/debian-archive-keyring.gpg"


def run(command, **more):
    return subprocess.run(command, capture_output=True, text=True, **more)


def mirror():
    """The address that apt has Debian from, "" when it has it from nowhere."""
    targets = run(["apt-get", "indextargets", "--format", "$(REPO_URI) $(ORIGIN) $(LABEL)",
                   "Created-By: Packages"]).stdout
    match = re.search(r"^(\S+) Debian Debian$", targets, re.MULTILINE)
    return match.group(1) if match else ""


def options_for(suite, work):
    """apt's options for a suite that it is not configured for; or a reason."""
    address = mirror()
    if not address:
        return None, "apt has no mirror of Debian"
    for directory in ("lists/partial", "cache/archives/partial"):
        (work / directory).mkdir(parents=True)
    (work / "sources").write_text(f"deb [signed-by={KEYRING}] {address} {suite} main\n")
    options = []
    for option in (f"Dir::Etc::SourceList={work}/sources", "Dir::Etc::SourceParts=/dev/null",
                   f"Dir::State::Lists={work}/lists", f"Dir::Cache={work}/cache",
                   "Acquire::Languages=none", "Acquire::Retries=1", "Acquire::http::Timeout=20",
                   "APT::Sandbox::User=root"):
        options += ["-o", option]
    got = run(["apt-get", *options, "-qq", "update"])
    # What cannot be reached is a warning for apt, and the lists are then empty.
    if got.returncode != 0 or not list((work / "lists").glob("*_Packages*")):
        said = got.stderr.strip().split("\n")[0] or f"apt-get update ended with {got.returncode}"
        return None, f"suite {suite} cannot be reached: {said}"
    return options, ""


def image(home):
    """The kernel under the directory `home`, None when there is none."""
    return next((path for pattern in ("boot/vmlinuz-*", "usr/lib/modules/*/vmlinuz")
                 for path in home.glob(pattern)), None)


def module(home, name):
    """The module's bytes, None when the kernel has none of that name."""
    for path in home.glob(f"**/kernel/**/{name}.ko*"):
        data = path.read_bytes()
        return lzma.decompress(data) if path.suffix == ".xz" else data
    return None


def unpack(name, home):
    """Puts the guest's kernel and modules into the directory `home`, unless they
    are there; "" or why it cannot."""
    if image(home):
        return ""
    home.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=home.parent) as directory:
        work = pathlib.Path(directory)
        options, reason = options_for(GUESTS[name], work) if GUESTS[name] else ([], "")
        if options is None:
            return reason
        depends = run(["apt-cache", *options, "depends", META_PACKAGE])
        package = re.search(r"Depends: (linux-image-[0-9]\S*)", depends.stdout)
        if not package:
            return f"apt knows no package {META_PACKAGE}"
        # Since 7.x the image is an empty package that needs these.
        depends = run(["apt-cache", *options, "depends", package.group(1)])
        parts = re.findall(r"Depends: (linux-(?:binary|modules)-\S+)", depends.stdout)
        names = parts or [package.group(1)]
        got = run(["apt-get", *options, "download", *names], cwd=work)
        packages = glob.glob(f"{work}/*.deb")
        if got.returncode != 0 or len(packages) != len(names):
            return f"apt-get download {' '.join(names)}: {got.stderr.strip()}"
        for path in packages:
            subprocess.run(["dpkg", "-x", path, home], check=True)
    return ""
