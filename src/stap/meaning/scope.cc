// See scope.h.

#include "stap/meaning/scope.h"

#include <fmt/core.h>

#include <algorithm>

#include "stap/syntax/foreign_words.h"

namespace dt::stap {

void Scope::declare() {
  declare_globals();
  declare_functions();
}

void Scope::declare_globals() {
  auto& all = program_.script.globals;
  for (std::size_t i = 0; i < all.size(); ++i) {
    all[i]->slot = i;
    for (std::size_t j = 0; j < i; ++j) {
      const bool is_apart = all[i]->is_private != all[j]->is_private ||
                            (all[i]->is_private && all[i]->span.source != all[j]->span.source);
      if (all[j]->name == all[i]->name && !is_apart) {
        error_(fmt::format("conflicting global variables: '{}'", all[i]->name), all[i]->span, {});
      }
    }
    if (all[i]->initial != nullptr) {
      all[i]->type = all[i]->initial->kind == ExprKind::kNumber ? Type::kLong : Type::kString;
      all[i]->has_arity = true;
    }
  }
}

// Functions of one name and arity are tried in the order of their priorities, and those of one
// priority in that of the script: `next` goes on.
void Scope::declare_functions() {
  auto& all = program_.script.functions;
  std::stable_sort(all.begin(), all.end(),
                   [](const auto& a, const auto& b) { return a->priority < b->priority; });
  for (auto one = all.begin(); one != all.end(); ++one) {
    const auto following = std::find_if(one + 1, all.end(), [&](const auto& other) {
      const bool is_apart = (*one)->is_private != other->is_private ||
                            (other->is_private && other->span.source != (*one)->span.source);
      return other->name == (*one)->name && !is_apart &&
             other->parameters.size() == (*one)->parameters.size();
    });
    if (following != all.end()) (*one)->following = following->get();
  }
}

// A private function is visible in its file only, where it hides others of its name.
Function* Scope::function(const std::string& name, std::size_t arity, std::uint32_t source) const {
  Function* open = nullptr;
  for (const auto& one : program_.script.functions) {
    if (one->name != name || one->parameters.size() != arity) continue;
    if (one->is_private && one->span.source == source) return one.get();
    if (!one->is_private && open == nullptr) open = one.get();
  }
  return open;
}

Symbol& Scope::make_local(const std::string& name, Span span) {
  locals_->push_back(std::make_unique<Symbol>());
  Symbol& symbol = *locals_->back();
  symbol.name = name;
  symbol.span = span;
  symbol.slot = locals_->size() - 1;
  return symbol;
}

Symbol* Scope::lookup(const std::string& name, std::uint32_t source) const {
  for (const auto& local : *locals_) {
    if (local->name == name) return local.get();
  }
  Symbol* open = nullptr;
  for (const auto& global : program_.script.globals) {
    if (global->name != name) continue;
    if (global->is_private && global->span.source == source) return global.get();
    if (!global->is_private && open == nullptr) open = global.get();
  }
  return open;
}

Symbol* Scope::variable(const std::string& name, Span span, Use use) {
  Symbol* symbol = lookup(name, span.source);
  if (symbol == nullptr) symbol = &make_local(name, span);
  symbol->is_read = symbol->is_read || use != Use::kWrite;
  symbol->is_written = symbol->is_written || use != Use::kRead;
  return symbol;
}

void Scope::contrary_arity(const Symbol& symbol, std::size_t arity, Span span) const {
  // A size makes an array of it, before an index says of how many keys.
  const std::size_t known = symbol.has_arity ? symbol.keys.size() : 1;
  error_(fmt::format("inconsistent arity ({} vs {})", known, arity), span, {});
  error_(fmt::format("arity {} first inferred here", known),
         symbol.arity_place.end > 0 ? symbol.arity_place : symbol.span, {});
}

Symbol* Scope::array(const std::string& name, Span span, std::size_t arity, Use use) {
  Symbol* symbol = lookup(name, span.source);
  if (symbol == nullptr || !symbol->is_global) {
    error_(fmt::format("unresolved arity-{} global array {}, missing global declaration?", arity,
                       name),
           span, symbol == nullptr ? hint_of_word(name, false) : "");
    return nullptr;
  }
  if (!symbol->has_arity) {
    symbol->keys.assign(arity, Type::kUnknown);
    symbol->has_arity = symbol->is_array = true;
    symbol->arity_place = span;
  }
  if (symbol->keys.size() != arity) {
    contrary_arity(*symbol, arity, span);
    return nullptr;
  }
  symbol->is_read = symbol->is_read || use != Use::kWrite;
  symbol->is_written = symbol->is_written || use != Use::kRead;
  return symbol;
}

}  // namespace dt::stap
