#pragma once
// The state of a Consumer, for the files that make it up: consumer.cc
// (records, rows, faults) and act.cc (what each action prints or does).
//
// A record goes through here as follows; everything is called by the thread that polls.
//
//   with_numbers()            numbers of the machine are written into it
//   record()                  a whole record, of any kind
//     fault()                 a fault: its line, with the place in the script
//     clause()                a clause's record
//       is_kept()             of a speculation: set aside until commit() or discard()
//       received()            to the program that uses the library
//       row(), then act()     the row's beginning, and each action of the layout in turn
//       structured()          or, with -x oformat, the record as a line or an element

#include <chrono>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "consumer/aggregation/aggregations.h"
#include "consumer/aggregation/as_csv.h"
#include "consumer/aggregation/as_json.h"
#include "consumer/aggregation/as_text.h"
#include "consumer/connections.h"
#include "consumer/effects.h"
#include "consumer/firings.h"
#include "consumer/flow.h"
#include "consumer/moment.h"
#include "consumer/outcome.h"
#include "consumer/output/options.h"
#include "consumer/output/output.h"
#include "consumer/output/page.h"
#include "consumer/receiver.h"
#include "consumer/repeated.h"
#include "consumer/speculation.h"
#include "consumer/structured/drops.h"
#include "consumer/structured/json_document.h"
#include "consumer/structured/json_lines.h"
#include "consumer/supply.h"
#include "consumer/tap.h"
#include "consumer/value/format.h"
#include "consumer/value/table.h"
#include "consumer/value/value.h"
#include "record/aggregation_source.h"
#include "record/schema.h"

namespace dt::consumer {

class ShellText;

// What is the same for all records of one EPID, so that a record is printed without look-ups. Made
// when the first record of the EPID arrives, not before: a script may enable thousands of probes of
// which few fire.
struct Prepared {
  const record::Layout* layout = nullptr;  // nullptr: not prepared yet
  std::uint32_t probe = 0;
  std::string prefix;           // the row between the CPU and the data
  FlowName flow;                // and with flow indent
  bool has_others = false;      // other clauses of its probe may make rows
  std::vector<Format> formats;  // by action
  bool is_report = false;       // a clause of its probe has a printa()
  bool is_table = false;        // rows of tables are all that it prints
  bool uses_aggregations = false;
  bool is_looked_up = false;                   // a format looks numbers up as addresses
  std::vector<const record::Field*> named;     // their text has names that are looked up
  const record::Field* speculation = nullptr;  // which one the record belongs to
  bool is_silent = false;                      // it makes no row
  std::vector<SuppliedField> supplied;         // numbers of the machine
};

struct State {
  State(Connections to, Options options_in)
      : schema(to.schema),
        sources(to.sources),
        resolver(to.resolver),
        error(std::move(to.error)),
        options(std::move(options_in)),
        effects(to.effects),
        receiver(to.receiver),
        fields(schema, resolver, options, error),
        tables(fields),
        aggregations(schema, to.aggregations, fields, options, error),
        aggregation_text(aggregations, fields, options),
        aggregation_csv(aggregations, fields, options, sources),
        aggregation_json(aggregations, fields, options, sources),
        page(to.output, options.dress),
        out(to.output),
        document(schema, fields),
        speculations(schema.speculations, options.speculation_bytes) {}

  // nullptr for a number that the schema does not have: then the record is damaged.
  Prepared* prepare(std::uint32_t epid);
  void note_others();
  // The record, with numbers of the machine if it has any: then it is in `supplied`.
  Bytes with_numbers(Bytes bytes);
  Outcome record(FiringId firing, Bytes bytes);
  // For Firings: consumes a record, and keeps in `outcome` the first exit().
  Firings::Consume consume_to(Outcome& outcome) {
    return [this, &outcome](FiringId firing, Bytes bytes) {
      const Outcome one = record(firing, bytes);
      if (!outcome.exit_status) {
        outcome = one;
      }
    };
  }
  Outcome clause(const record::Header& header, FiringId firing, Bytes bytes,
                 bool is_committed = false);
  Outcome consumed(FiringId firing, Bytes bytes);
  void learn(const Prepared& prepared, Bytes bytes);
  void notify_acting(const Prepared& prepared, Bytes bytes, Side side);
  void tell_acting(const record::Layout& layout, const Moment& moment, Side side);
  bool is_kept(const Prepared& prepared, Bytes bytes);
  void commit(std::int32_t id);
  void structured(const record::Header& header, const Prepared& prepared, Bytes bytes,
                  Outcome& outcome);
  bool is_report(ProbeId probe) const;
  void refresh(const Prepared& prepared, FiringId firing);
  void say_error(const ErrorLine& line);
  void show_error(const ErrorLine& line);
  void advise_on(const record::FaultSite& site, std::uint32_t epid);
  void received(const record::Header& header, const Prepared& prepared, Bytes bytes);
  void row(const record::Header& header, const Prepared& prepared);
  void fault(Bytes bytes);
  std::string place_of(const record::FaultSite& site) const;
  // Aggregations are read at most once in a firing: printa() and clear() of one firing see one
  // moment, although they may be in different clauses.
  void enter_firing(FiringId firing);

  std::string probe_text(std::uint32_t epid) const;
  // Whether the text that actions print is wanted.
  bool prints() const { return out.is_wanted() && options.form != Form::kPicture; }

  // act.cc
  void act(const Prepared& prepared, std::size_t index, Bytes bytes, Outcome& outcome);
  void act_on_aggregations(const Prepared& prepared, std::size_t index, Bytes bytes);
  void append_formatted(std::string& text, const record::Layout& layout,
                        const record::Action& action, const Format& format, Bytes bytes,
                        ShellText* command = nullptr);
  void affect(const Prepared& prepared, std::size_t index, Bytes bytes);
  Status perform(const Prepared& prepared, std::size_t index, Bytes bytes);
  void print_row(const Prepared& prepared, std::size_t index, Bytes bytes);
  void print_typed(const record::Layout& layout, const record::Action& action, Bytes bytes);
  void print_memory(const record::Layout& layout, const record::Action& action, Bytes bytes);
  void print_packet(const record::Layout& layout, const record::Action& action, Bytes bytes);
  // The first value of an action as a number, or `otherwise` if it has none.
  std::int64_t number(const record::Layout& layout, const record::Action& action, Bytes bytes,
                      std::int64_t otherwise) const;

  const record::Schema& schema;
  const Sources& sources;
  symbol::Resolver& resolver;
  std::function<void(std::string_view)> error;
  Options options;
  Effects* effects;
  Receiver* receiver;
  Tap* tap = nullptr;
  std::vector<Acting> acting;
  std::vector<std::function<void(const record::Header& header, const record::Layout& layout,
                                 Bytes bytes, FieldText& fields)>>
      recorded;
  std::vector<std::function<void(std::span<const std::uint64_t>)>> counted;
  bool is_consuming =
      false;  // a record whose actions and who receives it see the same aggregations
  FieldText fields;
  Tables tables;
  Csv csv;
  Aggregations aggregations;
  AggregationText aggregation_text;
  AggregationCsv aggregation_csv;
  AggregationJson aggregation_json;
  Page page;
  Output& out;
  Drops drops;
  RepeatedFaults repeated;
  std::function<std::string(ProbeId probe, std::uint32_t argument)> advise;
  BeginSupply supply;                  // not set where records have the numbers already
  std::vector<std::uint8_t> supplied;  // the last record that got some
  Flow flow;
  JsonDocument document;
  Speculations speculations;
  std::vector<Prepared> prepared_by_epid;
  bool knows_others = false;  // has_others of all of these
  bool has_header = false;
  bool is_capture = false;   // output goes to a file of freopen()'s: packets are a capture there
  bool has_capture = false;  // which has begun

  Firings firings{schema};
  FiringId last_firing;              // that acted on aggregations
  std::uint64_t acting_firings = 0;  // how many have
  FiringId last_report;              // with refresh: whose text the screen shows
  std::chrono::steady_clock::time_point next_note{};
};

}  // namespace dt::consumer
