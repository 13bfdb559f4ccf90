// The probe catalogue: ids, look-up and suggestions over all providers.
//
// Ids follow the listing: provider after provider, each list once, at the first
// question that needs it. One that knows how many places its list has, and which probes a
// pattern means, is listed for other questions only. Probes that a provider creates for a
// pattern (profile-123) have ids far behind the listed ones, in the order of asking, so
// that nothing need be listed for them.

#include <algorithm>
#include <unordered_map>

#include "provider/mechanism/provider.h"
#include "provider/near.h"
#include "support/check.h"

namespace dt::provider {
namespace {

// Six digits, as wide as the column of ids in the output.
constexpr std::uint32_t kFirstCreated = 500'001;

using ByField = std::unordered_map<std::string_view, std::vector<std::uint32_t>>;

// What one provider lists. The indices are made at the first look-up after
// kIndexAfter of them: a one-liner asks once, a long script thousands of times.
struct Listing {
  static constexpr int kIndexAfter = 4;

  bool is_numbered = false;
  std::uint32_t before = 0, count = 0;  // probes of the providers before it, and its own
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
  std::vector<Listing> listings;                                 // by provider
  std::vector<probe::Probe> created;                             // ids from kFirstCreated on
  std::vector<std::size_t> created_by;                           // the provider of each
  std::unordered_map<std::string, std::uint32_t> created_index;  // by its four names
  std::uint32_t listed_count = 0;

  // Ids need to know how many probes there are before.
  void number(std::size_t last) {
    for (std::size_t i = 0; i <= last; ++i) {
      Listing& one = listings[i];
      if (one.is_numbered) continue;
      one.is_numbered = true;
      one.before = listed_count;
      if (const auto known = providers[i]->places()) {
        one.count = *known;
      } else {
        list(i);
        one.count = static_cast<std::uint32_t>(one.probes.size());
      }
      listed_count += one.count;
    }
  }

  // Once it is known how many are before.
  void list(std::size_t at) {
    Listing& one = listings[at];
    if (one.is_listed) return;
    one.is_listed = true;
    if (auto placed = providers[at]->list_of({})) {
      for (auto& [place, description] : *placed) {
        one.probes.push_back(make(at, place, std::move(description)));
      }
      return;
    }
    std::vector<probe::Description> descriptions = providers[at]->list();
    one.probes.reserve(descriptions.size());
    for (probe::Description& description : descriptions) {
      const auto place = static_cast<std::uint32_t>(one.probes.size());
      one.probes.push_back(make(at, place, std::move(description)));
    }
  }

  probe::Probe make(std::size_t at, std::uint32_t place, probe::Description&& description) const {
    probe::Binding binding = providers[at]->binding(description);
    return {ProbeId(listings[at].before + place + 1), std::move(description), std::move(binding)};
  }

  void list_all() {
    for (std::size_t i = 0; i < providers.size(); ++i) {
      number(i);
      list(i);
    }
  }

  // Of a provider that other systems have, the modules of their kernels are vmlinux, and
  // functions of theirs, which differ from release to release, say nothing here.
  probe::Pattern as_here(const probe::Pattern& asked, std::size_t at) {
    constexpr std::string_view kShared[] = {"io",    "ip",      "lockstat", "mib", "proc",
                                            "sched", "sysinfo", "tcp",      "udp", "vminfo"};
    constexpr std::string_view kKernels[] = {"genunix", "unix", "kernel", "ip", "mach_kernel"};
    const auto has = [](const auto& words, std::string_view word) {
      return std::find(std::begin(words), std::end(words), word) != std::end(words);
    };
    probe::Pattern pattern = asked;
    if (pattern.provider != providers[at]->name() || !has(kShared, pattern.provider)) {
      return providers[at]->as_here(std::move(pattern));
    }
    if (has(kKernels, pattern.module)) pattern.module = "vmlinux";
    if (!pattern.function.empty() && probe::is_literal(pattern.function)) {
      pattern.function.clear();
    }
    return pattern;
  }

  // What the provider at `at` lists, as far as it matches.
  void match_listed(const probe::Pattern& pattern, std::size_t at,
                    std::vector<probe::Probe>& matched) {
    number(at);
    Listing& listing = listings[at];
    if (!listing.is_listed) {
      if (auto known = providers[at]->list_of(pattern)) {
        for (auto& [place, description] : *known) {
          if (!probe::matches(pattern, description)) continue;
          matched.push_back(make(at, place, std::move(description)));
        }
        return;
      }
    }
    list(at);
    const auto* const candidates = listing.candidates(pattern);
    if (candidates == nullptr) {
      for (const probe::Probe& probe : listing.probes) {
        if (probe::matches(pattern, probe.description)) matched.push_back(probe);
      }
      return;
    }
    for (const std::uint32_t i : *candidates) {
      const probe::Probe& probe = listing.probes[i];
      if (probe::matches(pattern, probe.description)) matched.push_back(probe);
    }
  }

  // The indices in `created` of what the provider at `at` makes for the pattern.
  std::vector<std::uint32_t> create(const probe::Pattern& pattern, std::size_t at) {
    std::vector<std::uint32_t> indices;
    const std::vector<probe::Probe>& listed = listings[at].probes;
    for (probe::Description& description : providers[at]->create(pattern)) {
      if (std::any_of(listed.begin(), listed.end(), [&](const probe::Probe& probe) {
            return probe.description == description;
          })) {
        continue;
      }
      const auto [known, is_new] = created_index.try_emplace(
          probe::to_string(description), static_cast<std::uint32_t>(created.size()));
      indices.push_back(known->second);
      if (!is_new) continue;
      const ProbeId id(kFirstCreated + known->second);
      probe::Binding binding = providers[at]->binding(description);
      created.push_back({id, std::move(description), std::move(binding)});
      created_by.push_back(at);
    }
    return indices;
  }

  const Provider* provider(std::string_view name) const {
    for (const auto& one : providers) {
      if (one->owns(name)) return one.get();
    }
    return nullptr;
  }
};

bool Provider::concerns(const probe::Pattern& pattern) const {
  if (!pattern.provider.empty()) return probe::glob_match(pattern.provider, name());
  return pattern.name.empty() || !probe::is_literal(pattern.name) || may_have(pattern.name);
}

ProviderCatalog::ProviderCatalog(std::vector<std::unique_ptr<Provider>> providers)
    : state_(std::make_unique<State>()) {
  state_->providers = std::move(providers);
  state_->listings.resize(state_->providers.size());
}

ProviderCatalog::~ProviderCatalog() = default;

std::vector<probe::Probe> ProviderCatalog::match(const probe::Pattern& pattern) const {
  std::vector<probe::Probe> matched;
  std::vector<std::uint32_t> created;
  std::vector<bool> concerned(state_->providers.size());
  for (std::size_t i = 0; i < state_->providers.size(); ++i) {
    if (!state_->providers[i]->concerns(pattern)) continue;
    concerned[i] = true;
    // What create() gives is all. To number a list, those of all providers before it are made.
    if (!state_->providers[i]->creates_all()) {
      state_->match_listed(state_->as_here(pattern, i), i, matched);
    }
    for (const std::uint32_t at : state_->create(pattern, i)) created.push_back(at);
  }
  if (matched.empty() && created.empty() && pattern.provider.empty()) {
    for (std::size_t i = 0; i < state_->providers.size(); ++i) {
      if (!state_->providers[i]->is_last_resort()) continue;
      for (const std::uint32_t at : state_->create(pattern, i)) created.push_back(at);
    }
  }
  for (std::uint32_t i = 0; i < state_->created.size(); ++i) {
    if (concerned[state_->created_by[i]] &&
        !state_->providers[state_->created_by[i]]->creates_all() &&
        probe::matches(pattern, state_->created[i].description)) {
      created.push_back(i);
    }
  }
  std::sort(created.begin(), created.end());
  created.erase(std::unique(created.begin(), created.end()), created.end());
  for (const std::uint32_t at : created) matched.push_back(state_->created[at]);
  return matched;
}

std::optional<probe::Probe> ProviderCatalog::find(ProbeId id) const {
  if (id.value == 0) return std::nullopt;
  if (id.value >= kFirstCreated) {
    const std::size_t at = id.value - kFirstCreated;
    return at < state_->created.size() ? std::optional(state_->created[at]) : std::nullopt;
  }
  for (std::size_t i = 0; i < state_->providers.size(); ++i) {
    state_->number(i);
    const Listing& listing = state_->listings[i];
    if (id.value > listing.before + listing.count) continue;
    state_->list(i);
    const auto at = std::lower_bound(
        listing.probes.begin(), listing.probes.end(), id,
        [](const probe::Probe& probe, ProbeId wanted) { return probe.id.value < wanted.value; });
    return at == listing.probes.end() || at->id != id ? std::nullopt : std::optional(*at);
  }
  return std::nullopt;
}

std::optional<std::vector<probe::Argument>> ProviderCatalog::arguments(
    const probe::Probe& probe) const {
  const Provider* const provider = state_->provider(probe.description.provider);
  return provider == nullptr ? std::nullopt : provider->arguments(probe.description);
}

std::vector<std::string> ProviderCatalog::argument_names(const probe::Probe& probe) const {
  const Provider* const provider = state_->provider(probe.description.provider);
  return provider == nullptr ? std::vector<std::string>()
                             : provider->argument_names(probe.description);
}

probe::ProviderAttributes ProviderCatalog::attributes(std::string_view provider) const {
  const Provider* const known = state_->provider(provider);
  return known == nullptr ? probe::ProviderAttributes{} : known->attributes_of(provider);
}

std::string ProviderCatalog::remark(const probe::Description& probe) const {
  const Provider* const provider = state_->provider(probe.provider);
  return provider == nullptr ? std::string() : provider->remark(probe);
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

void ProviderCatalog::plan(std::span<probe::Probe* const> enabled) const {
  for (const auto& provider : state_->providers) {
    std::vector<probe::Probe*> own;
    for (probe::Probe* const probe : enabled) {
      if (provider->owns(probe->description.provider)) own.push_back(probe);
    }
    if (!own.empty()) provider->plan(own);
  }
}

std::string ProviderCatalog::why_not(const probe::Pattern& pattern) const {
  for (const auto& provider : state_->providers) {
    if (!provider->concerns(pattern)) continue;
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

std::optional<probe::Refusal> ProviderCatalog::refusal(const probe::Pattern& pattern) const {
  for (const auto& provider : state_->providers) {
    if (!provider->concerns(pattern)) continue;
    if (std::optional<probe::Refusal> refusal = provider->refusal(pattern)) return refusal;
  }
  return std::nullopt;
}

const Provider& ProviderCatalog::of_program(const std::string& program) const {
  const Provider* const provider =
      state_->provider(std::string_view(program).substr(0, program.find(':')));
  DT_CHECK(provider != nullptr, "program {}", program);
  return *provider;
}

}  // namespace dt::provider
