// See tape.h.

#include "api/run/tape.h"

#include <fcntl.h>
#include <fmt/core.h>
#include <sys/utsname.h>
#include <unistd.h>

#include <algorithm>
#include <utility>

#include "api/options/option_table.h"
#include "api/options/time_text.h"
#include "api/output/pictures.h"
#include "api/run/compile.h"
#include "consumer/consumer.h"
#include "consumer/value/number_names.h"
#include "recording/file.h"
#include "recording/names.h"
#include "recording/program.h"
#include "support/tagged.h"

namespace dt::api {
namespace {

using recording::Entry;
using support::TaggedWriter;

// The options on which output depends, apart from its form. Those of a recording hold where the
// command that replays it says nothing.
constexpr std::string_view kOfOutput[] = {"quiet",         "flowindent", "stackindent", "rawbytes",
                                          "aggsortkey",    "aggsortrev", "aggsortpos",  "aggzoom",
                                          "agghist",       "aggpack",    "aggpercpu",   "encoding",
                                          "aggsortkeypos", "aggnonzero", "droptags",    "specsize",
                                          "lines",         "inlines",    "bare"};

bool has_handlers(const Compiled& compiled) {
  return compiled.front_end != nullptr && compiled.front_end->session() != nullptr;
}

recording::Head head_of(const Request& request, const Compiled& compiled) {
  recording::Head head;
  utsname names{};
  if (::uname(&names) == 0) {
    head.kernel = names.release;
  }
  head.host = host_name();
  head.cpus = static_cast<std::uint32_t>(compiled.kernel.online_cpus().size());
  head.start_ns = now_ns();
  head.title = title_of(request);
  if (has_handlers(compiled)) {
    head.needs = recording::kOfOutcomes;
    head.language = request.programs.front().language;
  }
  return head;
}

}  // namespace

std::string host_name() {
  utsname names{};
  return ::uname(&names) == 0 ? names.nodename : "";
}

void take_options(const std::vector<std::pair<std::string, std::string>>& recorded,
                  Options& options) {
  for (const auto& [name, value] : recorded) {
    const bool is_known =
        std::find(std::begin(kOfOutput), std::end(kOfOutput), name) != std::end(kOfOutput);
    if (is_known && !options.given.contains(name)) {
      // A value that this version does not take is one of a later version.
      static_cast<void>(set_option(options, name, value));
    }
  }
}

Tape::Tape(const Compiled& compiled, Fd fd, int given, std::string name)
    : compiled_(compiled),
      fd_(std::move(fd)),
      is_stdout_(!fd_.valid()),
      output_(fd_.valid() ? fd_.get() : given, std::move(name)),
      writer_(output_, compiled.plan.schema),
      put_([this](Entry entry, std::string_view payload) { writer_.put(entry, payload); }) {}

Result<std::unique_ptr<Tape>> Tape::open(const Compiled& compiled, const Request& request) {
  const std::string& name = compiled.options.record;
  const bool is_stdout = name == "-";
  recording::NewFile file;
  if (is_stdout && compiled.options.recordsize != 0) {
    return Error::of("recordsize needs a file: of a pipe, nothing can be taken back",
                     "-x record=FILE");
  }
  if (is_stdout && ::isatty(STDOUT_FILENO) == 1) {
    return Error::of("a recording is not written to a terminal", "-x record=FILE");
  }
  if (!is_stdout) {
    DT_ASSIGN(file, recording::create_file(name));
  }
  std::unique_ptr<Tape> tape(
      new Tape(compiled, std::move(file.fd), STDOUT_FILENO, is_stdout ? "<stdout>" : name));
  tape->has_replaced_ = file.has_replaced;
  recording::Program program;
  program.head = head_of(request, compiled);
  tape->start_ns_ = program.head.start_ns;
  const Options defaults;
  for (const std::string_view option : kOfOutput) {
    const std::string value = option_text(compiled.options, option);
    if (value != option_text(defaults, option)) program.options.emplace_back(option, value);
  }
  if (has_handlers(compiled)) {
    tape->is_of_outcomes_ = true;
    tape->next_refresh_ = Clock::time_point::max();  // variables are at home
  } else {
    program.schema = compiled.plan.schema;
  }
  recording::put_program(program, compiled.sources, tape->put_);
  tape->flush();
  if (const std::uint64_t most = compiled.options.recordsize; most != 0) {
    if (Status can = recording::can_take_out(tape->fd_.get()); !can.ok()) {
      tape->discard();
      return can.error();
    }
    tape->keep_at_most(most);
  }
  if (const Error* error = tape->take_error()) {
    tape->discard();
    return *error;
  }
  return tape;
}

void Tape::discard() {
  if (!is_stdout_) recording::remove_file(compiled_.options.record, has_replaced_);
}

std::unique_ptr<symbol::Resolver> Tape::resolver(std::unique_ptr<symbol::Resolver> inner) {
  std::unique_ptr<recording::TapingResolver> names =
      recording::taping_resolver(std::move(inner), put_);
  names_ = names.get();
  return names;
}

record::AggregationSource& Tape::source(record::AggregationSource& inner) {
  if (source_ != nullptr) {  // another consumer goes on with the same numbers of keys
    return *source_;
  }
  source_ = std::make_unique<recording::TapingSource>(
      inner, compiled_.plan.schema, put_,
      [this](std::uint32_t aggregation, std::span<const std::uint8_t> key) {
        if (consumer_ != nullptr) consumer_->learn_key(aggregation, key);
      });
  return *source_;
}

void Tape::join(consumer::Consumer& consumer,
                std::function<std::string(ProbeId probe, std::uint32_t argument)> advise) {
  consumer_ = &consumer;
  consumer.tap_with(*this);
  consumer.advise_with([this, advise = std::move(advise)](ProbeId probe, std::uint32_t argument) {
    std::string text = advise(probe, argument);
    recording::put_advice(put_, probe.value, argument, text);
    return text;
  });
  consumer.name_accounts_with([this](bool is_group, std::int64_t number) {
    std::string name = consumer::account_name(is_group, number);
    recording::put_account(put_, is_group, number, name);
    if (compiled_.options.recordsize != 0) accounts_[{is_group, number}] = name;
    return name;
  });
}

void Tape::keep_at_most(std::uint64_t bytes) {
  writer_.keep_at_most(bytes, [this](std::uint64_t begin, std::uint64_t end) {
    output_.flush();
    const Result<std::uint64_t> shorter = recording::take_out(fd_.get(), begin, end);
    if (shorter.ok()) return *shorter;
    // Better none of what comes than a full disk.
    size_error_ = shorter.error();
    output_.redirect(Fd(::open("/dev/null", O_WRONLY | O_CLOEXEC)), "/dev/null");
    return std::uint64_t{0};
  });
  // Nothing is known yet.
  writer_.begin_segment();
  writer_.put(Entry::kSegment, "");
  writer_.put(Entry::kSegmentRead, "");
  writer_.segment_begun();
}

// For a reader that begins here, all names and the whole aggregations are written again. Never
// between the records of a firing, whose actions must see one state of the aggregations: so the
// file may become longer by what one turn takes from the buffer.
void Tape::keep_size() {
  if (!writer_.wants_segment() || (consumer_ == nullptr && !is_of_outcomes_)) return;
  // What is drained has been read, so none of it is in two segments.
  if (consumer_ != nullptr) consumer_->refresh();
  writer_.begin_segment();
  writer_.put(Entry::kSegment, "");
  if (names_ != nullptr) names_->say_again();
  for (const auto& [account, name] : accounts_) {
    recording::put_account(put_, account.first, account.second, name);
  }
  if (source_ != nullptr) source_->say_again();
  drops(counters_);
  if (consumer_ != nullptr) consumer_->refresh();
  writer_.put(Entry::kSegmentRead, "");
  writer_.segment_begun();
}

void Tape::record(consumer::FiringId firing, consumer::Bytes bytes) {
  ++records_;
  writer_.put_record(firing.number, {reinterpret_cast<const char*>(bytes.data()), bytes.size()});
}

void Tape::drops(std::span<const std::uint64_t> counters) {
  if (counters.data() != counters_.data()) counters_.assign(counters.begin(), counters.end());
  std::string payload;
  for (const std::uint64_t counter : counters) support::append_varint(payload, counter);
  writer_.put(Entry::kDrops, payload);
}

void Tape::outcome(const front::Outcome& outcome) {
  ++records_;
  writer_.put(Entry::kOutcome, front::encoded(outcome));
}

void Tape::message(std::string_view text) const { recording::put_message(put_, text, ""); }

const Error* Tape::look(Clock::time_point now) {
  if (now >= next_refresh_) {
    const std::int64_t time_ns = now_ns();
    consumer_->refresh();
    names_->ask_again();
    if (refreshed_) refreshed_(time_ns);
    std::string payload;
    TaggedWriter(payload).number(1, static_cast<std::uint64_t>(time_ns));
    writer_.put(Entry::kRefresh, payload);
    // Reading takes at most a tenth of the time.
    constexpr int kTimes = 10;
    const Clock::duration took = Clock::now() - now;
    const std::chrono::nanoseconds rate(compiled_.options.aggrate_ns);
    next_refresh_ = now + std::max<Clock::duration>(rate, kTimes * took);
  }
  if (now >= writer_.due()) flush();
  keep_size();
  return take_error();
}

void Tape::interrupted() { writer_.put(Entry::kInterrupted, ""); }

void Tape::finish(std::int32_t status, bool prints, std::int64_t time_ns) {
  if (consumer_ != nullptr) consumer_->refresh();
  if (names_ != nullptr) names_->ask_again();
  std::string payload;
  TaggedWriter writer(payload);
  writer.number(1, support::folded_sign(status));
  writer.number(2, prints ? 1 : 0);
  writer.number(3, static_cast<std::uint64_t>(time_ns));
  writer_.put(Entry::kFinish, payload);
}

void Tape::end(int status) {
  std::string payload;
  TaggedWriter writer(payload);
  writer.number(1, static_cast<std::uint64_t>(status));
  writer.number(2, records_);
  writer_.put(Entry::kEnd, payload);
  writer_.finish();
}

const Error* Tape::take_error() {
  const std::optional<Error>& error = output_.error() ? output_.error() : size_error_;
  if (!error || std::exchange(has_said_error_, true)) return nullptr;
  return &*error;
}

}  // namespace dt::api
