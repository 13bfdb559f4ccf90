// See types.h.

#include "usdt/made/types.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "dtrace/probes.h"

enum { kMaxTypeBytes = 128, kMaxOperandBytes = 16 };

// Where the code of a probe finds an argument: as every function of C.
static const char* const kRegisters[6][4] = {
    {"dil", "di", "edi", "rdi"}, {"sil", "si", "esi", "rsi"}, {"dl", "dx", "edx", "rdx"},
    {"cl", "cx", "ecx", "rcx"},  {"r8b", "r8w", "r8d", "r8"}, {"r9b", "r9w", "r9d", "r9"}};

// Bytes, negative with a sign.
struct named {
  const char* name;
  int size;
};
static const struct named kNamed[] = {
    {"int8_t", -1},   {"int16_t", -2},  {"int32_t", -4}, {"int64_t", -8}, {"uint8_t", 1},
    {"uint16_t", 2},  {"uint32_t", 4},  {"uint64_t", 8}, {"size_t", 8},   {"ssize_t", -8},
    {"intptr_t", -8}, {"uintptr_t", 8}, {"off_t", -8},   {"time_t", -8},  {"pid_t", -4},
    {"uid_t", 4},     {"gid_t", 4},     {"bool", 1},     {"_Bool", 1}};

static int is_of_word(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
}

// The next word of a type whose words one blank separates; its length, 0 at the end.
static size_t next_word(const char** text) {
  *text += **text == ' ';
  size_t size = 0;
  while (is_of_word((*text)[size])) size++;
  return size;
}

static int is_word(const char* text, size_t size, const char* word) {
  return strlen(word) == size && memcmp(text, word, size) == 0;
}

// What a number of C is made of, in any order of its words. 0 for what is none.
static int size_of_words(const char* text) {
  int longs = 0, shorts = 0, chars = 0, ints = 0, is_signed = 0, is_unsigned = 0, named = 0;
  for (size_t size; (size = next_word(&text)) != 0; text += size) {
    if (is_word(text, size, "const") || is_word(text, size, "volatile")) continue;
    int* const count = is_word(text, size, "long")       ? &longs
                       : is_word(text, size, "short")    ? &shorts
                       : is_word(text, size, "char")     ? &chars
                       : is_word(text, size, "int")      ? &ints
                       : is_word(text, size, "signed")   ? &is_signed
                       : is_word(text, size, "unsigned") ? &is_unsigned
                                                         : NULL;
    if (count != NULL) {
      ++*count;
      continue;
    }
    for (size_t i = 0; i < sizeof kNamed / sizeof *kNamed; i++) {
      if (is_word(text, size, kNamed[i].name) && named == 0) named = kNamed[i].size;
    }
    if (named == 0) return 0;
  }
  const int words = longs + shorts + chars + ints + is_signed + is_unsigned;
  if (named != 0) return words == 0 ? named : 0;
  const int is_twice = longs > 2 || shorts > 1 || chars > 1 || ints > 1 || is_signed > 1 ||
                       is_unsigned > 1 || is_signed + is_unsigned > 1;
  const int is_mixed = (longs != 0) + shorts + chars > 1 || (chars != 0 && ints != 0);
  if (words == 0 || is_twice || is_mixed) return 0;
  const int size = chars != 0 ? 1 : shorts != 0 ? 2 : longs != 0 ? 8 : 4;
  return is_unsigned ? size : -size;
}

// Takes the type up to the comma or the end, and writes it with one blank where any are. Its
// size, negative with a sign; 0 when it is none, or *error says why.
static int take_type(const char** list, char* out, int* error) {
  size_t size = 0;
  int is_apart = 0, is_pointer = 0;
  for (; **list != '\0' && **list != ','; ++*list) {
    const char c = **list;
    if (c == ' ' || c == '\t' || c == '\n') {
      is_apart = 1;
      continue;
    }
    // A name behind the star would be the argument's.
    if (c == '*' ? size == 0 : (!is_of_word(c) || is_pointer)) return 0;
    if (size + 3 > kMaxTypeBytes) *error = ENAMETOOLONG;
    if (*error != 0) return 0;
    if (size != 0 && !is_pointer && (is_apart || c == '*')) out[size++] = ' ';
    out[size++] = c;
    is_apart = 0;
    is_pointer = c == '*';
  }
  out[size] = '\0';
  return is_pointer ? 8 : size_of_words(out);
}

static void operand(char* out, size_t number, int size) {
  const int width = size < 0 ? -size : size;
  const char* const separator = number == 0 ? "" : " ";
  if (number < 6) {
    const int column = width == 1 ? 0 : width == 2 ? 1 : width == 4 ? 2 : 3;
    snprintf(out, kMaxOperandBytes, "%s%d@%%%s", separator, size, kRegisters[number][column]);
  } else {
    snprintf(out, kMaxOperandBytes, "%s%d@%d(%%rsp)", separator, size, 8 * (int)(number - 5));
  }
}

int made_types(const char* list, struct made_probe* probe) {
  char types[DTRACE_PROVIDER_MAX_ARGUMENTS * kMaxTypeBytes + 1];
  char operands[DTRACE_PROVIDER_MAX_ARGUMENTS * kMaxOperandBytes + 1] = "";
  size_t types_size = 0, count = 0;
  const char* rest = list == NULL ? "" : list;
  rest += strspn(rest, " \t\n");
  if (strcmp(rest, "void") == 0) rest = "";
  for (int is_more = *rest != '\0'; is_more; count++) {
    if (count == DTRACE_PROVIDER_MAX_ARGUMENTS) return E2BIG;
    int error = 0;
    const int size = take_type(&rest, types + types_size, &error);
    if (size == 0) return error != 0 ? error : EINVAL;
    types_size += strlen(types + types_size) + 1;
    operand(operands + strlen(operands), count, size);
    is_more = *rest == ',';
    rest += is_more;
  }
  types[types_size++] = '\0';
  probe->operands = strdup(operands);
  probe->types = malloc(types_size);
  probe->types_size = types_size;
  probe->arguments = (uint8_t)count;
  if (probe->operands == NULL || probe->types == NULL) return ENOMEM;
  memcpy(probe->types, types, types_size);
  return 0;
}
