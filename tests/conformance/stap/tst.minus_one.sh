# -1 as descriptor and as owner is -1, whatever sign the kernel's type has, and a command is traced from its first
# instruction.
out=$("$STAP" -e 'probe syscall.mmap, syscall.chown { if (pid() == target() && isinstr(argstr, "-1")) printf("%s(%s)\n", name, argstr) }
  probe syscall.arch_prctl { if (pid() == target()) println(name) }' \
  -c "python3 -IS -c 'import os, mmap; mmap.mmap(-1, 4096); os.chown(\"/tmp\", -1, -1)'") || exit 1
echo "$out" | grep -qx 'mmap(NULL, 4096, PROT_READ|PROT_WRITE, MAP_SHARED|MAP_ANONYMOUS, -1, 0)' && echo "$out" | grep -qx 'chown("/tmp", -1, -1)' &&
  echo "$out" | grep -qx arch_prctl || { echo "$out"; exit 1; }
