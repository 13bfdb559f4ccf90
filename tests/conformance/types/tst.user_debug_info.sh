#!/bin/sh
# The same types however they are written: DWARF 2 to 5 of two compilers,
# compressed, in type units, and in a debug file beside the program.
# @@host
. "$(dirname "$0")/../../lib.sh"

command -v cc >/dev/null || { echo "skipped: no C compiler"; exit 77; }
script=$TESTS/conformance/types/tst.user_types.d
wanted=$script.r

# build COMPILER FLAGS...
build() {
  "$@" -O0 -w -o "$work/types" "$TESTS/workloads/types.c" >"$work/log" 2>&1
}
same_types() {
  $DTRACE -q -s "$script" -c "$work/types" >"$work/out" 2>"$work/err" </dev/null ||
    { fail "$1: dtrace failed"; cat "$work/err"; }
  cmp -s "$work/out" "$wanted" || { fail "$1"; diff "$wanted" "$work/out"; }
}
for flags in "-gdwarf-2 -gstrict-dwarf" -gdwarf-3 -gdwarf-4 -gdwarf-5 "-gdwarf-5 -gz=zlib" \
  "-gdwarf-5 -fdebug-types-section"; do
  build cc $flags || { fail "cc $flags"; cat "$work/log"; continue; }
  same_types "cc $flags"
done
if command -v clang >/dev/null; then
  for flags in -gdwarf-4 -gdwarf-5 "-gdwarf-5 -gdwarf64"; do
    build clang $flags && same_types "clang $flags"
  done
fi

# Stripped, with its debugging information by name, then by build id.
if command -v objcopy >/dev/null; then
  build cc -g -Wl,--build-id
  objcopy --only-keep-debug "$work/types" "$work/types.debug"
  strip --strip-debug "$work/types"
  (cd "$work" && objcopy --add-gnu-debuglink=types.debug types)
  same_types ".gnu_debuglink"
  mkdir "$work/.debug" && mv "$work/types.debug" "$work/.debug/"
  same_types ".debug"
  # One of another program is not believed.
  echo >>"$work/.debug/types.debug"
  run $DTRACE -q -e -s "$script" -c "$work/types"
  want 1
  has err "hint: a.out: $work/types has no types: it was built without -g, and there is no debug file for it in /usr/lib/debug"
fi

# What is not read is said.
build cc -g -gsplit-dwarf
run $DTRACE -q -e -s "$script" -c "$work/types"
want 1
has err "hint: a.out: its types stand in separate .dwo files, which are not read"
done_testing
