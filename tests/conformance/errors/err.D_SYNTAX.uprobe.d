/* @@stderr: hint: functions of a program are pid\$target:bash:readline:entry, under -p or -c */
uprobe:/bin/bash:readline { exit(0); }
