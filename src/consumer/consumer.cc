// One record after another: its row, its actions (act.cc), and faults (faults.cc).
//
// Records come from a buffer that only this process reads, but a damaged one must not end tracing:
// every offset and length is compared with the record's size, and a record that does not fit its
// layout is reported and skipped.

#include "consumer/consumer.h"

#include <algorithm>
#include <chrono>
#include <cstring>
#include <unordered_map>
#include <utility>

#include "consumer/state.h"
#include "consumer/value/describe.h"

namespace dt::consumer {
namespace {

using record::ActionKind;
using Clock = std::chrono::steady_clock;

bool looks_up(const Format& format) {
  return std::any_of(format.begin(), format.end(), [](const Piece& piece) {
    return piece.conversion == 'a' || piece.conversion == 'A';
  });
}

bool ends_speculation(const record::Action& action) {
  return action.kind == ActionKind::kCommit || action.kind == ActionKind::kDiscard;
}

}  // namespace

// Which probes have several clauses: of a script with many probes, only if rows with -F ask.
void State::note_others() {
  if (std::exchange(knows_others, true)) return;
  std::unordered_map<std::uint32_t, std::uint32_t> clauses;
  for (const record::EpidInfo& info : schema.epids) ++clauses[info.probe.value];
  for (std::size_t i = 0; i < schema.epids.size(); ++i) {
    prepared_by_epid[i].has_others = clauses[schema.epids[i].probe.value] > 1;
  }
}

Prepared* State::prepare(std::uint32_t epid) {
  if (epid == 0 || epid > schema.epids.size()) {
    return nullptr;
  }
  if (prepared_by_epid.size() < schema.epids.size()) {
    prepared_by_epid.resize(schema.epids.size());
    knows_others = false;
  }
  Prepared& prepared = prepared_by_epid[epid - 1];
  if (prepared.layout != nullptr) {
    return &prepared;
  }
  const record::EpidInfo& info = schema.epids[epid - 1];
  if (info.layout >= schema.layouts.size() || !is_sound(schema.layouts[info.layout])) {
    return nullptr;
  }
  const record::Layout& layout = schema.layouts[info.layout];
  const record::ProbeNames* names = record::find_probe(schema, info.probe);
  const record::ProbeNames unknown{info.probe, "?", "?", "?", "?"};
  std::string function;
  std::string name;
  fields.append_name(function, names == nullptr ? "?" : names->function);
  fields.append_name(name, names == nullptr ? "?" : names->name);
  const std::string shown = names == nullptr ? "?" : function + ":" + name;
  prepared.prefix = options.bare ? fmt::format("{:>32} ", shown)
                                 : fmt::format("{:6} {:>32} ", info.probe.value, shown);
  prepared.flow =
      flow_name(names == nullptr ? unknown : *names, std::move(function), std::move(name));
  prepared.probe = info.probe.value;
  bool has_row = false;
  bool has_more = false;
  for (const record::Action& action : layout.actions) {
    const bool is_row = action.kind == ActionKind::kPrintrow;
    prepared.formats.push_back(parse_format(is_row ? std::string() : action.format));
    has_row |= is_row;
    has_more |= record::traits(action.kind).prints && !is_row;
    prepared.uses_aggregations |= record::traits(action.kind).uses_aggregations;
    prepared.is_looked_up |= looks_up(prepared.formats.back());
    add_supplied(prepared.supplied, layout, action, prepared.formats.back());
    if (action.kind == ActionKind::kSpeculate && action.field_count == 1) {
      prepared.speculation = &layout.fields[action.first_field];
    }
  }
  for (const record::Field& field : layout.fields) {
    if (FieldText::is_named(field.type)) prepared.named.push_back(&field);
  }
  prepared.is_silent = !layout.actions.empty() &&
                       std::all_of(layout.actions.begin(), layout.actions.end(), ends_speculation);
  prepared.is_report = is_report(info.probe);
  prepared.is_table = has_row && !has_more && !options.flow_indent;
  prepared.layout = &layout;
  return &prepared;
}

// What the clauses of one firing do to aggregations happens to one moment of them, so that
// nothing is lost between `printa(@)` in one clause and `clear(@)` in the next.
void State::enter_firing(FiringId firing) {
  if (firing.number == 0 || firing != last_firing) {
    aggregations.begin_firing();
    ++acting_firings;
  }
  last_firing = firing;
}

bool State::is_report(ProbeId probe) const {
  return std::any_of(schema.epids.begin(), schema.epids.end(), [&](const record::EpidInfo& info) {
    if (info.probe != probe || info.layout >= schema.layouts.size()) {
      return false;
    }
    const std::vector<record::Action>& actions = schema.layouts[info.layout].actions;
    return std::any_of(actions.begin(), actions.end(), [](const record::Action& action) {
      return action.kind == ActionKind::kPrinta;
    });
  });
}

// Before the first text of a firing that prints aggregations, the last report goes.
void State::refresh(const Prepared& prepared, FiringId firing) {
  if (!options.to_terminal || !prepared.is_report ||
      (firing.number != 0 && firing == last_report)) {
    return;
  }
  page.text += "\033[H\033[2J";
  has_header = false;
  tables.begin_again();
  last_report = firing;
}

// The record as JSON or CSV; then its actions act, in their order.
void State::structured(const record::Header& header, const Prepared& prepared, Bytes bytes,
                       Outcome& outcome) {
  const record::Layout& layout = *prepared.layout;
  const auto text = [&](std::size_t action) {
    std::string formatted;
    append_formatted(formatted, layout, layout.actions[action], prepared.formats[action], bytes);
    return formatted;
  };
  if (options.form == Form::kJson) {
    document.append_record(page.text, header, layout, bytes, text,
                           [&](support::Json& output, const record::Action& action) {
                             aggregation_json.write_objects(output, action.aggregations);
                           });
  } else if (options.form != Form::kCsv) {
    RecordLine(schema, sources, fields).append(page.text, header, layout, bytes, text);
  }
  std::size_t shown = 0;  // as CSV: the actions before this one
  for (std::size_t i = 0; i < layout.actions.size(); ++i) {
    if (options.form == Form::kCsv && i == shown) {
      shown = append_csv(page.text, csv, fields, sources, layout, prepared.formats, bytes, i);
    }
    if (!record::traits(layout.actions[i].kind).prints) {
      act(prepared, i, bytes, outcome);
    } else if (layout.actions[i].kind != ActionKind::kPrinta) {
      continue;
    } else if (options.form == Form::kJsonLines) {
      aggregation_json.print_lines(page, layout.actions[i].aggregations);
    } else if (options.form == Form::kCsv) {
      aggregation_csv.print(page, csv, layout.actions[i].aggregations, prepared.formats[i]);
    }
  }
}

void State::received(const record::Header& header, const Prepared& prepared, Bytes bytes) {
  const record::Layout& layout = *prepared.layout;
  const bool was_consuming = std::exchange(is_consuming, prepared.uses_aggregations);
  receiver->record(header, layout, bytes, fields, [&](std::size_t action) {
    std::string formatted;
    append_formatted(formatted, layout, layout.actions[action], prepared.formats[action], bytes);
    return formatted;
  });
  is_consuming = was_consuming;
}

// The header before the first row, and the row up to its data. Flow indent
// shows rows even when quiet.
void State::row(const record::Header& header, const Prepared& prepared) {
  if (options.quiet && !options.flow_indent) {
    return;
  }
  if (!std::exchange(has_header, true)) {
    if (!options.bare) {
      page.text += options.flow_indent ? "CPU " : "CPU     ID ";
    }
    page.text += options.flow_indent ? "FUNCTION                                 \n"
                                     : "                   FUNCTION:NAME\n";
  }
  if (!options.bare) {
    append_unsigned(page.text, header.cpu, 3);
    page.text += ' ';
  }
  if (options.flow_indent) {
    note_others();
    flow.append_row(page, header, prepared.probe, prepared.flow, prepared.has_others);
  } else {
    page.text += prepared.prefix;
  }
}

// Whether the record belongs to a speculation, which then has it.
bool State::is_kept(const Prepared& prepared, Bytes bytes) {
  if (prepared.speculation == nullptr) {
    return false;
  }
  const record::Field& field = *prepared.speculation;
  const Number id = number_of({&field.type, bytes.subspan(field.offset, field.type.size)});
  if (static_cast<std::int64_t>(id.bits) == -1) {
    return false;
  }
  speculations.add(static_cast<std::int32_t>(id.bits), bytes);
  return true;
}

// What was kept comes out where the commit stands.
void State::commit(std::int32_t id) {
  for (const std::vector<std::uint8_t>& kept : speculations.commit(id)) {
    record::Header header;
    std::memcpy(&header, kept.data(), sizeof header);
    clause(header, {}, kept, true);
  }
}

Outcome State::clause(const record::Header& header, FiringId firing, Bytes bytes,
                      bool is_committed) {
  Outcome outcome;
  const Prepared* prepared = prepare(header.epid);
  if (prepared == nullptr || bytes.size() < prepared->layout->size_bytes) {
    error(fmt::format("malformed record: {}", find_flaw(schema, bytes)));
    return outcome;
  }
  if (!is_committed && is_kept(*prepared, bytes)) {
    return outcome;
  }
  if (prepared->uses_aggregations) {
    enter_firing(firing);
  }
  if (tap != nullptr) {
    learn(*prepared, bytes);
  }
  for (const auto& receive : recorded) {
    receive(header, *prepared->layout, bytes, fields);
  }
  notify_acting(*prepared, bytes, Side::kBefore);
  if (receiver != nullptr && receiver->wants_records() && !prepared->is_silent) {
    received(header, *prepared, bytes);
  }
  if (!prints()) {
    for (std::size_t i = 0; i < prepared->layout->actions.size(); ++i) {
      if (!record::traits(prepared->layout->actions[i].kind).prints) {
        act(*prepared, i, bytes, outcome);
      }
    }
  } else if (options.form != Form::kText && !prepared->is_silent) {
    structured(header, *prepared, bytes, outcome);
  } else {
    const bool is_row = !prepared->is_silent && !prepared->is_table;
    if (options.refresh && !is_committed) {
      refresh(*prepared, firing);
    }
    if (is_row) {
      row(header, *prepared);
    }
    for (std::size_t i = 0; i < prepared->layout->actions.size(); ++i) {
      act(*prepared, i, bytes, outcome);
    }
    if (is_row && (!options.quiet || options.flow_indent)) {
      page.text += '\n';
    }
  }
  notify_acting(*prepared, bytes, Side::kAfter);
  if (flow.is_waiting(page)) {
    page.relieve();
  } else {
    page.hand_over();
  }
  return outcome;
}

void State::notify_acting(const Prepared& prepared, Bytes bytes, Side side) {
  if (acting.empty() || !prepared.uses_aggregations) {
    return;
  }
  const record::Layout& layout = *prepared.layout;
  tell_acting(layout, {acting_firings, record::time_of(layout, bytes)}, side);
}

void State::tell_acting(const record::Layout& layout, const Moment& moment, Side side) {
  const bool was_consuming = std::exchange(is_consuming, true);
  for (const auto& receive : acting) receive(layout, moment, side);
  is_consuming = was_consuming;
}

Consumer::Consumer(Connections to, Options options)
    : state_(std::make_unique<State>(std::move(to), std::move(options))) {
  state_->csv.follow(state_->options.csv_header);
}

Consumer::~Consumer() = default;

void Consumer::give_up_when(std::function<bool()> wants_end) {
  state_->aggregations.give_up_when(std::move(wants_end));
}

bool Consumer::has_given_up() const { return state_->aggregations.has_given_up(); }

void Consumer::advise_with(Advise advise) { state_->advise = std::move(advise); }

Outcome State::record(FiringId firing, Bytes bytes) {
  const Outcome outcome = consumed(firing, bytes);
  if (tap != nullptr) {
    tap->record(firing, bytes);
  }
  return outcome;
}

// Whatever output is made of it now, another one may be made of it later: aggregations are read
// where it acts on them, and names are asked for while they can be known.
void State::learn(const Prepared& prepared, Bytes bytes) {
  const record::Layout& layout = *prepared.layout;
  for (const record::Field* field : prepared.named) {
    fields.learn(value_of(*field, bytes));
  }
  if (!prepared.uses_aggregations && !prepared.is_looked_up) {
    return;
  }
  for (std::size_t i = 0; i < layout.actions.size(); ++i) {
    const record::Action& action = layout.actions[i];
    aggregations.refresh(action.aggregations);
    if (prepared.is_looked_up && action.kind == ActionKind::kPrintf) {
      std::string text;
      append_formatted(text, layout, action, prepared.formats[i], bytes);
    }
  }
}

Outcome State::consumed(FiringId firing, Bytes bytes) {
  record::Header header{};
  if (bytes.size() >= sizeof header) {
    std::memcpy(&header, bytes.data(), sizeof header);
    switch (record::kind_of(header)) {
      case record::Kind::kClause:
        return clause(header, firing, bytes);
      case record::Kind::kFault:
        fault(bytes);
        return {};
    }
  }
  error(fmt::format("malformed record: {}", find_flaw(schema, bytes)));
  return {};
}

Outcome Consumer::consume(std::span<const std::uint8_t> bytes) {
  Outcome outcome;
  state_->firings.add(state_->with_numbers(bytes), state_->consume_to(outcome));
  return outcome;
}

void Consumer::supply_with(BeginSupply supply) { state_->supply = std::move(supply); }

void Consumer::consume_again(const FiringId& firing, std::span<const std::uint8_t> bytes) {
  state_->record(firing, bytes);
}

void Consumer::tap_with(Tap& tap) { state_->tap = &tap; }

void Consumer::learn_key(std::uint32_t aggregation, std::span<const std::uint8_t> key) {
  for (const record::Field& field : state_->schema.aggregations[aggregation].keys) {
    const Bytes bytes = key_field(field, key);
    if (bytes.size() == field.type.size) {
      state_->fields.learn({&field.type, bytes});
    }
  }
}

void Consumer::name_accounts_with(std::function<std::string(bool, std::int64_t)> name) {
  state_->fields.name_accounts_with(std::move(name));
}

void Consumer::refresh() {
  state_->aggregations.begin_firing();
  for (std::uint32_t i = 0; i < state_->schema.aggregations.size(); ++i) {
    state_->aggregations.refresh({&i, 1});
  }
}

bool Consumer::is_holding() const {
  return state_->firings.is_holding() || state_->flow.is_waiting(state_->page);
}

Status Consumer::complete_firings(const std::function<Status()>& wait) {
  const std::uint64_t taken = state_->firings.taken();
  state_->flow.expect_settling();
  Status status = wait();
  Outcome outcome;
  state_->firings.settle(taken, state_->consume_to(outcome));
  state_->flow.settle();
  if (!state_->flow.is_waiting(state_->page)) state_->page.hand_over();
  return status;
}

bool Consumer::names_user_code() const {
  const auto has_user_field = [](const std::vector<record::Field>& fields) {
    return std::any_of(fields.begin(), fields.end(),
                       [](const record::Field& field) { return is_user(field.type.kind); });
  };
  const record::Schema& schema = state_->schema;
  return std::any_of(schema.aggregations.begin(), schema.aggregations.end(),
                     [&](const auto& each) { return has_user_field(each.keys); }) ||
         std::any_of(schema.layouts.begin(), schema.layouts.end(),
                     [&](const auto& each) { return has_user_field(each.fields); });
}

void Consumer::note_processes() {
  // At most a tenth of the time: reading many keys takes longer than it is worth.
  const auto begin = Clock::now();
  if (begin < state_->next_note) {
    return;
  }
  state_->aggregations.note_processes(state_->resolver);
  const auto end = Clock::now();
  state_->next_note = end + 9 * (end - begin);
}

Status Consumer::read_aggregation(std::uint32_t aggregation, const VisitRow& visit) {
  State& state = *state_;
  if (!state.is_consuming) {
    state.aggregations.begin_firing();
  }
  return state.aggregations.each_row(
      aggregation, [&](Bytes key, const Aggregate& aggregate, std::uint32_t element) {
        visit(state.fields, key, aggregate, element);
      });
}

void Consumer::when_removed(VisitRow visit) {
  State& state = *state_;
  state.aggregations.when_removed([&state, visit = std::move(visit)](Bytes key,
                                                                     const Aggregate& aggregate,
                                                                     std::uint32_t element) {
    visit(state.fields, key, aggregate, element);
  });
}

void Consumer::when_recorded(Recorded recorded) { state_->recorded.push_back(std::move(recorded)); }

void Consumer::when_acting(Acting acting) { state_->acting.push_back(std::move(acting)); }

// Each side sees the aggregations as they are then.
void Consumer::act(const record::Layout& layout, std::int64_t time_ns, bool is_of_last,
                   const std::function<void()>& action) {
  if (!is_of_last) ++state_->acting_firings;
  const Moment moment{state_->acting_firings, time_ns};
  state_->aggregations.begin_firing();
  state_->tell_acting(layout, moment, Side::kBefore);
  action();
  state_->aggregations.begin_firing();
  state_->tell_acting(layout, moment, Side::kAfter);
}

void Consumer::when_counted(std::function<void(std::span<const std::uint64_t>)> counted) {
  state_->counted.push_back(std::move(counted));
}

std::string Consumer::aggregation_text(std::uint32_t aggregation) {
  if (!state_->is_consuming) {
    state_->aggregations.begin_firing();
  }
  state_->aggregation_text.print_default(state_->page, {&aggregation, 1});
  return std::exchange(state_->page.text, {});
}

std::string Consumer::describe(std::span<const std::uint8_t> bytes) const {
  return describe_record(state_->schema, bytes);
}

}  // namespace dt::consumer
