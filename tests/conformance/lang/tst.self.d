#pragma D option quiet

BEGIN { self->x = 5; self->name = "me"; self->a["k"] = 9; }
BEGIN { printf("%d %s %d %d\n", self->x, self->name, self->a["k"], self->a["other"]); self->x = 0; }
BEGIN { printf("%d\n", self->x); exit(0); }
