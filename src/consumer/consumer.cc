// One record after another: the row, and what each action of it prints or does.

#include "consumer/consumer.h"

#include <chrono>
#include <cstring>
#include <vector>

#include "consumer/aggregations.h"
#include "consumer/describe.h"
#include "consumer/drops.h"
#include "consumer/format.h"
#include "consumer/value.h"

namespace dt::consumer {
namespace {

using record::ActionKind;
using Clock = std::chrono::steady_clock;

// Records of one firing follow each other at once; see State::enter_firing.
constexpr auto kSameFiring = std::chrono::milliseconds(1);

// What is known of an enabled probe before its records come.
struct Prepared {
  const record::Layout* layout = nullptr;  // nullptr: not prepared yet
  std::uint32_t probe = 0;
  std::string prefix;           // the row between the CPU and the data
  std::vector<Format> formats;  // by action
  bool uses_aggregations = false;
};

bool acts_on_aggregations(ActionKind kind) {
  switch (kind) {
    case ActionKind::kPrinta:
    case ActionKind::kClear:
    case ActionKind::kTrunc:
    case ActionKind::kNormalize:
    case ActionKind::kDenormalize:
      return true;
    case ActionKind::kTrace:
    case ActionKind::kTracemem:
    case ActionKind::kPrintf:
    case ActionKind::kStack:
    case ActionKind::kUstack:
    case ActionKind::kSym:
    case ActionKind::kExit:
    case ActionKind::kDefault:
      return false;
  }
  return false;
}

}  // namespace

struct Consumer::State {
  State(const record::Schema& schema_in, const Sources& sources_in, symbol::Resolver& resolver_in,
        record::AggregationSource& source, Output& output,
        std::function<void(std::string_view)> error_in, Options options_in)
      : schema(schema_in),
        sources(sources_in),
        resolver(resolver_in),
        error(std::move(error_in)),
        options(options_in),
        fields(schema, resolver, options, error),
        aggregations(schema, source, fields, options, error),
        page(output) {}

  Prepared* prepare(std::uint32_t epid);
  Outcome clause(const record::Header& header, Bytes bytes);
  void fault(Bytes bytes);
  std::string place_of(const record::FaultSite& site) const;
  void enter_firing(const record::Header& header, std::uint32_t probe);

  void act(const Prepared& prepared, std::size_t index, Bytes bytes, Outcome& outcome);
  void print_formatted(const record::Layout& layout, const record::Action& action,
                       const Format& format, Bytes bytes);
  void print_memory(const record::Layout& layout, const record::Action& action, Bytes bytes);
  std::int64_t number(const record::Layout& layout, const record::Action& action, Bytes bytes,
                      std::int64_t otherwise) const;

  const record::Schema& schema;
  const Sources& sources;
  symbol::Resolver& resolver;
  std::function<void(std::string_view)> error;
  Options options;
  FieldText fields;
  Aggregations aggregations;
  Page page;
  Drops drops;
  std::vector<Prepared> prepared_by_epid;
  bool has_header = false;

  // The latest record that acted on aggregations.
  record::Header last{};
  std::uint32_t last_probe = 0;
  Clock::time_point last_end{};
  Clock::time_point next_note{};
};

namespace {

Value value_at(const record::Layout& layout, std::uint32_t field, Bytes bytes) {
  const record::Field& f = layout.fields[field];
  return {&f.type, bytes.subspan(f.offset, f.type.size)};
}

}  // namespace

Prepared* Consumer::State::prepare(std::uint32_t epid) {
  if (epid == 0 || epid > schema.epids.size()) {
    return nullptr;
  }
  if (prepared_by_epid.size() < schema.epids.size()) {
    prepared_by_epid.resize(schema.epids.size());
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
  std::string name = names == nullptr ? "?" : names->function + ":" + names->name;
  std::string shown;
  fields.append_foreign(shown, name);
  prepared.prefix = fmt::format(" {:6} {:>32} ", info.probe.value, shown);
  prepared.probe = info.probe.value;
  for (const record::Action& action : layout.actions) {
    prepared.formats.push_back(parse_format(action.format));
    prepared.uses_aggregations |= acts_on_aggregations(action.kind);
  }
  prepared.layout = &layout;
  return &prepared;
}

// Several clauses of one firing record one after another, with ascending EPIDs;
// what they do to aggregations happens to one state of them, so that nothing
// is lost between `printa(@)` in one clause and `clear(@)` in the next.
void Consumer::State::enter_firing(const record::Header& header, std::uint32_t probe) {
  const bool same = last_probe == probe && last.cpu == header.cpu && last.epid < header.epid &&
                    last.epid != 0 && Clock::now() - last_end < kSameFiring;
  if (!same) {
    aggregations.begin_firing();
  }
  last = header;
  last_probe = probe;
}

std::int64_t Consumer::State::number(const record::Layout& layout, const record::Action& action,
                                     Bytes bytes, std::int64_t otherwise) const {
  if (action.field_count == 0) {
    return otherwise;
  }
  return static_cast<std::int64_t>(number_of(value_at(layout, action.first_field, bytes)).bits);
}

void Consumer::State::print_formatted(const record::Layout& layout, const record::Action& action,
                                      const Format& format, Bytes bytes) {
  std::uint32_t next = action.first_field;
  const std::uint32_t end = action.first_field + action.field_count;
  const auto take_number = [&](std::int64_t otherwise) {
    return next < end ? static_cast<std::int64_t>(number_of(value_at(layout, next++, bytes)).bits)
                      : otherwise;
  };
  for (const Piece& stored : format) {
    page.text += stored.text;
    if (stored.conversion == 0) {
      continue;
    }
    if (!stored.width_argument && !stored.precision_argument) {
      if (next < end) {
        fields.append_conversion(page.text, stored, value_at(layout, next++, bytes));
      }
      continue;
    }
    Piece piece = stored;
    if (piece.width_argument) {
      set_width(piece, take_number(0));
    }
    if (piece.precision_argument) {
      set_precision(piece, take_number(-1));
    }
    if (next < end) {
      fields.append_conversion(page.text, piece, value_at(layout, next++, bytes));
    }
  }
}

void Consumer::State::print_memory(const record::Layout& layout, const record::Action& action,
                                   Bytes bytes) {
  Bytes memory = value_at(layout, action.first_field, bytes).bytes;
  if (action.field_count > 1) {
    const Number size = number_of(value_at(layout, action.first_field + 1, bytes));
    const bool positive = size.is_signed ? static_cast<std::int64_t>(size.bits) > 0 : size.bits > 0;
    if (positive && size.bits < memory.size()) {
      memory = memory.first(static_cast<std::size_t>(size.bits));
    }
  }
  append_hex_dump(page.text, memory);
}

void Consumer::State::act(const Prepared& prepared, std::size_t index, Bytes bytes,
                          Outcome& outcome) {
  const record::Layout& layout = *prepared.layout;
  const record::Action& action = layout.actions[index];
  switch (action.kind) {
    case ActionKind::kTrace:
    case ActionKind::kStack:
    case ActionKind::kUstack:
    case ActionKind::kSym:
      if (action.field_count > 0) {
        fields.append_default(page.text, value_at(layout, action.first_field, bytes), Place::kRow);
      }
      return;
    case ActionKind::kTracemem:
      if (action.field_count > 0) {
        print_memory(layout, action, bytes);
      }
      return;
    case ActionKind::kPrintf:
      print_formatted(layout, action, prepared.formats[index], bytes);
      return;
    case ActionKind::kPrinta:
      if (action.format.empty()) {
        aggregations.print_default(page, action.aggregations);
      } else {
        aggregations.print_formatted(page, action.aggregations, prepared.formats[index]);
      }
      return;
    case ActionKind::kExit:
      outcome.exit_status = static_cast<std::int32_t>(number(layout, action, bytes, 0));
      return;
    case ActionKind::kClear:
      for (const std::uint32_t aggregation : action.aggregations) {
        aggregations.clear(aggregation);
      }
      return;
    case ActionKind::kTrunc:
      for (const std::uint32_t aggregation : action.aggregations) {
        aggregations.trunc(aggregation,
                           action.has_trunc_count ? number(layout, action, bytes, 0) : 0);
      }
      return;
    case ActionKind::kNormalize:
      for (const std::uint32_t aggregation : action.aggregations) {
        aggregations.normalize(aggregation, number(layout, action, bytes, 1));
      }
      return;
    case ActionKind::kDenormalize:
      for (const std::uint32_t aggregation : action.aggregations) {
        aggregations.normalize(aggregation, 1);
      }
      return;
    case ActionKind::kDefault:
      return;
  }
}

Outcome Consumer::State::clause(const record::Header& header, Bytes bytes) {
  Outcome outcome;
  const Prepared* prepared = prepare(header.epid);
  if (prepared == nullptr || bytes.size() < prepared->layout->size_bytes) {
    error(fmt::format("malformed record: {}", find_flaw(schema, bytes)));
    return outcome;
  }
  if (!options.quiet) {
    if (!has_header) {
      page.text += "CPU     ID                    FUNCTION:NAME\n";
      has_header = true;
    }
    append_unsigned(page.text, header.cpu, 3);
    page.text += prepared->prefix;
  }
  if (prepared->uses_aggregations) {
    enter_firing(header, prepared->probe);
  }
  for (std::size_t i = 0; i < prepared->layout->actions.size(); ++i) {
    act(*prepared, i, bytes, outcome);
  }
  if (!options.quiet) {
    page.text += '\n';
  }
  page.hand_over();
  if (prepared->uses_aggregations) {
    last_end = Clock::now();
  }
  return outcome;
}

// "script.d:24:13"; text of the command line has no file: "1:17".
std::string Consumer::State::place_of(const record::FaultSite& site) const {
  if (site.span.source >= sources.size()) {
    return "an unknown place";
  }
  const Source& source = sources.at(site.span.source);
  const support::Location location = sources.locate(site.span);
  const bool has_file = !source.from_command_line || location.file != source.name();
  return fmt::format("{}{}:{}", has_file ? location.file + ":" : std::string(), location.line,
                     location.column);
}

void Consumer::State::fault(Bytes bytes) {
  const std::string flaw = find_flaw(schema, bytes);
  if (!flaw.empty()) {
    error(fmt::format("malformed record: {}", flaw));
    return;
  }
  record::FaultRecord record;
  std::memcpy(&record, bytes.data(), sizeof record);
  const record::EpidInfo& info = schema.epids[record.header.epid - 1];
  const auto kind = static_cast<record::Fault>(record.fault);
  std::string text = fmt::format(
      "error on enabled probe ID {} (ID {}: {}): {}", record.header.epid, info.probe.value,
      probe_name(record::find_probe(schema, info.probe)), record::fault_text(kind));
  if (kind == record::Fault::kBadAddress || kind == record::Fault::kBadAlignment ||
      kind == record::Fault::kBadStack) {
    text += fmt::format(" (0x{:x})", record.address);
  }
  if (record.site < schema.fault_sites.size()) {
    const record::FaultSite& site = schema.fault_sites[record.site];
    text += site.action == 0 ? std::string(" in predicate")
                             : fmt::format(" in action #{}", site.action);
    text += " at " + place_of(site);
  }
  error(text);
}

Consumer::Consumer(const record::Schema& schema, const Sources& sources, symbol::Resolver& resolver,
                   record::AggregationSource& aggregations, Output& output,
                   std::function<void(std::string_view)> error, Options options)
    : state_(std::make_unique<State>(schema, sources, resolver, aggregations, output,
                                     std::move(error), options)) {}

Consumer::~Consumer() = default;

Outcome Consumer::consume(std::span<const std::uint8_t> bytes) {
  record::Header header{};
  if (bytes.size() >= sizeof header) {
    std::memcpy(&header, bytes.data(), sizeof header);
    switch (static_cast<record::Kind>(header.kind)) {
      case record::Kind::kClause:
        return state_->clause(header, bytes);
      case record::Kind::kFault:
        state_->fault(bytes);
        return {};
    }
  }
  state_->error(fmt::format("malformed record: {}", find_flaw(state_->schema, bytes)));
  return {};
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

void Consumer::print_aggregations() {
  state_->page.text += '\n';
  state_->aggregations.print_rest(state_->page);
  state_->page.hand_over();
}

void Consumer::report_drops(std::span<const std::uint64_t> counters) {
  state_->drops.report(counters, state_->options.drop_tags, state_->error);
}

std::string Consumer::describe(std::span<const std::uint8_t> bytes) const {
  return describe_record(state_->schema, bytes);
}

}  // namespace dt::consumer
