#pragma D option quiet

/* Each way to write a millisecond is a probe that fires: tracing ends when all have. */
tick-1000us /!us++/ { n++; }
tick-1ms /!ms++/ { n++; }
tick-1000hz /!hz++/ { n++; }
tick-1000000ns /!ns++/ { n++; }
tick-10ms /n == 4/ { printf("%d %d %d %d", us > 0, ms > 0, hz > 0, ns > 0); exit(0); }
