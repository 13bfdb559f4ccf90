struct s { int a; };
BEGIN { x = offsetof(struct s, b); }
