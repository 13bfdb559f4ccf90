// Writes a structure with one member of each kind to a descriptor that is not
// open, so that a tracer can read it by its type.
#include <stdio.h>
#include <string.h>
#include <unistd.h>
#include <sys/syscall.h>
enum color { RED = -1, BLUE = 7 };
struct node { int value; const char *name; struct node *next; };
struct opaque;
typedef struct node node_t;
struct outer {
  char tag[8];
  unsigned a : 3, b : 5; signed c : 4;
  union { long whole; struct { int low, high; }; };
  enum color color;
  node_t *list;
  const char **names;
  int (*call)(int, ...);
  int grid[2][3];
  struct opaque *far;
  _Bool yes;
  double real;
  char tail[];
};
static const char *names[] = {"one", "two", 0};
int f(int x, ...) { return x; }
int main(void) {
  struct node second = {2, "second", 0}, first = {1, "first", &second};
  static struct outer o = {"tag", 5, 17, -3, {.low = 10, .high = 20}, BLUE, 0, names, f, {{1, 2, 3}, {4, 5, 6}}, 0, 1, 2.5};
  o.list = &first;
  int touched = 0;
  for (struct node *n = o.list; n; n = n->next) touched += strlen(n->name);
  for (const char **n = o.names; *n; ++n) touched += strlen(*n);
  syscall(SYS_write, 99, &o, sizeof o);
  return touched == 0;
}
