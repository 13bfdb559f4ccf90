BEGIN { exit(trace(self->x)); }
