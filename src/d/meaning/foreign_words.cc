// See foreign_words.h.

#include "d/meaning/foreign_words.h"

namespace dt::d {

std::string_view foreign_word(std::string_view word) {
  struct Entry {
    std::string_view word, hint;
  };
  constexpr Entry kWords[] = {
#define DT_FOREIGN(word, hint) {word, hint},
#include "d/meaning/foreign_words.def"
#undef DT_FOREIGN
  };
  for (const Entry& entry : kWords) {
    if (entry.word == word) return entry.hint;
  }
  return {};
}

}  // namespace dt::d
