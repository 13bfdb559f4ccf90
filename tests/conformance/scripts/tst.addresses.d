/* Arrays, matrices, characters and addresses of parts of variables.
 * @@host
 */
#pragma D option quiet
inline int A = 3; inline string S = "x"; typedef int (*cb)(void); typedef struct { int v; } anon_t; typedef unsigned char byte; enum e { X = -1, Y, Z = 1 << 4 };
int arr[5]; byte bytes[4]; string strs[string]; anon_t an; char *cp; int m[2][3];
BEGIN {
 arr[0] = 1; arr[4] = A; bytes[1] = 0xff; bytes[2] = bytes[1] + 1; strs["k"] = "v"; an.v = 6;
 m[1][2] = 12; m[0][1] = 1;
 printf("%d %d %d %d %s %d %d %d\n", arr[0], arr[4], bytes[1], bytes[2], strs["k"], an.v, m[1][2], m[0][1]);
 printf("%d %d %d %d %d\n", X, Y, Z, sizeof(arr), sizeof(m));
 printf("%d %d %d %d\n", sizeof(cb), sizeof(anon_t), sizeof(byte), sizeof(strs["k"]));
 cp = "pointer"; printf("%s %c %c\n", stringof(cp), cp[1], *cp);
 this->p = &arr[1]; *this->p = 77; printf("%d %d\n", arr[1], this->p - &arr[0]);
 this->q = (int *)alloca(4 * sizeof(int)); this->q[3] = 9; *(this->q + 1) = 8; printf("%d %d %d\n", this->q[3], this->q[1], this->q[0]);
 printf("%d\n", *(this->q + 3) == this->q[3] && &this->q[3] - this->q == 3);
 printf("%d %d\n", (int)(X == -1), X < Y);
 this->s = "abc"; this->s = strjoin(this->s, S); printf("%s %d\n", this->s, strlen(this->s));

 exit(0); }
