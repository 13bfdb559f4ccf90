#pragma D option quiet

tick-1000us, tick-1ms, tick-1000hz, tick-1000000ns { @[probename] = count(); n++; }
tick-10ms /n >= 20/ { exit(0); }
