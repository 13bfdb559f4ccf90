struct s { void b; };
BEGIN { exit(0); }
