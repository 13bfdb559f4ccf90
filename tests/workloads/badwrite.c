// badwrite: one write() of a known text to a descriptor that is not open.
#include <unistd.h>

int main(void) {
  return write(4242, "the text", 9) == -1 ? 0 : 1;
}
