/* print() of structures in structures, arrays, unions, bit-fields and enumerations.
 * @@host
 */
#pragma D option quiet
struct in { int a; char b; }; struct out { struct in i[2]; union { int u; char c[4]; } un; int bf:3; unsigned bg:9; char name[6]; int *p; struct in *ip; float f; enum { ONE = 1, TWO } e; void (*fn)(int); uint8_t raw[3]; };
struct out o;
BEGIN { o.i[0].a = 1; o.i[1].b = 'z'; o.un.u = 0x41424344; o.bf = -1; o.bg = 300; o.name = "hey"; o.e = TWO; o.raw[1] = 255; print(o); printf("\n"); print(o.i); print(o.name); print(o.un); print(o.raw); print(o.i[1]); print(o.e); exit(0); }
