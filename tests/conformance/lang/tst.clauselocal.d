#pragma D option quiet

/* this-> keeps its value between the clauses of one firing. */
BEGIN { this->n = 41; this->s = "kept"; }
BEGIN { this->n++; }
BEGIN { printf("%d %s\n", this->n, this->s); exit(0); }
