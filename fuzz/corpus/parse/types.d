typedef struct foo { int a:3; const char *b[4]; struct { int z; }; int (*f)(int, ...); } foo_t;
enum e { A, B = 2, };
foo_t *fp; uint64_t*q; self int y; this string s; string a[int, string];
inline string tn[int32_t s] = s == 0 ? "zero" : "other";
