// servers: fires the probes of a virtual machine of Java and of a server of MySQL, each time it reads a byte: a collection
// of a pool of memory that takes 20 ms, a query that takes 30 ms, and one that takes no time.
#include <unistd.h>

#include "note.h"

void gc_begin(const char* manager, long manager_size, const char* pool, long pool_size);
void gc_end(const char* manager, long manager_size, const char* pool, long pool_size);
void query_start(const char* query, long connection, const char* database, const char* user, const char* host);
void query_done(long status);

__asm__(NOTE_BASE
        ".text\n"
        "gc_begin:\n" NOTE("hotspot", "mem__pool__gc__begin", "0", "8@%rdi 8@%rsi 8@%rdx 8@%rcx")
        "  ret\n"
        "gc_end:\n" NOTE("hotspot", "mem__pool__gc__end", "0", "8@%rdi 8@%rsi 8@%rdx 8@%rcx")
        "  ret\n"
        "query_start:\n" NOTE("mysql", "query__start", "0", "8@%rdi 8@%rsi 8@%rdx 8@%rcx 8@%r8")
        "  ret\n"
        "query_done:\n" NOTE("mysql", "query__done", "0", "-8@%rdi")
        "  ret\n");

int main(void) {
  // Texts of the virtual machine have a length and no NUL.
  static char pool[] = "Old Gen|and more", manager[] = "MarkSweep", query[] = "select sleep(0.03)\n", fast[] = "select 1",
              database[] = "shop", user[] = "root", host[] = "localhost";
  char byte;
  pool[0] = 'O', manager[0] = 'M', query[0] = fast[0] = database[0] = 's', user[0] = 'r', host[0] = 'l';  // now in memory
  while (read(0, &byte, 1) == 1) {
    gc_begin(manager, 9, pool, 7);
    usleep(20000);
    gc_end(manager, 9, pool, 7);
    query_start(fast, 1, database, user, host);
    query_done(0);
    query_start(query, 1, database, user, host);
    usleep(30000);
    query_done(0);
  }
  return 0;
}
