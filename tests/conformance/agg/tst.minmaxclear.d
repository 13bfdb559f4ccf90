#pragma D option quiet
#pragma D option destructive

int done;
BEGIN { @lo["k"] = min(5); @hi["k"] = max(5); }
tick-10ms /!done/ { printa("%s %@d\n", @lo); printa("%s %@d\n", @hi); clear(@lo); clear(@hi); system(":"); done = 1; }
/* The shell ends when both are cleared, however late that is. */
syscall::exit_group:entry /ppid == $pid && done == 1/ { @lo["k"] = min(9); @hi["k"] = max(-9); done = 2; }
tick-10ms /done == 2/ { printa("%s %@d\n", @lo); printa("%s %@d\n", @hi); exit(0); }
