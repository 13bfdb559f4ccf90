struct o { int a; };
struct i { int a; };
translator struct o <struct i *p> { a = p->a; }
BEGIN { exit(0); }
