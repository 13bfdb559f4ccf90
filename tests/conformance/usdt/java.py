"""For the tests that trace a program of Java: compiles one, starts it, and lets it go on when the tracer does."""
import pathlib
import subprocess
import sys

from known import DTRACE, skip_without


def skip_without_java():
    skip_without("javac", "openjdk-17-jdk-headless")


def start(work, name, source, options):
    """The process of class `name`, which has loaded its virtual machine; its input and output are pipes."""
    path = pathlib.Path(work) / f"{name}.java"
    path.write_text(source)
    subprocess.run(["javac", "-d", work, path], check=True)
    java = subprocess.Popen(["java", *options, "-cp", work, name], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    if java.stdout.readline() != "ready\n":
        sys.exit("java does not start")
    return java


def trace(java, program, *options):
    """dtrace of that process, as its BEGIN has said "goes"."""
    tracer = subprocess.Popen([DTRACE, "-q", *options, "-p", str(java.pid), "-n", 'BEGIN { printf("goes\\n"); }' + program],
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    first = tracer.stdout.readline()
    if first != "goes\n":
        java.kill()
        print(first + tracer.communicate()[0])
        sys.exit(1)
    return tracer
