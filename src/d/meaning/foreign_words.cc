// See foreign_words.h.

#include "d/meaning/foreign_words.h"

#include <algorithm>
#include <iterator>
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
#define DT_LIBRARY_SYMBOL(word)
#include "d/meaning/foreign_words.def"
#undef DT_FOREIGN
#undef DT_FOREIGN_SYMBOL
#undef DT_FOREIGN_MEMBER
#undef DT_LIBRARY_SYMBOL
};

constexpr Entry kSymbols[] = {
#define DT_FOREIGN(word, hint)
#define DT_FOREIGN_SYMBOL(word, hint) {word, hint},
#define DT_FOREIGN_MEMBER(word, hint)
#define DT_LIBRARY_SYMBOL(word)
#include "d/meaning/foreign_words.def"
#undef DT_FOREIGN
#undef DT_FOREIGN_SYMBOL
#undef DT_FOREIGN_MEMBER
#undef DT_LIBRARY_SYMBOL
};

constexpr Entry kMembers[] = {
#define DT_FOREIGN(word, hint)
#define DT_FOREIGN_SYMBOL(word, hint)
#define DT_FOREIGN_MEMBER(word, hint) {word, hint},
#define DT_LIBRARY_SYMBOL(word)
#include "d/meaning/foreign_words.def"
#undef DT_FOREIGN
#undef DT_FOREIGN_SYMBOL
#undef DT_FOREIGN_MEMBER
#undef DT_LIBRARY_SYMBOL
};

constexpr std::string_view kOfLibrary[] = {
#define DT_FOREIGN(word, hint)
#define DT_FOREIGN_SYMBOL(word, hint)
#define DT_FOREIGN_MEMBER(word, hint)
#define DT_LIBRARY_SYMBOL(word) word,
#include "d/meaning/foreign_words.def"
#undef DT_FOREIGN
#undef DT_FOREIGN_SYMBOL
#undef DT_FOREIGN_MEMBER
#undef DT_LIBRARY_SYMBOL
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
bool is_symbol_of_library(std::string_view name) {
  return std::find(std::begin(kOfLibrary), std::end(kOfLibrary), name) != std::end(kOfLibrary);
}
std::string_view foreign_member(std::string_view name) { return hint_of(name, kMembers); }

}  // namespace dt::d
