// Matching, slots and EPIDs: from clauses and probes to the Plan.
//
// In three passes, each linear in its output:
//   1. match   every distinct point is asked once; a clause becomes layers of
//              probes (layer k: those that its descriptions matched a k+1st time)
//   2. slots   providers say which programs serve them; the probes of every
//              program, ascending by key
//   3. EPIDs   in the order of clauses, layers, programs and slots

#include <fmt/core.h>

#include <algorithm>
#include <span>
#include <string_view>
#include <unordered_map>

#include "enabling/plan.h"
#include "probe/point.h"
#include "support/check.h"

namespace dt::enabling {

namespace {

// A probe of the enabling: where it is served.
struct Place {
  probe::Probe probe;
  std::uint32_t program = 0;
  std::uint32_t slot = 0;
};

// Indices into the places.
using Places = std::vector<std::uint32_t>;

// One layer of one clause. Ten thousand clauses with one and the same point
// share that point's places; a clause with several points has its own.
struct Layer {
  std::uint32_t clause = 0;
  Places* shared = nullptr;
  Places own;

  Places& places() { return shared != nullptr ? *shared : own; }
};

// A point's probes; sorted by program and slot once these are known.
struct Matches {
  Places places;
  bool reported = false;
};

bool is_error_probe(const probe::Probe& probe) {
  return probe.description.provider == "dtrace" && probe.description.name == "ERROR";
}

// Points with the same key mean the same probes, and are the same for a reader. No name has a
// NUL in it.
std::string key_of(const probe::Point& point) {
  const probe::Pattern& pattern = point.pattern;
  std::string key = point.id ? fmt::format("{}", point.id->value) : std::string();
  for (const std::string* const field :
       {&pattern.provider, &pattern.module, &pattern.function, &pattern.name, &pattern.text}) {
    key += '\0';
    key += *field;
  }
  return key;
}

class Enabler {
 public:
  Enabler(const ir::Program& program, const probe::Catalog& probes, const EnableOptions& options)
      : program_(program), probes_(probes), options_(options) {}

  Plan run() {
    collect_layouts();
    for (std::uint32_t clause = 0; clause < program_.clauses.size(); ++clause) match_clause(clause);
    plan_programs();
    assign_slots();
    for (auto& [pattern, matches] : matches_) sort_places(matches.places);
    for (Layer& layer : layers_) bind_layer(layer);
    fill_schema();
    number_firings(program_, plan_);
    return std::move(plan_);
  }

 private:
  Matches& match_point(const probe::Point& point) {
    const auto [it, is_new] = matches_.try_emplace(key_of(point));
    Matches& found = it->second;
    if (!is_new) return found;
    if (point.id) {
      if (const auto probe = probes_.find(*point.id)) found.places.push_back(place_of(*probe));
    } else {
      for (const probe::Probe& probe : probes_.match(point.pattern)) {
        found.places.push_back(place_of(probe));
      }
    }
    return found;
  }

  std::uint32_t place_of(const probe::Probe& probe) {
    const auto [it, is_new] =
        place_by_id_.try_emplace(probe.id, static_cast<std::uint32_t>(places_.size()));
    if (is_new) places_.push_back({probe, 0, 0});
    return it->second;
  }

  void match_clause(std::uint32_t clause) {
    const ir::EcbDesc& desc = program_.clauses[clause];
    const std::size_t first_layer = layers_.size();
    for (std::uint32_t point = 0; point < desc.points.size(); ++point) {
      Matches& found = match_point(desc.points[point]);
      if (found.places.empty() && !options_.allow_zero_matches && !found.reported) {
        found.reported = true;
        plan_.unmatched.push_back({clause, point});
      }
      count_matches(desc.span.source, desc.is_added ? 0 : found.places.size());
      if (desc.points.size() == 1) {
        layers_.push_back({clause, &found.places, {}});
      } else {
        add_to_layers(clause, first_layer, found.places);
      }
    }
  }

  void count_matches(std::uint32_t source, std::size_t count) {
    if (plan_.matched.size() <= source) plan_.matched.resize(source + 1);
    plan_.matched[source] += static_cast<std::uint32_t>(count);
  }

  // The k+1st match of a probe by one clause goes to the clause's layer k.
  void add_to_layers(std::uint32_t clause, std::size_t first_layer, const Places& found) {
    times_matched_.resize(places_.size());
    for (const std::uint32_t place : found) {
      Matched& matched = times_matched_[place];
      if (matched.clause != clause) matched = {clause, 0};
      const std::size_t layer = first_layer + matched.times++;
      if (layer == layers_.size()) layers_.push_back({clause, nullptr, {}});
      layers_[layer].own.push_back(place);
    }
  }

  void plan_programs() {
    std::vector<probe::Probe*> enabled;
    enabled.reserve(places_.size());
    for (Place& place : places_) enabled.push_back(&place.probe);
    probes_.plan(enabled);
  }

  void assign_slots() {
    std::vector<std::uint32_t> order(places_.size());
    for (std::uint32_t i = 0; i < order.size(); ++i) order[i] = i;
    std::unordered_map<std::string_view, std::uint32_t> program_index;
    for (Place& place : places_) {
      if (is_error_probe(place.probe)) {
        plan_.error_probe = place.probe;
        place.program = ir::kNone;
        continue;
      }
      const auto [it, is_new] = program_index.try_emplace(
          place.probe.binding.program, static_cast<std::uint32_t>(plan_.programs.size()));
      if (is_new) plan_.programs.push_back({place.probe.binding.program, {}, {}});
      place.program = it->second;
    }
    std::sort(order.begin(), order.end(), [&](std::uint32_t a, std::uint32_t b) {
      const probe::Binding& left = places_[a].probe.binding;
      const probe::Binding& right = places_[b].probe.binding;
      return left.key != right.key ? left.key < right.key : a < b;
    });
    for (const std::uint32_t index : order) {
      Place& place = places_[index];
      if (place.program == ir::kNone) continue;
      std::vector<probe::Probe>& slots = plan_.programs[place.program].probes;
      place.slot = static_cast<std::uint32_t>(slots.size());
      slots.push_back(place.probe);
    }
  }

  void sort_places(Places& places) const {
    std::sort(places.begin(), places.end(), [&](std::uint32_t a, std::uint32_t b) {
      const Place& left = places_[a];
      const Place& right = places_[b];
      return left.program != right.program ? left.program < right.program : left.slot < right.slot;
    });
  }

  void bind_layer(Layer& layer) {
    if (layer.shared == nullptr) sort_places(layer.own);
    const std::span<const std::uint32_t> places = layer.places();
    for (std::size_t i = 0; i < places.size();) {
      std::size_t end = i;
      const std::uint32_t program = places_[places[i]].program;
      while (end < places.size() && places_[places[end]].program == program) ++end;
      bind(layer.clause, places.subspan(i, end - i), program);
      i = end;
    }
  }

  // Binds a clause to places of one program, and gives them EPIDs.
  void bind(std::uint32_t clause, std::span<const std::uint32_t> places, std::uint32_t program) {
    std::vector<record::EpidInfo>& epids = plan_.schema.epids;
    const bool is_error = program == ir::kNone;
    const std::size_t slots = is_error ? 1 : plan_.programs[program].probes.size();
    auto epid = static_cast<std::uint32_t>(epids.size() + 1);
    ClauseBinding binding;
    binding.clause = clause;
    binding.dense = places.size() == slots;
    if (binding.dense) {
      binding.epids = {epid};
    } else {
      binding.epids.assign(slots, 0);
      for (const std::uint32_t place : places) binding.epids[places_[place].slot] = epid++;
    }
    binding.stride = static_cast<std::uint32_t>(places.size());
    for (std::uint32_t layout = first_layout_[clause]; layout < first_layout_[clause + 1];
         ++layout) {
      for (const std::uint32_t place : places) epids.push_back({places_[place].probe.id, layout});
    }
    auto& to = is_error ? plan_.error_clauses : plan_.programs[program].clauses;
    to.push_back(std::move(binding));
  }

  // A clause that records nothing has one that is empty: its faults have an EPID.
  void collect_layouts() {
    std::vector<record::Layout>& layouts = plan_.schema.layouts;
    for (const ir::EcbDesc& clause : program_.clauses) {
      first_layout_.push_back(static_cast<std::uint32_t>(layouts.size()));
      layouts.insert(layouts.end(), clause.layouts.begin(), clause.layouts.end());
      if (clause.layouts.empty()) layouts.emplace_back();
    }
    first_layout_.push_back(static_cast<std::uint32_t>(layouts.size()));
  }

  void fill_schema() {
    record::Schema& schema = plan_.schema;
    schema.speculations = program_.speculations;
    schema.aggregations = program_.aggregations;
    schema.probes.reserve(places_.size());
    for (const Place& place : places_) {
      const probe::Description& names = place.probe.description;
      schema.probes.push_back(
          {place.probe.id, names.provider, names.module, names.function, names.name});
      const std::string& stem = place.probe.binding.stem;
      if (!stem.empty() &&
          std::find(schema.stems.begin(), schema.stems.end(), stem) == schema.stems.end()) {
        schema.stems.push_back(stem);
      }
    }
    std::sort(schema.probes.begin(), schema.probes.end(),
              [](const auto& a, const auto& b) { return a.id < b.id; });
  }

  struct Matched {
    std::uint32_t clause = ir::kNone;
    std::uint32_t times = 0;
  };

  const ir::Program& program_;
  const probe::Catalog& probes_;
  const EnableOptions& options_;
  Plan plan_;
  std::vector<Place> places_;
  std::unordered_map<ProbeId, std::uint32_t> place_by_id_;
  std::unordered_map<std::string, Matches> matches_;
  std::vector<Layer> layers_;
  std::vector<Matched> times_matched_;       // by place
  std::vector<std::uint32_t> first_layout_;  // by clause, in the schema, and one more: the end
};

}  // namespace

Plan enable(const ir::Program& program, const probe::Catalog& probes,
            const EnableOptions& options) {
  return Enabler(program, probes, options).run();
}

}  // namespace dt::enabling
