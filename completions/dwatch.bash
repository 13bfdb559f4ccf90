# Completion of dwatch for bash: profiles, system calls, names of probes, providers, users, groups, files.

_dwatch() {
  local current=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD - 1]}
  case $before in
    -*X) COMPREPLY=($(compgen -W "$(dwatch -Qq 2>/dev/null)" -- "$current")) ;;
    -*u) COMPREPLY=($(compgen -u -- "$current")) ;;
    -*g) COMPREPLY=($(compgen -g -- "$current")) ;;
    -*p) COMPREPLY=($(cd /proc && compgen -d -- "$current" | grep '^[0-9]*$')) ;;
    -*o) COMPREPLY=($(compgen -f -- "$current")) ;;
    -*[cO]) COMPREPLY=($(compgen -c -- "$current")) ;;
    --cgroup) COMPREPLY=($(compgen -W "$(cat /proc/[0-9]*/cgroup 2>/dev/null | sed -n 's,^0::.*/\([^/][^/]*\)$,\1,p' | sort -u)" -- "$current")) ;;
    --zone) COMPREPLY=($(compgen -W global -- "$current")) ;;
    -*[BEjkNrtTz]) ;;
    *)
      if [[ $current == -* ]]; then
        COMPREPLY=($(compgen -W "$(dwatch -h | grep -o '^  -[a-zA-Z1]' | tr -d ' ') --cgroup --zone -h -d -1" -- "$current"))
      elif [[ " ${COMP_WORDS[*]} " != *" -X "* ]]; then
        COMPREPLY=($(compgen -W "$(dwatch -l -f syscall::: 2>/dev/null; dwatch -l -n 2>/dev/null; dwatch -l -P 2>/dev/null)" -- "$current"))
      fi
      ;;
  esac
}
complete -F _dwatch dwatch
