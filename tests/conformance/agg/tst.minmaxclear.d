#pragma D option quiet

int done;
BEGIN { @lo["k"] = min(5); @hi["k"] = max(5); }
tick-10ms /!done/ { printa("%s %@d\n", @lo); printa("%s %@d\n", @hi); clear(@lo); clear(@hi); done = 1; }
tick-50ms /done == 1/ { @lo["k"] = min(9); @hi["k"] = max(-9); done = 2; }
tick-200ms /done == 2/ { printa("%s %@d\n", @lo); printa("%s %@d\n", @hi); exit(0); }
