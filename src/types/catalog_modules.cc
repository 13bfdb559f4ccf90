// The sources of a catalogue by module, and the libraries that open them.

#include <algorithm>

#include "types/catalog_state.h"

namespace dt::types {

void Catalog::add_library(std::unique_ptr<Library> library) {
  state_->libraries.push_back(std::move(library));
  for (auto& found : state_->found) found.clear();
}

Source* Catalog::State::source_of(std::string_view module) {
  for (const auto& source : sources) {
    if (source->module() == module) return source.get();
  }
  if (const auto known = modules.find(module); known != modules.end()) return known->second.get();
  std::unique_ptr<Source> opened;
  for (const auto& library : libraries) {
    opened = library->open(module);
    if (opened != nullptr) break;
  }
  return modules.emplace(module, std::move(opened)).first->second.get();
}

std::vector<Catalog::Place> Catalog::find_in_modules(Tag tag, std::string_view name) const {
  std::vector<Place> places;
  for (const auto& library : state_->libraries) {
    if (!library->is_kernel()) continue;
    for (std::string& module : library->modules()) {
      if (const auto type = find(tag, name, module)) places.push_back({std::move(module), *type});
    }
  }
  return places;
}

std::optional<Object> Catalog::find_object(std::string_view name, std::string_view module) const {
  Source* const source = state_->source_of(module);
  if (source == nullptr || name.empty()) return std::nullopt;
  return source->find_object(state_->self, name);
}

std::optional<TypeId> Catalog::of_entry(std::uint64_t entry, bool in_shared,
                                        std::string_view module) const {
  Source* const source = state_->source_of(module);
  if (source == nullptr) return std::nullopt;
  return source->of_entry(state_->self, entry, in_shared);
}

std::vector<EnumeratorPlace> Catalog::find_enumerators(std::string_view name,
                                                       std::string_view module) const {
  Source* const source = state_->source_of(module);
  if (source == nullptr || name.empty()) return {};
  return source->find_enumerators(state_->self, name);
}

bool Catalog::has_module(std::string_view module) const {
  return module == "C" || module == "D" || state_->source_of(module) != nullptr;
}

std::vector<std::string> Catalog::module_names() const {
  std::vector<std::string> names;
  for (const auto& source : state_->sources) names.emplace_back(source->module());
  for (const auto& library : state_->libraries) {
    std::vector<std::string> more = library->modules();
    std::move(more.begin(), more.end(), std::back_inserter(names));
  }
  return names;
}

std::vector<std::string> Catalog::type_names(Tag tag, std::string_view module) const {
  Source* const source = state_->source_of(module);
  return source == nullptr ? std::vector<std::string>() : source->names(tag);
}

std::vector<std::string_view> Catalog::enumerator_names(std::string_view module) const {
  Source* const source = state_->source_of(module);
  return source == nullptr ? std::vector<std::string_view>() : source->enumerator_names();
}

std::uint32_t Catalog::number(Tag tag, std::string_view name, std::string_view module) const {
  Source* const source = state_->source_of(module);
  return source == nullptr ? 0 : source->number(tag, name);
}

std::uint32_t Catalog::function_number(std::string_view name, std::string_view module) const {
  Source* const source = state_->source_of(module);
  return source == nullptr ? 0 : source->function_number(name);
}

void Catalog::expect_function(std::string_view name, std::string_view module) const {
  Source* const source = state_->source_of(module);
  if (source != nullptr) source->expect_function(name);
}

std::string Catalog::errors() const {
  std::string text;
  const auto add = [&text](const Source* source) {
    const std::string error = source == nullptr ? std::string() : source->error();
    if (error.empty() || text.find(error) != std::string::npos) return;
    if (!text.empty()) text += '\n';
    text += error;
  };
  for (const auto& source : state_->sources) add(source.get());
  for (const auto& [module, source] : state_->modules) add(source.get());
  return text;
}

}  // namespace dt::types
