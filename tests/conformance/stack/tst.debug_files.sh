# Functions of stripped programs are named by the file that was stripped off: beside it, in .debug, by build id.
. "$TESTS/lib.sh"

for tool in objcopy strip readelf; do
  if ! command -v $tool >/dev/null; then
    echo "skipped: there is no $tool"
    exit 77
  fi
done
frames="$BUILD/tests/workloads/frames"
id="$(readelf -n "$frames" | sed -n 's/.*Build ID: //p')"

# Who runs it, and what its stacks are to be.
stack_of() {
  run "$DTRACE" -q -c "$work/stripped" -n 'syscall::getppid:entry /pid == $target/ { @[ustack(3)] = count(); }'
  want 0
  for name in $2; do
    grep -q " stripped\`$name+0x" "$work/out" || { fail "$1: no $name"; cat "$work/out"; }
  done
}

cp "$frames" "$work/stripped"
objcopy --only-keep-debug "$work/stripped" "$work/whole"
strip "$work/stripped"
run "$DTRACE" -q -c "$work/stripped" -n 'syscall::getppid:entry /pid == $target/ { @[ustack(3)] = count(); }'
want 0
grep -q 'stripped`inner' "$work/out" && fail "there is a name before there is a file"
# The link names the file, and the file's checksum proves it.
cp "$work/whole" "$work/stripped.debug"
objcopy --add-gnu-debuglink="$work/stripped.debug" "$work/stripped"
stack_of "beside it" "inner middle outer"
mkdir "$work/.debug"
mv "$work/stripped.debug" "$work/.debug/"
stack_of "in .debug" "inner middle outer"
objcopy --only-keep-debug "$BUILD/tests/workloads/spin" "$work/.debug/stripped.debug"
run "$DTRACE" -q -c "$work/stripped" -n 'syscall::getppid:entry /pid == $target/ { @[ustack(3)] = count(); }'
want 0
grep -q 'stripped`inner' "$work/out" && fail "the file of another one is used"
if [ -n "$id" ] && [ "$(id -u)" = 0 ]; then
  place="/usr/lib/debug/.build-id/$(echo "$id" | cut -c1-2)"
  file="$place/$(echo "$id" | cut -c3-).debug"
  if [ ! -e "$file" ] && mkdir -p "$place" 2>/dev/null && cp "$work/whole" "$file" 2>/dev/null; then
    trap 'rm -rf "$file" "$work"; rmdir -p "$place" 2>/dev/null' EXIT
    stack_of "by build id" "inner middle outer"
  fi
fi
done_testing
