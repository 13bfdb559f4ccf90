. "$TESTS/lib.sh"
# NULL is a fault where its characters are needed.
for text in 'strlen(NULL)' 'strlen(strstr(execname, "@"))' 'strtok(strchr(execname, 64), "a")' \
    'strjoin(strrchr(execname, 64), "a")' 'trace(strstr(execname, "@"))' 'printf("%s", json("{}", "a"))' \
    'toupper(strtok(strjoin("", ","), ","))' 'trace(stringof(strstr(execname, "@")))' 'index(NULL, "a")'; do
    case $text in
    trace* | printf*) ;;
    *) text="trace($text)" ;;
    esac
    run "$DTRACE" -qn "BEGIN { $text; } BEGIN { exit(0); }"
    want 0
    same out '\n'
    has err 'invalid address (0x0) in action #1'
done
# It may be stored and compared.
run "$DTRACE" -qn 'BEGIN { s = strstr(execname, "@"); printf("[%s] %d %d\n", s, s == NULL, strstr(execname, "@") == "");
    t = pid ? strchr(execname, 64) : "a"; printf("[%s]\n", t); exit(0); }'
want 0
same out '[] 1 1\n[]\n\n'
same err ''
done_testing
