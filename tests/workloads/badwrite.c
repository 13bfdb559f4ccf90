// badwrite: one write() of a known text to a descriptor that is not open. The
// text is copied first, so that its page is resident.
#include <string.h>
#include <unistd.h>

static char text[16];

int main(void) {
  strcpy(text, "the text");
  return write(4242, text, 9) == -1 ? 0 : 1;
}
