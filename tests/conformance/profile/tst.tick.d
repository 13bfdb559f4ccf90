#pragma D option quiet

/* tick fires on one CPU, once an interval, on an idle machine too. */
tick-20ms { i++; }
tick-20ms /i == 5/ { printf("%d\n", i); exit(0); }
tick-10s { exit(1); }
