int x;
typedef int x;
BEGIN { exit(0); }
