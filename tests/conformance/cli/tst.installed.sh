# @@host
# What is installed beside the command: documents, tools, completions.
. "$TESTS/lib.sh"
# A command of another package stays, a link too; one that was installed before is made again.
mkdir -p "$work/root/usr/local/sbin" || exit 1
ln -s /usr/share/other/killsnoop "$work/root/usr/local/sbin/killsnoop"
ln -s ../share/dtrace/tools/opensnoop.d "$work/root/usr/local/sbin/opensnoop"
for part in src/cli completions; do
  DESTDIR="$work/root" run cmake -DCMAKE_INSTALL_PREFIX=/usr/local -P "$BUILD/$part/cmake_install.cmake"
  want 0
done
cd "$work/root/usr/local" || exit 1
for file in share/bash-completion/completions/dtrace share/zsh/site-functions/_dtrace share/fish/vendor_completions.d/dtrace.fish \
  share/man/man1/dtrace.1 share/man/man7/error::pass2.7stap share/man/man7/dtrace-d.7 share/man/man7/dtrace-providers.7 share/dtrace/tools/opensnoop.d sbin/opensnoop lib/dtrace/io.d; do
  [ -s "$file" ] || fail "$file is not installed"
done
[ "$(readlink sbin/killsnoop)" = /usr/share/other/killsnoop ] || fail "another's link was replaced"
# The manual names documents, which are there, and so is every document.
for name in $(sed -n '/SEE ALSO/,$p' share/man/man1/dtrace.1 | tr -d '\\' | grep -o '[a-z-]*\.md'); do
  [ -s "share/doc/dtrace/$name" ] || fail "the manual names $name"
done
for page in "$TESTS"/../docs/*.md; do
  [ -s "share/doc/dtrace/${page##*/}" ] || fail "${page##*/} is not installed"
done
# A shell reads the file.
run bash -c ". share/bash-completion/completions/dtrace && complete -p dtrace"
want 0
has out 'complete -F _dtrace dtrace'
done_testing
