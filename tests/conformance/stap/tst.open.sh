# What cat opens, as strace would show it; only its own process is looked at.
out=$("$STAP" -e 'probe syscall.open* { if (pid() == target()) printf("%s %s(%s)\n", execname(), name, argstr) }
  probe syscall.open*.return { if (pid() == target()) printf("%s = %s\n", name, retstr) }' \
  -c 'cat /etc/hostname /no/such/file' 2>/dev/null) || exit 1
for line in 'cat openat(AT_FDCWD, "/etc/hostname", O_RDONLY)' 'cat openat(AT_FDCWD, "/no/such/file", O_RDONLY)' \
  'openat = -2 (ENOENT)'; do
  echo "$out" | grep -qxF -- "$line" || { echo "no line: $line"; echo "$out"; exit 1; }
done
