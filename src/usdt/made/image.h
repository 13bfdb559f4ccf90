#pragma once
// The file of some probes that are made at run time: an ELF file as tracers
// read it, a page of code, and a page of sites (dtrace/probes.h). One page each, so
// that the site of a probe is one page behind its code.
//
//   ELF header | program headers | notes | frames | symbols | texts | section headers
//   page of code:  endbr64; nop; long nop; ret     16 bytes for each slot
//   page of sites: struct dtrace_site              16 bytes for each slot
//
// An address in it is where it is in the file. Slot 0 is not a probe's: its place in
// the page of sites is the head. Equal probes make equal files.

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

enum { kMadePage = 4096, kMadeSlot = 16, kMadeSlots = kMadePage / kMadeSlot };

// Slot 0 of the page of sites.
struct made_head {
  uint32_t is_loaded;
  uint32_t inside;  // how many threads are in the code
  uint64_t reserved;
};

// A probe as its notes have it.
struct made_probe {
  char* name;      // "request__start"
  char* function;  // of the symbol
  char* operands;  // "-4@%edi 8@%rsi", where the code finds its arguments
  char* types;     // NUL-terminated texts, one after the other, and an empty one
  size_t types_size;
  uint32_t number;  // of its names, to find it
  uint8_t arguments;
};

struct made_image {
  unsigned char* bytes;
  size_t size;  // the two pages are its end
};

// The probes of slots 1 to count; 0 or ENOMEM.
int made_image_build(const char* provider, const struct made_probe* probes, size_t count,
                     struct made_image* image);

#ifdef __cplusplus
}
#endif
