// See replay.h.

#include "api/run/replay.h"

#include <fcntl.h>
#include <fmt/core.h>
#include <poll.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <set>
#include <utility>

#include "api/options/option_table.h"
#include "api/options/time_text.h"
#include "api/output/effects.h"
#include "api/output/open_place.h"
#include "api/output/renderings.h"
#include "api/run/compile.h"
#include "api/run/tape.h"
#include "consumer/consumer.h"
#include "consumer/firings.h"
#include "consumer/output/output.h"
#include "recording/file.h"
#include "support/shown.h"
#include "support/tagged.h"

namespace dt::api {

// Only what the form of output depends on is done again: no file is written and no command run.
class ReplayEffects final : public consumer::Effects {
 public:
  ReplayEffects(Options& options, const consumer::FileOutput& output, const Callbacks& callbacks)
      : options_(options), output_(output), callbacks_(callbacks) {}

  Status set_option(std::string_view name, std::string_view value,
                    consumer::Options& options) override {
    DT_TRY(set_dynamic_option(options_, name, value));
    options = consumer_options(options_, options.to_terminal);
    return {};
  }
  Status reopen(const std::string& path, consumer::Options&) override {
    return path.empty() ? Status() : pass_over("freopen");
  }
  std::size_t columns() override { return terminal_columns(output_.descriptor()); }
  Status truncate() override { return pass_over("ftruncate"); }
  Status run(const std::string&) override { return pass_over("system"); }

 private:
  Status pass_over(const char* action) {
    if (said_.insert(action).second) {
      callbacks_.say(fmt::format("{}() is not done again for a recording", action));
    }
    return {};
  }

  Options& options_;
  const consumer::FileOutput& output_;
  const Callbacks& callbacks_;
  std::set<std::string_view> said_;
};

namespace {

using recording::Entry;
using support::Tagged;

constexpr std::chrono::milliseconds kPatience{200};

Result<std::size_t> read_some(Recording& recording, std::span<char> into) {
  while (true) {
    if (recording.wait && !recording.wait()) {
      recording.is_interrupted = true;
      return std::size_t{0};
    }
    const ssize_t count = ::read(recording.fd.get(), into.data(), into.size());
    if (count >= 0) return static_cast<std::size_t>(count);
    if (errno != EINTR && errno != EAGAIN) {
      return support::system_error("failed to read it", errno);
    }
  }
}

}  // namespace

Result<std::unique_ptr<Recording>> open_recording(const std::string& name, Compiled& compiled) {
  auto recording = std::make_unique<Recording>();
  recording->name = name == "-" ? "<stdin>" : name;
  const auto refused = [&](const Error& error) {
    Error out = error;
    return std::move(out).with(fmt::format("failed to read the recording {}", recording->name));
  };
  recording->fd =
      Fd(name == "-" ? ::dup(STDIN_FILENO) : ::open(name.c_str(), O_RDONLY | O_CLOEXEC | O_NOCTTY));
  if (!recording->fd.valid()) {
    return refused(Error::of_code(std::strerror(errno), errno));
  }
  Recording* const at = recording.get();
  recording->reader = std::make_unique<recording::Reader>(
      [at](std::span<char> into) { return read_some(*at, into); });
  if (const Status status = at->reader->begin(at->program, compiled.sources); !status.ok()) {
    return refused(status.error());
  }
  compiled.plan.schema = std::move(recording->program.schema);
  take_options(recording->program.options, compiled.options);
  return recording;
}

Replay::Replay(Compiled& compiled, std::unique_ptr<Recording> recording, const Request& request,
               const Callbacks& callbacks, const Place& place)
    : compiled_(compiled),
      recording_(std::move(recording)),
      request_(request),
      callbacks_(callbacks),
      output_(open_place(place)),
      to_terminal_(is_terminal(place)),
      place_(place),
      values_(compiled.plan.schema, compiled.sources, callbacks),
      reads_(compiled.plan.schema),
      effects_(std::make_unique<ReplayEffects>(compiled.options, *output_, callbacks)),
      handler_output_(compiled.options, callbacks),
      part_(compiled.options, compiled.plan.schema, recording_->program.head, *recording_->reader,
            reads_, callbacks) {
  names_.show_source({compiled.options.lines, compiled.options.inlines});
  recording_->wait = [this] { return wait_for_bytes(); };
  make_consumer();
}

Replay::~Replay() = default;

void Replay::make_consumer() {
  handler_output_.write_to(*output_);
  consumer::Options options = consumer_options(compiled_.options, to_terminal_);
  if (has_handlers() && !compiled_.options.oformat.empty()) {
    options.form = consumer::Form::kPicture;
  }
  consumer_ = std::make_unique<consumer::Consumer>(
      consumer::Connections{
          compiled_.plan.schema,
          compiled_.sources,
          names_,
          reads_,
          *output_,
          [this](std::string_view text) { callbacks_.say(std::string(text)); },
          effects_.get(),
          &values_,
      },
      std::move(options));
  consumer_->advise_with([this](ProbeId probe, std::uint32_t argument) {
    return names_.advice(probe.value, argument);
  });
  consumer_->name_accounts_with(
      [this](bool is_group, std::int64_t number) { return names_.account(is_group, number); });
  consumer_->give_up_when([this] {
    watched_.take();
    return interrupts_.ends_printing();
  });
  if (has_handlers()) {
    consumer_->when_counted(
        [this](std::span<const std::uint64_t> counters) { handler_output_.drops(counters); });
  }
  if (has_handlers()) return;  // pictures are made of their variables at the end
  const recording::Head& head = recording_->program.head;
  renderings_ = std::make_unique<Renderings>(
      Traced{head.title, callbacks_, compiled_.options, compiled_.plan.schema, compiled_.sources,
             compiled_.views, head.start_ns, head.host},
      view::LineHead{head.title, head.host, head.kernel, head.start_ns}, compiled_.base, *consumer_,
      *output_, place_);
}

const Pictures* Replay::pictures() const {
  return renderings_ != nullptr ? renderings_->pictures() : nullptr;
}

void Replay::write_to(const Place& place) {
  renderings_.reset();
  consumer_.reset();
  output_->flush();
  output_ = open_place(place);
  to_terminal_ = is_terminal(place);
  place_ = place;
  make_consumer();
}

void Replay::print(std::string_view text) {
  output_->write(support::shown_text(text));
  output_->flush();
}

Status Replay::run_command(const std::string& command) {
  return Error::of(fmt::format("cannot run '{}': what was recorded runs no commands", command));
}

Status Replay::watch(int fd, std::function<void()> ready) {
  watched_.add(fd, std::move(ready));
  return {};
}

void Replay::interrupt(bool terminates) { interrupts_.add(terminates); }

// A pipe may have nothing for long. What follows results is short: it is taken if it is there.
bool Replay::wait_for_bytes() {
  while (true) {
    std::vector<pollfd> polls = {{recording_->fd.get(), POLLIN, 0}};
    for (const auto& [fd, ready] : watched_.all()) polls.push_back({fd, POLLIN, 0});
    if (::poll(polls.data(), 1, 0) == 0) {
      if (interrupts_.any()) return false;
      output_->flush();
      if (::poll(polls.data(), polls.size(), -1) < 0 && errno != EINTR) return true;
    }
    watched_.take();
    if (interrupts_.any() && !is_finished_) return false;
    if (polls[0].revents != 0) return true;
  }
}

Status Replay::go() {
  callbacks_.begin("trace");
  DT_TRY(part_.begin());
  const recording::Head& head = recording_->program.head;
  if (compiled_.options.verbose) {
    callbacks_.say(fmt::format("{} was recorded on {} (Linux {}, {} CPUs), from {}",
                               recording_->name, support::shown_name(head.host),
                               support::shown_name(head.kernel), head.cpus,
                               date_text(head.start_ns)));
  }
  const int wake_fd = watched_.wake_fd();
  output_->when_full(wake_fd, [this](std::chrono::milliseconds idle) {
    watched_.take();
    return (interrupts_.is_repeated() || interrupts_.terminates()) && idle >= kPatience;
  });
  callbacks_.begin({});
  return {};
}

void Replay::consume(std::uint64_t firing, std::string_view bytes) {
  ++records_;
  if (!part_.shows(bytes)) return;
  consumer::FiringId id;
  if (firing != 0 && bytes.size() >= sizeof(record::Header)) {
    record::Header header{};
    std::memcpy(&header, bytes.data(), sizeof header);
    id = {header.cpu, firing};
  }
  consumer_->consume_again(id, {reinterpret_cast<const std::uint8_t*>(bytes.data()), bytes.size()});
  if (request_.unbuffered) output_->flush();
}

Status Replay::take_outcome(std::string_view payload) {
  const std::optional<front::Outcome> outcome = front::decoded(payload);
  if (!outcome) return Error::of("what a handler has done is damaged");
  ++records_;
  if (!part_.shows_at(outcome->by.time_ns)) return {};
  if (outcome->kind == front::Outcome::Kind::kCommand) return effects_->run(outcome->text);
  // Its place among what is printed is that of the run.
  if (outcome->kind == front::Outcome::Kind::kMessage) output_->flush();
  handler_output_.take(*outcome);
  if (request_.unbuffered) output_->flush();
  return {};
}

bool Replay::is_sound() const { return !has_failed_ && !consumer_->has_failed(); }

// `prints`: the run has printed its aggregations.
Status Replay::print_results(std::int64_t time_ns, int status, bool prints) {
  if (renderings_ == nullptr) return {};
  if (prints) DT_TRY(renderings_->print_aggregations(drops_, time_ns));
  if (interrupts_.is_repeated() || consumer_->has_given_up()) {
    if (!compiled_.plan.schema.aggregations.empty()) callbacks_.say(interrupts_.discarded());
    return {};
  }
  if (!prints) return {};
  return renderings_->finish_views(drops_, time_ns, is_sound() ? status : kFailed);
}

Status Replay::finish(std::string_view payload) {
  std::int32_t status = 0;
  bool prints = true;
  std::int64_t time_ns = recording_->reader->time_ns();
  support::TaggedReader reader(payload);
  Tagged field;
  while (reader.next(field)) {
    if (field.tag == 1) status = static_cast<std::int32_t>(support::unfolded_sign(field.number));
    if (field.tag == 2) prints = field.number != 0;
    if (field.tag == 3) time_ns = static_cast<std::int64_t>(field.number);
  }
  is_finished_ = true;
  watched_.take();
  if (interrupts_.is_repeated()) prints = false;
  interrupts_.begin_results();
  DT_TRY(print_results(time_ns, status, prints));
  consumer_->print_end(is_sound() ? status : kFailed);
  if (has_handlers()) {
    const recording::Head& head = recording_->program.head;
    DT_TRY(handler_output_.end({head.title, head.host, head.kernel, head.start_ns, time_ns, drops_,
                                is_sound() ? status : kFailed},
                               place_));
  }
  output_->flush();
  return {};
}

void Replay::take_end(std::string_view payload) {
  std::uint64_t records = 0;
  support::TaggedReader reader(payload);
  Tagged field;
  while (reader.next(field)) {
    if (field.tag == 1) status_ = static_cast<int>(field.number & 0xff);
    if (field.tag == 2) records = field.number;
  }
  if (records != records_ && !part_.lacks_begin()) {
    has_failed_ = true;
    callbacks_.say(fmt::format("the recording {} has {} records, and says that it has {}",
                               recording_->name, records_, records));
  }
}

void Replay::refresh(std::string_view payload) {
  std::int64_t time_ns = reads_.time_ns();
  support::TaggedReader reader(payload);
  Tagged field;
  while (reader.next(field)) {
    if (field.tag == 1) time_ns = static_cast<std::int64_t>(field.number);
  }
  consumer_->refresh();
  if (renderings_ != nullptr) renderings_->refresh(time_ns);
}

void Replay::begin_segment() {
  if (!part_.begin_segment()) return;
  callbacks_.say(
      fmt::format("the recording {} begins at {}: recordsize has not kept what was before{}",
                  recording_->name, date_text(recording_->reader->first_ns()),
                  has_handlers() ? "" : "; aggregations have what was added since"));
}

void Replay::take_drops(std::string_view payload) {
  std::vector<std::uint64_t> counters;
  std::uint64_t counter = 0;
  while (support::take_varint(payload, counter)) counters.push_back(counter);
  if (!part_.cut_drops(counters)) return;
  drops_ = std::move(counters);
  consumer_->report_drops(drops_);
  if (renderings_ != nullptr) renderings_->drops(drops_);
}

Status Replay::take(const Tagged& entry) {
  if (part_.leaves_out(entry)) return {};
  const auto kind = static_cast<Entry>(entry.tag);
  switch (kind) {
    case Entry::kRecord:
      consume(entry.number, entry.text);
      return {};
    case Entry::kOutcome:
      return take_outcome(entry.text);
    case Entry::kRead:
      return reads_.take(entry.text);
    case Entry::kDrops:
      take_drops(entry.text);
      return {};
    case Entry::kMessage: {
      recording::Message message = recording::message_of(entry.text);
      output_->flush();
      callbacks_.say(std::move(message.text), std::move(message.excerpt));
      return {};
    }
    case Entry::kRefresh:
      refresh(entry.text);
      return {};
    case Entry::kInterrupted:
      if (compiled_.options.oformat.empty() && !has_handlers()) output_->write("\n");
      return {};
    case Entry::kFinish:
      return finish(entry.text);
    case Entry::kEnd:
      take_end(entry.text);
      return {};
    case Entry::kSegment:
      begin_segment();
      return {};
    case Entry::kSegmentRead:
      part_.begin_at_segment();
      return {};
    default:
      names_.take(kind, entry.text);  // or an entry of a later version
      return {};
  }
}

// The part that is whole has been shown; the run ends where it ends.
void Replay::end_early(const std::string& why) {
  has_failed_ = true;
  callbacks_.say(fmt::format("the recording {} ends at {}: {}", recording_->name,
                             date_text(recording_->reader->time_ns()), why));
}

Result<bool> Replay::poll(Clock::time_point deadline) {
  constexpr int kBetweenLooks = 1024;
  Tagged entry;
  for (int i = 1; !is_over_; ++i) {
    if (i % kBetweenLooks == 0) {
      watched_.take();
      if (Clock::now() >= deadline) return true;
    }
    // What follows results says with which status the run ended.
    const bool is_ended = interrupts_.any() && !is_finished_;
    if (is_ended || output_->error()) break;
    const Result<recording::Reader::Outcome> next = recording_->reader->next(entry);
    if (!next.ok()) {
      end_early(next.error().text);
      break;
    }
    if (*next == recording::Reader::Outcome::kEnd) break;
    if (*next == recording::Reader::Outcome::kCut) {
      if (!recording_->is_interrupted) end_early(recording::why_cut(recording_->name));
      break;
    }
    if (const Status status = take(entry); !status.ok()) {
      if (is_finished_) {  // the recording is whole: what was made of it has failed
        has_failed_ = true;
        callbacks_.say(status.error().text);
      } else {
        end_early(status.error().text);
      }
      break;
    }
  }
  is_over_ = true;
  return false;
}

Status Replay::stop() {
  callbacks_.begin("end");
  Status status;
  if (!is_finished_) {
    const bool is_text = compiled_.options.oformat.empty() && !has_handlers();
    if (interrupts_.any() && is_text) output_->write("\n");
    status = finish("");
  }
  output_->flush();
  if (output_->error()) return *output_->error();
  if (!is_sound()) status_ = kFailed;
  return status;
}

Status Replay::read(std::uint32_t aggregation,
                    const std::function<void(const dtrace::Row&)>& visit) {
  return values_.read(*consumer_, aggregation, visit);
}

}  // namespace dt::api
