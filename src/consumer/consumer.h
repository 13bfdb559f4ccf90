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

#include "record/aggregation_source.h"
#include "record/schema.h"
#include "support/source.h"
#include "symbol/resolve/resolver.h"

namespace dt::consumer {

// Where text goes (consumer/output.h has a file and a string). Writing can fail (a closed pipe, a
// full disk); the first failure is kept and the caller ends the run with it.
class Output {
 public:
  virtual ~Output() = default;
  virtual void write(std::string_view text) = 0;
  virtual void flush() = 0;
  // False when nobody takes the text: it need not be made.
  virtual bool is_wanted() const { return true; }
};

// What output looks like: DTrace's text, one JSON object on each line, or
// FreeBSD's JSON document.
enum class Form : std::uint8_t { kText, kJsonLines, kJson };

struct Options {
  Form form = Form::kText;
  bool quiet = false;
  bool flow_indent = false;
  std::uint32_t stack_indent = 14;
  bool raw_bytes = false;
  bool agg_sort_key = false;
  bool agg_sort_rev = false;
  std::uint32_t agg_sort_pos = 0;
  std::uint32_t agg_sort_key_pos = 0;
  bool agg_zoom = false;
  bool agg_hist = false;
  bool agg_pack = false;
  bool agg_per_cpu = false;
  bool utf8 = false;  // bars and packed histograms of block characters
  bool drop_tags = false;
  std::uint64_t speculation_bytes = 32 << 10;  // what one speculation may hold
  // Escape control characters (but newline and tab) and invalid UTF-8 in what
  // the traced system controls.
  bool to_terminal = false;
};

// What actions do besides printing. A consumer of a file of bytes has none.
class Effects {
 public:
  virtual ~Effects() = default;
  // setopt(): changes `options`, or says why not.
  virtual Status set_option(std::string_view name, std::string_view value, Options& options) = 0;
  // freopen(): output goes to the end of this file from now on; "" is where it
  // went at first. Changes what `options` say of the place.
  virtual Status reopen(const std::string& path, Options& options) = 0;
  // Whether nothing has been written yet to where output goes (what is no file
  // has no other place).
  virtual bool is_at_start() { return true; }
  // ftruncate(): empties the file that output goes to.
  virtual Status truncate() = 0;
  // system(): runs a command and waits for its end.
  virtual Status run(const std::string& command) = 0;
};

class Aggregate;
class FieldText;
class Receiver;

// What a batch of records asked for.
struct Outcome {
  std::optional<std::int32_t> exit_status;  // exit() was consumed
};

class Consumer {
 public:
  // All references must outlive the consumer. `error` receives messages for
  // stderr ("dtrace: error on enabled probe ID ...") without the prefix
  // "dtrace: " and without a newline, but for the faults and drops when there is
  // a `receiver`, which is told them.
  Consumer(const record::Schema& schema, const Sources& sources, symbol::Resolver& resolver,
           record::AggregationSource& aggregations, Output& output,
           std::function<void(std::string_view)> error, Options options, Effects* effects = nullptr,
           Receiver* receiver = nullptr);
  ~Consumer();

  // Decodes and prints one record. Malformed bytes are reported through
  // `error` and skipped.
  // A record of a firing that acts on aggregations may be held back for the rest of the
  // firing, and what comes behind it, too (consumer/firings.h).
  Outcome consume(std::span<const std::uint8_t> bytes);
  bool is_holding() const;
  // `wait` returns when all firings have ended that had begun before, and has consumed what they
  // recorded. Then what had been held back before is consumed. At the end of the run, where
  // no firing is left to wait for, it does nothing.
  Status complete_firings(const std::function<Status()>& wait);

  // Whether there can be addresses of user programs, which need names.
  bool names_user_code() const;

  // About once a second: learns of the processes whose addresses are keys of
  // aggregations, while they live; afterwards their symbols cannot be found.
  void note_processes();

  // Every element of an aggregation as it is for the record that is being
  // consumed, or now, in the order in which it would be printed.
  using VisitRow = std::function<void(FieldText& fields, std::span<const std::uint8_t> key,
                                      const Aggregate& aggregate, std::uint32_t element)>;
  Status read_aggregation(std::uint32_t aggregation, const VisitRow& visit);

  // At the end of the run, and also when there is none: a newline, then every
  // aggregation that was not printa()ed.
  void print_aggregations();

  // True when an aggregation could not be read: what it held is lost, which has
  // been said.
  bool has_failed() const;

  // The last line of structured output.
  void print_end(std::int32_t status);

  // Reports the increase of each counter since the last call, in DTrace's
  // words ("17 drops on CPU 2"). `counters` holds kDropCounters values per CPU.
  void report_drops(std::span<const std::uint64_t> counters);

  // Text of one record for -xdump=records.
  std::string describe(std::span<const std::uint8_t> bytes) const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace dt::consumer
