// See foreign_words.h.

#include "d/meaning/foreign_words.h"

#include <span>

namespace dt::d {
namespace {

struct Entry {
  std::string_view word, hint;
};

constexpr Entry kWords[] = {
#define DT_FOREIGN(word, hint) {word, hint},
#define DT_FOREIGN_SYMBOL(word, hint)
#define DT_FOREIGN_MEMBER(word, hint)
#include "d/meaning/foreign_words.def"
#undef DT_FOREIGN
#undef DT_FOREIGN_SYMBOL
#undef DT_FOREIGN_MEMBER
};

constexpr Entry kSymbols[] = {
#define DT_FOREIGN(word, hint)
#define DT_FOREIGN_SYMBOL(word, hint) {word, hint},
#define DT_FOREIGN_MEMBER(word, hint)
#include "d/meaning/foreign_words.def"
#undef DT_FOREIGN
#undef DT_FOREIGN_SYMBOL
#undef DT_FOREIGN_MEMBER
};

constexpr Entry kMembers[] = {
#define DT_FOREIGN(word, hint)
#define DT_FOREIGN_SYMBOL(word, hint)
#define DT_FOREIGN_MEMBER(word, hint) {word, hint},
#include "d/meaning/foreign_words.def"
#undef DT_FOREIGN
#undef DT_FOREIGN_SYMBOL
#undef DT_FOREIGN_MEMBER
};

std::string_view hint_of(std::string_view word, std::span<const Entry> all) {
  for (const Entry& entry : all) {
    if (entry.word == word) return entry.hint;
  }
  return {};
}

}  // namespace

std::string_view foreign_word(std::string_view word) { return hint_of(word, kWords); }
std::string_view foreign_symbol(std::string_view name) { return hint_of(name, kSymbols); }
std::string_view foreign_member(std::string_view name) { return hint_of(name, kMembers); }

}  // namespace dt::d
