// The checker's side of D libraries: what is declared when a file is loaded,
// and when a file is loaded at all.

#include "d/check/checker.h"

namespace dt::d {

using types::TypeId;

// Loading happens in the middle of whatever was being checked.
Checker::Elsewhere::Elsewhere(Checker& checker)
    : checker_(checker),
      bindings_(checker.bindings_),
      clause_(checker.clause_),
      in_library_(checker.in_library_) {
  checker.bindings_ = nullptr;
  checker.clause_ = nullptr;
}

Checker::Elsewhere::~Elsewhere() {
  checker_.bindings_ = bindings_;
  checker_.clause_ = clause_;
  checker_.in_library_ = in_library_;
}

bool Checker::load_library(std::string_view name) {
  return !name.empty() && libraries_.load(name, [this](Unit& unit) { return library_unit(unit); });
}

// Types are declared at once. Inlines and translators wait for their first
// use: what this kernel does not have is an error only there.
std::vector<Diagnostic> Checker::library_unit(Unit& unit) {
  const Elsewhere elsewhere(*this);
  const types::ScriptNames hidden(world_.types, true);
  in_library_ = true;
  const std::size_t since = diagnostics_.total();
  const std::size_t translators = translators_.size();
  std::vector<std::string> names;
  for (const Item& item : unit.items) {
    switch (item.kind) {
      case Item::Kind::kDeclaration:
        declaration(unit.declarations[item.index]);
        break;
      case Item::Kind::kInline: {
        const Inline& one = unit.inlines[item.index];
        InlineInfo info;
        info.definition = &one;
        info.is_library = true;
        // What the script has under this name stays.
        if (!find_variable(one.declarator.name, ir::Scope::kGlobal) &&
            inlines_.emplace(one.declarator.name, std::move(info)).second) {
          names.push_back(one.declarator.name);
        }
        break;
      }
      case Item::Kind::kTranslator:
        translator(unit.translators[item.index]);
        break;
      case Item::Kind::kPragma:
        placed_pragma(unit.pragmas[item.index]);
        break;
      case Item::Kind::kProvider:
        provider_declaration(unit.providers[item.index]);
        break;
      case Item::Kind::kClause:
        break;  // there is none
    }
  }
  std::vector<Diagnostic> errors = diagnostics_.take_since(since);
  if (!errors.empty()) {
    translators_.resize(translators);
    for (const std::string& name : names) {
      inlines_.erase(name);
    }
  }
  return errors;
}

// An inline of the program, or of a library that has not been loaded yet.
InlineInfo* Checker::find_inline(const std::string& name) {
  for (bool loaded = false;; loaded = true) {
    const auto found = inlines_.find(name);
    if (found != inlines_.end() && visible(name)) {
      return &found->second;
    }
    if (loaded || found != inlines_.end() || !load_library(name)) {
      return nullptr;
    }
  }
}

namespace {

// Asks the checker for a type that no other source has.
class LibraryTypes final : public types::Source {
 public:
  explicit LibraryTypes(std::shared_ptr<Checker*> checker) : checker_(std::move(checker)) {}

  std::string_view module() const override { return "D"; }
  std::optional<TypeId> find(types::Catalog& catalog, types::Tag tag,
                             std::string_view name) override {
    if (*checker_ == nullptr || find_builtin(name) || find_function(name) != nullptr ||
        !(*checker_)->load_library(name)) {
      return std::nullopt;
    }
    return catalog.find(tag, name, "D");
  }
  void complete(types::Catalog&, TypeId) override {}

 private:
  std::shared_ptr<Checker*> checker_;  // null when the program has been compiled
};

}  // namespace

void Checker::offer_library_types() {
  if (world_.libraries) {
    self_ = std::make_shared<Checker*>(this);
    world_.types.add_source(std::make_unique<LibraryTypes>(self_));
  }
}

Checker::~Checker() {
  if (self_) {
    *self_ = nullptr;
  }
}

}  // namespace dt::d
