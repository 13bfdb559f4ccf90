# @@host
# -x version hides what came later; options that mean nothing here say so.
. "$TESTS/lib.sh"

run "$DTRACE" -x version=1.1 -en 'BEGIN { trace(ucaller); }'
want 1
has err 'failed to resolve ucaller: Unknown variable name'
has err 'hint: it came with version 1.2 of D'
run "$DTRACE" -x version=1.2 -en 'BEGIN { trace(ucaller); }'
want 0
run "$DTRACE" -x version=1.0 -en 'BEGIN { trace(fds[0].fi_oflags); }'
want 1
has err 'failed to resolve fds: Unknown variable name'
has err 'hint: it came with version 1.1 of D'
run "$DTRACE" -x version=1.1 -en 'BEGIN { trace(fds[0].fi_oflags); }'
want 0
run "$DTRACE" -x version=7.0 -en BEGIN
want 1
has err 'failed to set -x version: version 7.0 of D is not known'
has err 'hint: versions 1.0 to 1.14 are'
run "$DTRACE" -x version=one -en BEGIN
want 1
has err 'failed to set -x version: Invalid value for specified option'
run "$DTRACE" -x linktype=dof -en BEGIN
want 0
for word in linktype=foo linkmode=never late=soon lazyload=maybe; do
    run "$DTRACE" -x $word -en BEGIN
    want 1
    has err "failed to set -x ${word%%=*}: Invalid value for specified option"
done
run "$DTRACE" -x linktype=foo -h -s /dev/null
want 1
has err 'failed to set -x linktype: Invalid value for specified option'
has err 'hint: it is one of elf, dof'
run "$DTRACE" -x evaltime=postinit -X c -x pspec -x knodefs -en BEGIN
want 0
run "$DTRACE" -X q -en BEGIN
want 1
has err 'failed to set -X q: Invalid value for specified option'
done_testing
