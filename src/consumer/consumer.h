#pragma once
// Bytes -> records -> text. Knows nothing of kernels: it runs as well on a file
// of bytes (-xdump=raw) as on a live ring.

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "consumer/connections.h"
#include "consumer/moment.h"
#include "consumer/outcome.h"
#include "consumer/output/options.h"
#include "consumer/supply.h"
#include "record/aggregation_source.h"
#include "record/printf_format.h"
#include "record/schema.h"
#include "support/ids.h"
#include "support/source.h"

namespace dt::consumer {

class Aggregate;
class FieldText;
class Tap;
struct FiringId;
struct State;

class Consumer {
 public:
  Consumer(Connections to, Options options);
  ~Consumer();

  // `wants_end` is called now and then while aggregations are printed. If it returns true, the
  // remaining rows are not printed.
  void give_up_when(std::function<bool()> wants_end);
  bool has_given_up() const;

  // A hint for a probe whose argument is used as an address, but is none; "" if there is no hint.
  // It is called once for each place.
  using Advise = std::function<std::string(ProbeId probe, std::uint32_t argument)>;
  void advise_with(Advise advise);

  // The source of numbers of the machine that printf() shows. Without it, records have these
  // numbers.
  void supply_with(BeginSupply supply);

  // Decodes and prints one record. Malformed bytes are reported through `error` and skipped. A
  // record of a firing that acts on aggregations may be held back for the rest of the firing, and
  // with it all records behind it (consumer/firings.h).
  Outcome consume(std::span<const std::uint8_t> bytes);
  bool is_holding() const;
  // `wait` returns when all firings have ended that had begun before, and has consumed what they
  // recorded. Then what had been held back before is consumed. At the end of the run, where
  // no firing is left to wait for, it does nothing.
  Status complete_firings(const std::function<Status()>& wait);

  // A record that the tap of another consumer received. It is consumed at once: the other consumer
  // had waited for the rest of its firing.
  void consume_again(const FiringId& firing, std::span<const std::uint8_t> bytes);
  // `tap` receives the records and drops that come from now on. The consumer then looks up every
  // name that some form of output shows, even if its own form does not. `tap` must outlive the
  // consumer.
  void tap_with(Tap& tap);
  // With a tap: looks up all names in the key of an aggregation.
  void learn_key(std::uint32_t aggregation, std::span<const std::uint8_t> key);
  // Sets where names of users and groups come from. Without it, they are those of this machine.
  void name_accounts_with(std::function<std::string(bool is_group, std::int64_t number)> name);
  // Reads all aggregations. What a script sees of them stays the same.
  void refresh();

  // Whether records or keys can have addresses of user programs, which need names.
  bool names_user_code() const;

  // About once a second: learns of the processes whose addresses are keys of
  // aggregations, while they live; afterwards their symbols cannot be found.
  void note_processes();

  // Every element of an aggregation as it is for the record that is being
  // consumed, or now, in the order in which it would be printed.
  using VisitRow = std::function<void(FieldText& fields, std::span<const std::uint8_t> key,
                                      const Aggregate& aggregate, std::uint32_t element)>;
  Status read_aggregation(std::uint32_t aggregation, const VisitRow& visit);
  // Sets what is called for each element that clear() and trunc() remove, with its last value.
  void when_removed(VisitRow visit);

  // Called for each record that acts on aggregations, before its actions act and after them:
  // read_aggregation() gives the aggregations as the actions find them, and as they leave them. All
  // functions that were set are called.
  void when_acting(Acting acting);
  // Acts without a record: `action` does what a record with this layout, which is one of the
  // schema's, would do to aggregations. Functions of when_acting() are called before and after it.
  // `is_of_last`: it belongs to the firing of the last act().
  void act(const record::Layout& layout, std::int64_t time_ns, bool is_of_last,
           const std::function<void()>& action);
  // Sets what is called for each record of a clause that is printed; for one of a speculation, when
  // the speculation is committed.
  using Recorded = std::function<void(const record::Header& header, const record::Layout& layout,
                                      std::span<const std::uint8_t> bytes, FieldText& fields)>;
  void when_recorded(Recorded recorded);
  // Sets what is called at each report_drops() with all counters of drops, those of speculations
  // among them.
  void when_counted(std::function<void(std::span<const std::uint64_t> counters)> counted);
  // The text of printa() without a format, whatever the form of the output is.
  std::string aggregation_text(std::uint32_t aggregation);

  // To be called at the end of the run: prints a newline, also if there is no aggregation; then
  // every aggregation that no printa() has shown.
  void print_aggregations();

  // True if an aggregation could not be read: its values are lost, and this was reported.
  bool has_failed() const;

  // The last line of structured output.
  void print_end(std::int32_t status);

  // Reports the faults that have come again, and the increase of each counter since the last call,
  // in DTrace's words ("17 drops on CPU 2"). `counters` holds kDropCounters values per CPU.
  void report_drops(std::span<const std::uint64_t> counters);

  // Text of one record for -xdump=records.
  std::string describe(std::span<const std::uint8_t> bytes) const;

 private:
  std::unique_ptr<State> state_;
};

}  // namespace dt::consumer
