struct s { int b:0; };
BEGIN { exit(0); }
