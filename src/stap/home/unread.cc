// See unread.h.

#include "stap/home/unread.h"

#include <algorithm>

namespace dt::stap {

bool is_unread(const Symbol& symbol) {
  return symbol.is_written && !symbol.is_read && !symbol.is_library;
}

void each_unread(const Script& script, const std::function<Global&(const Symbol&)>& global_of,
                 const VisitUnread& visit) {
  for (const auto& symbol : script.globals) {
    if (!is_unread(*symbol)) continue;
    Global& variable = global_of(*symbol);
    if (symbol->keys.empty()) {
      visit(*symbol, {}, variable.value, variable.statistics);
      continue;
    }
    std::vector<const Element*> all;
    for (const Element& one : variable.array.elements()) all.push_back(&one);
    const Type type = symbol->type;
    std::stable_sort(all.begin(), all.end(), [&](const Element* a, const Element* b) {
      if (type == Type::kStats) return a->statistics.count > b->statistics.count;
      return type == Type::kString ? a->value.text > b->value.text
                                   : a->value.number > b->value.number;
    });
    for (const Element* const one : all) visit(*symbol, one->keys, one->value, one->statistics);
  }
}

}  // namespace dt::stap
