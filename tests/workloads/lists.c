// Makes a list of as many nodes as its argument says, and gives it to a function.
#include <stdio.h>
#include <stdlib.h>

struct node {
  struct node* next;
  int value;
  char name[12];
};

__attribute__((noinline)) int length(const struct node* first) {
  int count = 0;
  for (; first != NULL; first = first->next) ++count;
  return count;
}

int main(int argc, char** argv) {
  struct node* first = NULL;
  const int nodes = argc > 1 ? atoi(argv[1]) : 3;
  for (int i = nodes; i > 0; --i) {
    struct node* const made = malloc(sizeof *made);
    made->next = first;
    made->value = i;
    snprintf(made->name, sizeof made->name, "n%d", i);
    first = made;
  }
  return length(first) == nodes ? 0 : 1;
}
