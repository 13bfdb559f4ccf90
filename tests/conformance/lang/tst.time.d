#pragma D option quiet

/* One timestamp a firing; vtimestamp runs only while the thread does. */
BEGIN { this->a = timestamp; }
BEGIN { printf("%d\n", this->a == timestamp); self->v = vtimestamp; self->t = timestamp; }
tick-50ms { printf("%d %d\n", walltimestamp > 1600000000000000000, timestamp > 0); exit(0); }
