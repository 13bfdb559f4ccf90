# Completion of dwatch for fish: profiles, names of probes, providers, users, groups, files.

complete -c dwatch -f
complete -c dwatch -s X -x -d profile -a '(dwatch -Q 2>/dev/null | string replace -r "^(\\S+) +" "\$1\t")'
complete -c dwatch -s u -x -d user -a '(__fish_complete_users)'
complete -c dwatch -s g -x -d group -a '(__fish_complete_groups)'
complete -c dwatch -s p -x -d process -a '(__fish_complete_pids)'
complete -c dwatch -s o -r -F -d file
complete -c dwatch -s c -x -d 'command to run' -a '(__fish_complete_command)'
complete -c dwatch -s O -x -d command -a '(__fish_complete_command)'
complete -c dwatch -l cgroup -x -d 'control group' -a "(cat /proc/[0-9]*/cgroup 2>/dev/null | sed -n 's,^0::.*/\([^/][^/]*\)\$,\1,p' | sort -u)"
complete -c dwatch -l zone -x -d zone -a global
for letter in B E j k K N r t T z
    complete -c dwatch -s $letter -x
end
for letter in 1 d e f F h l m n P q Q R v V w x y
    complete -c dwatch -s $letter
end
complete -c dwatch -n 'not __fish_contains_opt -s X' -a '(dwatch -l -f syscall::: 2>/dev/null; dwatch -l -P 2>/dev/null; dwatch -l -n 2>/dev/null)'
