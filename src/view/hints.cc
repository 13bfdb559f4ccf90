// -x view=SPEC: what a person says about views.
//
//     SPEC = [SUBJECT:]KIND[,WORD=VALUE]...
//     SUBJECT = @NAME | a probe description, whose fields may be patterns
//
// The rules of plan.cc have made a plan; each hint changes the views of its subject, which then
// come first, so that a format that shows one picture shows this one.

#include <fmt/core.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <map>
#include <optional>
#include <set>

#include "consumer/structured/json_lines.h"
#include "probe/pattern.h"
#include "support/shown.h"
#include "view/flames.h"
#include "view/plan.h"
#include "view/schema_text.h"
#include "view/unit.h"

namespace dt::view {
namespace {

constexpr std::array kKinds = {ViewKind::kFlame,    ViewKind::kHeat,  ViewKind::kHistogram,
                               ViewKind::kLine,     ViewKind::kTable, ViewKind::kScope,
                               ViewKind::kTimeline, ViewKind::kEvents};
constexpr std::array<std::string_view, 9> kWords = {"unit", "lane", "name", "begin", "end",
                                                    "pair", "dur",  "hist", "root"};
constexpr std::array<std::string_view, kWords.size()> kMeanings = {
    "ns, us, ms or s",
    "tid or cpu",
    "a value by which slices are called",
    "a description of probes",
    "a description of probes",
    "a value that both sides record, tid or cpu",
    "a value that says how long it took",
    "exact or native",
    "the function that a flame graph begins with"};

std::string_view meaning_of(std::string_view word) {
  return kMeanings[static_cast<std::size_t>(std::ranges::find(kWords, word) - kWords.begin())];
}

struct Hint {
  std::string subject;           // "@q", "syscall::read:entry", or ""
  std::optional<ViewKind> kind;  // none: the subject has no view
  std::map<std::string, std::string, std::less<>> words;
  std::string word(std::string_view name) const {
    const auto found = words.find(name);
    return found == words.end() ? "" : found->second;
  }
};

Result<std::uint64_t> unit_ns_of(std::string_view text) {
  for (const std::uint64_t ns : {1ULL, 1000ULL, 1'000'000ULL, 1'000'000'000ULL}) {
    if (text == unit_text(ns)) return ns;
  }
  return Error::of(fmt::format("view: '{}' is no unit", support::shown_name(text)),
                   "it is ns, us, ms or s");
}

Status take_word(Hint& hint, std::string_view part) {
  const std::size_t equals = part.find('=');
  const std::string_view word = part.substr(0, equals);
  if (equals == std::string_view::npos || std::ranges::find(kWords, word) == kWords.end()) {
    return Error::of(fmt::format("view: '{}' is no WORD=VALUE", support::shown_name(part)),
                     fmt::format("a word is one of {}", fmt::join(kWords, ", ")));
  }
  const std::string value(part.substr(equals + 1));
  if (value.empty()) {
    return Error::of(fmt::format("view: '{}=' needs a value", word),
                     fmt::format("it is {}", meaning_of(word)));
  }
  if (word == "unit") DT_TRY(unit_ns_of(value));
  if (word == "lane" && value != "tid" && value != "cpu") {
    return Error::of(fmt::format("view: '{}' is no lane", support::shown_name(value)),
                     "it is tid or cpu");
  }
  if (word == "hist" && value != "exact" && value != "native") {
    return Error::of(
        fmt::format("view: '{}' is no form of a histogram", support::shown_name(value)),
        "it is exact or native");
  }
  hint.words[std::string(word)] = value;
  return {};
}

Result<Hint> read(std::string_view text) {
  Hint hint;
  std::size_t comma = std::min(text.find(','), text.size());
  const std::string_view head = text.substr(0, comma);
  const std::size_t colon = head.rfind(':');
  if (colon != std::string_view::npos) hint.subject = head.substr(0, colon);
  const std::string_view word = colon == std::string_view::npos ? head : head.substr(colon + 1);
  std::vector<std::string_view> names;
  for (const ViewKind kind : kKinds) {
    names.emplace_back(view_kind_name(kind));
    if (word == view_kind_name(kind)) hint.kind = kind;
  }
  if (!hint.kind && word != "none") {
    return Error::of(fmt::format("view: '{}' is no kind of view", support::shown_name(word)),
                     fmt::format("it is one of {}, none", fmt::join(names, ", ")));
  }
  while (comma < text.size()) {
    const std::size_t next = std::min(text.find(',', comma + 1), text.size());
    DT_TRY(take_word(hint, text.substr(comma + 1, next - comma - 1)));
    comma = next;
  }
  return hint;
}

// "::read:entry", "*:entry": fields from the right; those that are empty or not there are any.
bool matches(std::string_view pattern, const record::ProbeNames& probe) {
  const std::array<std::string_view, 4> fields = {probe.name, probe.function, probe.module,
                                                  probe.provider};
  for (const std::string_view field : fields) {
    const std::size_t colon = pattern.rfind(':');
    const std::string_view part =
        colon == std::string_view::npos ? pattern : pattern.substr(colon + 1);
    if (!part.empty() && !probe::glob_match(part, field)) return false;
    if (colon == std::string_view::npos) return true;
    pattern = pattern.substr(0, colon);
  }
  return false;
}

class Hinted {
 public:
  Hinted(const record::Schema& schema, const Sources& sources)
      : schema_(schema), sources_(sources), views_(plan_views(schema, sources)) {}

  Status apply(const Hint& hint) {
    if (has_variables() && (!hint.subject.empty() || !hint.kind)) return of_variable(hint);
    if (has_variables()) return of_any_aggregation(hint);
    if (hint.subject.starts_with('@')) return of_aggregation(hint);
    if (hint.subject.empty() && hint.kind && !is_of_records(*hint.kind)) {
      return of_any_aggregation(hint);
    }
    return of_records(hint);
  }
  std::vector<View> take() { return std::move(views_); }

 private:
  // The schema is of variables of a session, which have no records.
  bool has_variables() const {
    return !schema_.aggregations.empty() && is_variable(schema_.aggregations.front());
  }

  static bool is_of_records(ViewKind kind) {
    return kind == ViewKind::kScope || kind == ViewKind::kTimeline || kind == ViewKind::kEvents;
  }

  Error refused(const Hint& hint, const std::string& why) const {
    std::string text = print_views(views_, schema_, sources_);
    if (!text.empty()) text.pop_back();
    for (std::size_t at = 0; (at = text.find('\n', at)) != std::string::npos; at += 2) {
      text.replace(at, 1, "; ");
    }
    return Error::of(
        fmt::format("view: {}{}", why,
                    hint.subject.empty() ? "" : " of " + support::shown_name(hint.subject)),
        text.empty() ? "the program has no views" : "the views that there are: " + text);
  }

  // A word that says nothing about a picture of this kind.
  Error misplaced(std::string_view word) const {
    const char* const owner = word == "root"   ? "flame graphs"
                              : word == "hist" ? "quantize()"
                                               : "timelines";
    return refused({}, fmt::format("'{}' is a word of {}", word, owner));
  }

  bool can_be(std::uint32_t index, ViewKind kind) const {
    const record::AggLayout& layout = schema_.aggregations[index];
    const bool is_histogram = record::is_histogram(layout.func);
    const auto at = std::ranges::find_if(views_, [&](const View& view) {
      return std::ranges::find(view.aggregations, index) != view.aggregations.end();
    });
    const bool has_columns = at != views_.end() && !at->ticks.empty();
    switch (kind) {
      case ViewKind::kFlame:
        return is_flame(layout);
      case ViewKind::kHeat:
        return is_histogram && has_columns;
      case ViewKind::kHistogram:
        return is_histogram;
      case ViewKind::kLine:
        return !is_histogram && has_columns;
      case ViewKind::kTable:
        return true;
      default:
        return false;
    }
  }

  // Takes an aggregation out of the view that shows it.
  View taken_out(std::uint32_t index) {
    View out;
    for (auto view = views_.begin(); view != views_.end(); ++view) {
      const auto at = std::ranges::find(view->aggregations, index);
      if (at == view->aggregations.end()) continue;
      out = *view;
      view->aggregations.erase(at);
      if (view->aggregations.empty()) views_.erase(view);
      break;
    }
    out.aggregations = {index};
    return out;
  }

  Status change(const Hint& hint, std::uint32_t index) {
    if (hint.kind && !can_be(index, *hint.kind)) {
      return refused(hint, fmt::format("there can be no {}", view_kind_name(*hint.kind)));
    }
    for (const auto& [word, value] : hint.words) {
      if (word == "root" && hint.kind == ViewKind::kFlame) continue;
      if (word != "unit" && word != "hist") return misplaced(word);
    }
    const std::string histogram = hint.word("hist");
    if (histogram == "native" && schema_.aggregations[index].func != record::AggFunc::kQuantize) {
      return refused(hint, "hist=native takes quantize() alone");
    }
    View view = taken_out(index);
    if (!hint.kind) return {};
    view.kind = *hint.kind;
    view.is_native = histogram == "native";
    view.root = hint.word("root");
    if (const std::string unit = hint.word("unit"); !unit.empty()) {
      DT_ASSIGN(view.unit_ns, unit_ns_of(unit));
    }
    views_.insert(views_.begin(), std::move(view));
    return {};
  }

  Status of_aggregation(const Hint& hint) {
    for (std::uint32_t i = 0; i < schema_.aggregations.size(); ++i) {
      if (aggregation_name(schema_.aggregations[i]) == hint.subject) return change(hint, i);
    }
    return refused(hint, "there is no aggregation");
  }

  // A statistic has several pictures: "sizes" is the first that can be of the kind, and
  // "sizes_avg" one of them.
  Status of_variable(const Hint& hint) {
    const std::string name = hint.subject.substr(hint.subject.starts_with('@') ? 1 : 0);
    std::vector<std::uint32_t> found;
    for (std::uint32_t i = 0; i < schema_.aggregations.size(); ++i) {
      const record::AggLayout& layout = schema_.aggregations[i];
      if (layout.name == name || variable_name(layout) == name) found.push_back(i);
    }
    if (found.empty()) return refused(hint, "there is no picture");
    if (!hint.kind) {
      for (const std::uint32_t index : found) DT_TRY(change(hint, index));
      return {};
    }
    const auto fitting =
        std::ranges::find_if(found, [&](std::uint32_t i) { return can_be(i, *hint.kind); });
    return change(hint, fitting == found.end() ? found.front() : *fitting);
  }

  Status of_any_aggregation(const Hint& hint) {
    for (std::uint32_t i = 0; i < schema_.aggregations.size(); ++i) {
      if (can_be(i, *hint.kind)) return change(hint, i);
    }
    return refused(hint, fmt::format("there can be no {}", view_kind_name(*hint.kind)));
  }

  std::vector<std::uint32_t> layouts_of(std::string_view pattern) const {
    std::set<std::uint32_t> found;
    for (std::uint32_t i = 0; i < schema_.layouts.size(); ++i) {
      if (is_no_event(schema_, i)) continue;
      for (const record::ProbeNames* probe : probes_of(schema_, i)) {
        if (pattern.empty() || matches(pattern, *probe)) found.insert(i);
      }
    }
    return {found.begin(), found.end()};
  }

  void take_out_layouts(const std::vector<std::uint32_t>& layouts) {
    std::erase_if(views_, [&](const View& view) {
      return std::ranges::any_of(view.layouts, [&](std::uint32_t layout) {
        return std::ranges::find(layouts, layout) != layouts.end();
      });
    });
  }

  bool has_value(std::uint32_t layout, std::string_view name) const {
    return std::ranges::any_of(values_of(schema_.layouts[layout]), [&](const record::Field& field) {
      return consumer::value_name(sources_, field) == name;
    });
  }

  // Of a word that takes a number: an error where the value is another one, or there is none.
  Status is_number(const Hint& hint, std::uint32_t layout, const char* word,
                   const std::string& name) const {
    const std::vector<record::Field> values = values_of(schema_.layouts[layout]);
    const auto found = std::ranges::find_if(values, [&](const record::Field& field) {
      return consumer::value_name(sources_, field) == name;
    });
    if (found != values.end() && found->type.kind != record::FieldKind::kInt) {
      return refused(hint, fmt::format("{}= takes a number, not the text {}", word, name));
    }
    return {};
  }

  // A pair that the hint names, or that the probes of its subject are.
  Status of_pair(const Hint& hint, View& view) {
    const std::string begin = hint.word("begin"), end = hint.word("end");
    if (begin.empty() != end.empty()) return refused(hint, "begin= and end= stand together");
    if (begin.empty()) {
      for (const View& there : views_) {
        const bool is_meant = hint.subject.empty() || there.layouts.front() == view.layouts.front();
        if (there.layouts.size() > 1 && is_meant) {
          view = there;
          return {};
        }
      }
      return refused(hint, "there can be no timeline");
    }
    const std::vector<std::uint32_t> begins = layouts_of(begin), ends = layouts_of(end);
    if (begins.size() != 1 || ends.size() != 1) {
      return refused(hint, fmt::format("{} clauses begin and {} end it, and not one", begins.size(),
                                       ends.size()));
    }
    view.layouts = {begins.front(), ends.front()};
    view.begin = begin;
    view.end = end;
    return {};
  }

  Status of_timeline(const Hint& hint, View& view) {
    view.duration = hint.word("dur");
    if (!view.duration.empty()) {
      if (!has_value(view.layouts.front(), view.duration)) {
        return refused(hint, "no such value is recorded as dur=");
      }
      DT_TRY(is_number(hint, view.layouts.front(), "dur", view.duration));
      const auto difference = time_difference(view.duration);
      view.unit_ns = difference ? difference->unit_ns : 1;
    } else if (hint.word("begin").empty()) {
      const auto is_there = [&](const View& there) {
        return there.kind == ViewKind::kTimeline && !there.duration.empty() &&
               (hint.subject.empty() || there.layouts.front() == view.layouts.front());
      };
      const auto found = std::ranges::find_if(views_, is_there);
      if (found != views_.end()) {
        view = *found;
      } else {
        DT_TRY(of_pair(hint, view));
      }
    } else {
      DT_TRY(of_pair(hint, view));
    }
    if (const std::string pair = hint.word("pair"); pair == "tid" || pair == "cpu") {
      view.matching = pair == "tid" ? Matching::kThread : Matching::kCpu;
    } else if (!pair.empty()) {
      if (!has_value(view.layouts.front(), pair) || !has_value(view.layouts.back(), pair)) {
        return refused(hint, "not both sides record the value of pair=");
      }
      DT_TRY(is_number(hint, view.layouts.front(), "pair", pair));
      DT_TRY(is_number(hint, view.layouts.back(), "pair", pair));
      view.matching = Matching::kValue;
      view.paired_by = pair;
    }
    view.name = hint.word("name");
    if (!view.name.empty() && !has_value(view.layouts.front(), view.name) &&
        !has_value(view.layouts.back(), view.name)) {
      return refused(hint, "no such value is recorded as name=");
    }
    if (hint.word("lane") == "cpu") view.lane = Lane::kCpu;
    if (hint.word("lane") == "tid") view.lane = Lane::kThread;
    if (const std::string unit = hint.word("unit"); !unit.empty()) {
      DT_ASSIGN(view.unit_ns, unit_ns_of(unit));
    }
    return {};
  }

  Status of_records(const Hint& hint) {
    if (hint.kind && !is_of_records(*hint.kind)) {
      return refused(hint, fmt::format("records are no {}", view_kind_name(*hint.kind)));
    }
    const std::vector<std::uint32_t> layouts = layouts_of(hint.subject);
    if (layouts.empty()) return refused(hint, "no clause records");
    for (const char* const word : {"hist", "root"}) {
      if (hint.words.contains(word)) return misplaced(word);
    }
    if (!hint.kind) {
      take_out_layouts(layouts);
      return {};
    }
    View view;
    view.kind = *hint.kind;
    view.layouts = {layouts.front()};
    if (view.kind == ViewKind::kTimeline) {
      DT_TRY(of_timeline(hint, view));
    } else if (!hint.words.empty()) {
      return misplaced(hint.words.begin()->first);
    }
    if (view.kind == ViewKind::kScope) {
      const auto has_stack = [&](std::uint32_t layout) {
        return std::ranges::any_of(values_of(schema_.layouts[layout]), is_stack);
      };
      const auto found = std::ranges::find_if(layouts, has_stack);
      if (found == layouts.end()) return refused(hint, "no stack is recorded");
      view.layouts = {*found};
    }
    take_out_layouts(view.layouts);
    views_.insert(views_.begin(), std::move(view));
    return {};
  }

  const record::Schema& schema_;
  const Sources& sources_;
  std::vector<View> views_;
};

}  // namespace

Status check_hint(std::string_view hint) {
  const Result<Hint> read_hint = read(hint);
  return read_hint.ok() ? Status() : Status(read_hint.error());
}

HintSubject subject_of(std::string_view hint) {
  const Result<Hint> found = read(hint);
  if (!found.ok()) return {};
  const bool is_histogram = found->kind == ViewKind::kHeat || found->kind == ViewKind::kHistogram;
  return {found->subject, is_histogram};
}

// Where a hint names the probes, those of one function belong together, or else all of them.
std::vector<Role> roles_of(const View& view, const record::Schema& schema) {
  if (view.begin.empty()) return find_roles(schema, view.layouts);
  std::vector<Role> roles(schema.epids.size());
  std::map<std::string, std::uint32_t> pairs;
  for (const Role::Kind kind : {Role::Kind::kBegin, Role::Kind::kEnd}) {
    const bool is_begin = kind == Role::Kind::kBegin;
    const std::uint32_t layout = is_begin ? view.layouts.front() : view.layouts.back();
    for (std::uint32_t i = 0; i < schema.epids.size(); ++i) {
      const record::ProbeNames* const probe = record::find_probe(schema, schema.epids[i].probe);
      if (schema.epids[i].layout != layout || probe == nullptr ||
          roles[i].kind != Role::Kind::kNone ||
          !matches(is_begin ? view.begin : view.end, *probe)) {
        continue;
      }
      const std::string function =
          probe->provider + ':' + probe->module + ':' + probe->function;  // no name
      const auto number = static_cast<std::uint32_t>(pairs.size() + 1);
      if (is_begin) pairs.try_emplace(function, number);
      const auto found = pairs.find(function);
      roles[i] = {kind, found == pairs.end() ? 0 : found->second, view.matching};
    }
  }
  // Where some end belongs to the beginning of another function, functions say nothing.
  const bool is_loose = std::ranges::any_of(
      roles, [](const Role& role) { return role.kind == Role::Kind::kEnd && role.pair == 0; });
  for (Role& role : roles) {
    if (is_loose) role.pair = 0;
  }
  return roles;
}

Result<std::vector<View>> plan_views(const record::Schema& schema, const Sources& sources,
                                     const std::vector<std::string>& hints) {
  Hinted hinted(schema, sources);
  // The first one that is given is to come first.
  for (auto text = hints.rbegin(); text != hints.rend(); ++text) {
    DT_ASSIGN(const Hint hint, read(*text));
    DT_TRY(hinted.apply(hint));
  }
  return hinted.take();
}

}  // namespace dt::view
