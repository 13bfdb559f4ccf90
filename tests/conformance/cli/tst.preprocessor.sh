# cpp: headers of C, words for it, line markers, and what is not there.
# @@host
. "$TESTS/lib.sh"

# Headers of this system: types, constants; their functions are passed over.
cat >"$work/headers.d" <<'D'
#include <stdint.h>
#include <stddef.h>
#include <errno.h>
#include <fcntl.h>
#include <sys/types.h>
#include <sys/socket.h>
#include <netinet/in.h>
#include <linux/in6.h>
#include <linux/tcp.h>
#include <linux/if_ether.h>

BEGIN
{
	printf("%d %d %d %d\n", EAGAIN, O_CREAT, IPPROTO_SCTP, ETH_P_IPV6);
	printf("%d %d\n", sizeof(struct sockaddr_in), offsetof(struct sockaddr_in, sin_addr));
	printf("%d\n", sizeof(struct ethhdr));
	exit(0);
}
D
run "$DTRACE" -Cqs "$work/headers.d"
want 0
same out '11 64 132 34525\n16 4\n14\n\n'

# A script's own headers lie beside it; errors name the file that they are in.
printf 'inline int ANSWER = 42;\nint wrong[void];\n' >"$work/own.h"
printf '#include "own.h"\nBEGIN { trace(ANSWER); }\n' >"$work/own.d"
run "$DTRACE" -Cs "$work/own.d"
want 1
has err "dtrace: failed to compile script $work/own.d: \"$work/own.h\", line 2: associative array prototype may not use parameter of type void: (anonymous), parameter #1"
has err "$work/own.h:2:11: error: associative array prototype"
printf '#include "none.h"\nBEGIN { }\n' >"$work/none.d"
run "$DTRACE" -Cs "$work/none.d"
want 1
has err 'none.h: No such file or directory'
has err "dtrace: cpp failed on $work/none.d; its messages are above"

# Line numbers are those of the script; #error stops it, #pragma D error too.
printf '#define A 1\n#if A\n\n#endif\nBEGIN { trace(nosuch); }\n' >"$work/line.d"
run "$DTRACE" -Cs "$work/line.d"
want 1
has err "line 5: failed to resolve nosuch: Unknown variable name"
printf '#error not here\nBEGIN { }\n' >"$work/error.d"
run "$DTRACE" -Cs "$work/error.d"
want 1
has err 'not here'
printf '#ifdef OLD\n#pragma D error too old\n#endif\nBEGIN { trace(1); exit(0); }\n' >"$work/pragma.d"
run "$DTRACE" -Cqs "$work/pragma.d"
want 0
same out '1\n'
run "$DTRACE" -Cqs "$work/pragma.d" -DOLD
want 1
has err 'line 2: #error: too old'

# Words for it.
printf 'BEGIN { trace(A); trace(B); exit(0); }\n' >"$work/words.d"
run "$DTRACE" -Cqs "$work/words.d" -DA=1 -x cppargs='-DB=2 -DC'
want 0
same out '12\n'
run "$DTRACE" -Cqs "$work/words.d" -DA=1 -x define=B=3 -UA
want 1
has err 'failed to resolve A: Unknown variable name'
printf '#include "own2.h"\nBEGIN { trace(A); exit(0); }\n' >"$work/incdir.d"
mkdir "$work/inc"
echo '#define A 7' >"$work/inc/own2.h"
run "$DTRACE" -Cqs "$work/incdir.d" -I "$work/inc"
want 0
same out '7\n'
run "$DTRACE" -CHqs "$work/incdir.d" -I "$work/inc"
want 0
has err "$work/inc/own2.h"
for mode in a c s t; do
  run "$DTRACE" -X $mode -Cqs "$work/words.d" -DA=1 -DB=2
  want 0
  same out '12\n'
done
run "$DTRACE" -X q -Cqs "$work/words.d"
want 1
same err 'dtrace: failed to set -X q: Invalid value for specified option\nhint: it is one of a, c, s, t\n'
# The program cannot ask for what has happened before it is read.
printf '#pragma D option setenv=A=1\nBEGIN { exit(0); }\n' >"$work/late.d"
run "$DTRACE" -s "$work/late.d"
want 1
has err "failed to set option 'setenv' to 'A=1': Option cannot be used from within a D program"
run "$DTRACE" -q -x setenv=WORD=given -x unsetenv=HOME -n BEGIN -c "sh -c 'echo \$WORD \$HOME.'"
has out 'given .'
done_testing
