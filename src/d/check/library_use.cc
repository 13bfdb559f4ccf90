#include "d/check/library_use.h"

#include "d/meaning/function_table.h"

namespace dt::d {

namespace {

// Asks the libraries for a type that no other source has.
class LibraryTypes final : public types::Source {
 public:
  explicit LibraryTypes(std::shared_ptr<LibraryUse*> libraries)
      : libraries_(std::move(libraries)) {}

  std::string_view module() const override { return "D"; }
  std::optional<types::TypeId> find(types::Catalog& catalog, types::Tag tag,
                                    std::string_view name) override {
    if (*libraries_ == nullptr || find_builtin(name) || find_function(name) != nullptr ||
        !(*libraries_)->load(name)) {
      return std::nullopt;
    }
    return catalog.find(tag, name, "D");
  }
  void complete(types::Catalog&, types::TypeId) override {}

 private:
  std::shared_ptr<LibraryUse*> libraries_;  // null when the program has been compiled
};

}  // namespace

LibraryUse::LibraryUse(Sources& sources, World& world, Arena& arena, Libraries::Declare declare)
    : libraries_(sources, world, arena), declare_(std::move(declare)) {
  if (world.libraries) {
    self_ = std::make_shared<LibraryUse*>(this);
    world.types.add_source(std::make_unique<LibraryTypes>(self_));
  }
}

LibraryUse::~LibraryUse() {
  if (self_) {
    *self_ = nullptr;
  }
}

bool LibraryUse::load(std::string_view name) {
  return !name.empty() && libraries_.load(name, declare_);
}

}  // namespace dt::d
