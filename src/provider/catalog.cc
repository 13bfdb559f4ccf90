// The probe catalogue: ids, look-up and suggestions over all providers.
//
// Ids follow the listing: provider after provider, each list once, at the first
// question that needs it. Probes that a provider creates for a pattern
// (profile-123) come after all listed ones, in the order of asking.

#include <algorithm>
#include <unordered_map>

#include "provider/near.h"
#include "provider/provider.h"
#include "support/check.h"

namespace dt::provider {
namespace {

using ByField = std::unordered_map<std::string_view, std::vector<std::uint32_t>>;

// What one provider lists. The indices are made at the first look-up after
// kIndexAfter of them: a one-liner asks once, a long script thousands of times.
struct Listing {
  static constexpr int kIndexAfter = 4;

  bool is_listed = false;
  bool is_indexed = false;
  int questions = 0;
  std::vector<probe::Probe> probes;
  ByField by_function, by_name;

  void index() {
    is_indexed = true;
    for (std::uint32_t i = 0; i < probes.size(); ++i) {
      by_function[probes[i].description.function].push_back(i);
      by_name[probes[i].description.name].push_back(i);
    }
  }

  // The places to look at for `pattern`; nullptr = all of them.
  const std::vector<std::uint32_t>* candidates(const probe::Pattern& pattern) {
    static const std::vector<std::uint32_t> kNone;
    const bool by_its_function = !pattern.function.empty() && probe::is_literal(pattern.function);
    const bool by_its_name = !pattern.name.empty() && probe::is_literal(pattern.name);
    if (!by_its_function && !by_its_name) return nullptr;
    if (!is_indexed) {
      if (++questions < kIndexAfter) return nullptr;
      index();
    }
    const ByField& field = by_its_function ? by_function : by_name;
    const auto found = field.find(by_its_function ? pattern.function : pattern.name);
    return found == field.end() ? &kNone : &found->second;
  }
};

}  // namespace

struct ProviderCatalog::State {
  std::vector<std::unique_ptr<Provider>> providers;
  std::vector<Listing> listings;      // by provider
  std::vector<probe::Probe> created;  // ids from `listed_count` + 1
  std::uint32_t listed_count = 0;

  // Lists providers up to and including `last`: ids need all before it.
  Listing& listing(std::size_t last) {
    for (std::size_t i = 0; i <= last; ++i) {
      Listing& one = listings[i];
      if (one.is_listed) continue;
      one.is_listed = true;
      std::vector<probe::Description> descriptions = providers[i]->list();
      one.probes.reserve(descriptions.size());
      for (probe::Description& description : descriptions) {
        probe::Binding binding = providers[i]->binding(description);
        one.probes.push_back({ProbeId(++listed_count), std::move(description), std::move(binding)});
      }
    }
    return listings[last];
  }

  void list_all() {
    if (!providers.empty()) listing(providers.size() - 1);
  }

  void create(const probe::Pattern& pattern, std::size_t at) {
    for (probe::Description& description : providers[at]->create(pattern)) {
      const auto is_it = [&](const probe::Probe& probe) {
        return probe.description == description;
      };
      if (std::any_of(listings[at].probes.begin(), listings[at].probes.end(), is_it)) continue;
      if (std::any_of(created.begin(), created.end(), is_it)) continue;
      list_all();
      const ProbeId id(listed_count + static_cast<std::uint32_t>(created.size()) + 1);
      probe::Binding binding = providers[at]->binding(description);
      created.push_back({id, std::move(description), std::move(binding)});
    }
  }

  const Provider* provider(std::string_view name) const {
    for (const auto& one : providers) {
      if (one->name() == name) return one.get();
    }
    return nullptr;
  }
};

namespace {

bool concerns(const probe::Pattern& pattern, const Provider& provider) {
  return pattern.provider.empty() || probe::glob_match(pattern.provider, provider.name());
}

}  // namespace

ProviderCatalog::ProviderCatalog(std::vector<std::unique_ptr<Provider>> providers)
    : state_(std::make_unique<State>()) {
  state_->providers = std::move(providers);
  state_->listings.resize(state_->providers.size());
}

ProviderCatalog::~ProviderCatalog() = default;

std::vector<probe::Probe> ProviderCatalog::match(const probe::Pattern& pattern) const {
  std::vector<probe::Probe> matched;
  for (std::size_t i = 0; i < state_->providers.size(); ++i) {
    if (!concerns(pattern, *state_->providers[i])) continue;
    Listing& listing = state_->listing(i);
    if (const auto* candidates = listing.candidates(pattern)) {
      for (const std::uint32_t at : *candidates) {
        const probe::Probe& probe = listing.probes[at];
        if (probe::matches(pattern, probe.description)) matched.push_back(probe);
      }
    } else {
      for (const probe::Probe& probe : listing.probes) {
        if (probe::matches(pattern, probe.description)) matched.push_back(probe);
      }
    }
    state_->create(pattern, i);
  }
  for (const probe::Probe& probe : state_->created) {
    if (probe::matches(pattern, probe.description)) matched.push_back(probe);
  }
  return matched;
}

std::optional<probe::Probe> ProviderCatalog::find(ProbeId id) const {
  if (id.value == 0) return std::nullopt;
  state_->list_all();
  if (id.value > state_->listed_count) {
    const std::size_t at = id.value - state_->listed_count - 1;
    return at < state_->created.size() ? std::optional(state_->created[at]) : std::nullopt;
  }
  for (const Listing& listing : state_->listings) {
    if (listing.probes.empty() || id > listing.probes.back().id) continue;
    return listing.probes[id.value - listing.probes.front().id.value];
  }
  return std::nullopt;
}

std::optional<std::vector<probe::Argument>> ProviderCatalog::arguments(
    const probe::Probe& probe) const {
  const Provider* const provider = state_->provider(probe.description.provider);
  return provider == nullptr ? std::nullopt : provider->arguments(probe.description);
}

probe::ProviderAttributes ProviderCatalog::attributes(std::string_view provider) const {
  const Provider* const known = state_->provider(provider);
  return known == nullptr ? probe::ProviderAttributes{} : known->attributes();
}

std::vector<probe::Description> ProviderCatalog::near(const probe::Pattern& pattern,
                                                      std::size_t count) const {
  state_->list_all();
  Suggestions suggestions(pattern);
  for (const Listing& listing : state_->listings) {
    for (const probe::Probe& probe : listing.probes) suggestions.consider(probe.description);
  }
  return suggestions.best(count);
}

std::string ProviderCatalog::why_not(const probe::Pattern& pattern) const {
  for (const auto& provider : state_->providers) {
    if (!concerns(pattern, *provider)) continue;
    std::string why = provider->why_not(pattern);
    if (!why.empty()) return why;
  }
  if (pattern.provider.empty() || !probe::is_literal(pattern.provider) ||
      state_->provider(pattern.provider) != nullptr) {
    return {};
  }
  std::string names;
  for (const auto& provider : state_->providers) {
    names += fmt::format("{}{}", names.empty() ? "" : ", ", provider->name());
  }
  return fmt::format("there is no provider '{}' here; there are: {}", pattern.provider, names);
}

const Provider& ProviderCatalog::of_program(const std::string& program) const {
  const Provider* const provider =
      state_->provider(std::string_view(program).substr(0, program.find(':')));
  DT_CHECK(provider != nullptr, "program {}", program);
  return *provider;
}

}  // namespace dt::provider
