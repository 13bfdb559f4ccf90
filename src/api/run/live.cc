// Tracing itself: the loop between the kernel and the person.

#include "api/run/live.h"

#include <fmt/ranges.h>

#include <algorithm>
#include <limits>
#include <utility>

#include "api/input/process_names.h"
#include "api/options/machine_checks.h"
#include "api/output/effects.h"
#include "api/output/open_place.h"
#include "api/output/renderings.h"
#include "api/output/variable_pictures.h"
#include "api/run/compile.h"
#include "api/run/live_sizes.h"
#include "api/run/load_programs.h"
#include "api/run/tape.h"
#include "consumer/consumer.h"
#include "consumer/output/output.h"
#include "consumer/structured/drops.h"
#include "consumer/structured/json_lines.h"
#include "enabling/plan.h"
#include "kernel/kernel.h"
#include "runtime/process.h"
#include "runtime/session.h"

namespace dt::api {
namespace {

// The longest sleep: drops are looked at, and a lost wake-up costs no more.
constexpr std::uint32_t kMaxWaitMs = 1000;
constexpr std::uint32_t kNumbersMs = 100;  // so old may be a number of the machine in a clause

constexpr std::uint64_t kSymbolShare = 10;  // of little memory, what symbols may take

// How long a reader may take nothing once we are to end: after a second
// signal, and after a SIGTERM or SIGHUP, which may be the only one. A single
// Ctrl-C waits: it may have been meant for the pager that we write to.
constexpr std::chrono::milliseconds kPatienceTwice{200};
constexpr std::chrono::milliseconds kPatienceTerminated{2000};

std::string hex(std::span<const std::uint8_t> bytes) {
  std::string text;
  for (const std::uint8_t byte : bytes) {
    text += fmt::format("{:02x}", byte);
  }
  return text + "\n";
}

}  // namespace

Live::~Live() = default;

Live::Live(Compiled& compiled, const Request& request, const Callbacks& callbacks,
           std::vector<runtime::Process>& processes, const Place& place)
    : compiled_(compiled),
      request_(request),
      callbacks_(callbacks),
      processes_(processes),
      kernel_(compiled.kernel),
      resolver_(symbol::system_resolver(compiled.kallsyms)),
      output_(open_place(place)),
      place_(place),
      values_(compiled.plan.schema, compiled.sources, callbacks),
      time_order_(compiled.plan.schema),
      effects_(std::make_unique<Effects>(compiled.options, *output_, is_terminal(place))),
      handlers_(compiled.front_end->session()),
      handler_output_(compiled.options, callbacks),
      gone_(processes.size(), false),
      dumps_bytes_(dumps(compiled.options, "raw")),
      dumps_records_(dumps(compiled.options, "records")) {
  if (!compiled.options.demangles_stacks) resolver_->show_mangled();
  if (compiled.options.noresolve) resolver_->hide_user_names();
  const front::Session* const session = compiled.front_end->session();
  const bool names_lines = session != nullptr && session->names_lines();
  resolver_->show_source({compiled.options.lines || names_lines, compiled.options.inlines});
  values_.give_to(compiled.front_end->session());
}

// The order of the steps: sizes are checked before anything is created; programs are loaded before
// any is attached, so that a script which the verifier refuses has changed nothing; and stacks are
// prepared last, when the probes are attached but do not record yet.
Status Live::enable() {
  Status done = enable_all();
  if (!done.ok() && tape_ != nullptr) tape_->discard();
  return done;
}

Status Live::enable_all() {
  callbacks_.begin("maps");
  DT_ASSIGN(const runtime::Sizes sizes, wanted_sizes(compiled_, request_));
  for (const auto& [text, hint] : compiled_.remarks) {
    callbacks_.say(text, hint.empty() ? "" : fmt::format("hint: {}\n", hint));
  }
  DT_TRY(check_places(compiled_.options, kernel_.online_cpus()));
  DT_TRY(begin_tape());
  const std::uint64_t target =
      processes_.empty() ? 0 : static_cast<std::uint64_t>(processes_.front().pid());
  DT_ASSIGN(session_, runtime::Session::create(kernel_, compiled_.memory, compiled_.plan.schema,
                                               sizes, target));
  if (is_tight(sizes)) resolver_->limit_memory(sizes.memory_bytes / kSymbolShare);
  for (std::string& text : lowered_texts(compiled_.options, sizes, session_->notices())) {
    say(std::move(text));
  }
  names_ = std::make_unique<ProcessNames>(processes_, *resolver_, *session_);
  resolver_->find_sources_with([this](std::uint64_t name) { return session_->source(name); });
  make_consumer();
  callbacks_.begin("load");
  const auto step = [this](std::size_t number, std::size_t of) {
    callbacks_.step(number, of);
    return check_interrupted();
  };
  DT_TRY(load_programs(compiled_, *session_, step, rejected_));
  callbacks_.begin("attach");
  DT_TRY(session_->attach(step));
  for (const auto& [fd, ready] : watched_.all()) {
    DT_TRY(session_->watch(fd, ready));
  }
  stage_ = Stage::kEnabled;
  std::vector<pid_t> pids;
  for (const runtime::Process& process : processes_) {
    pids.push_back(process.pid());
  }
  DT_TRY(session_->write_arguments());
  callbacks_.begin("stacks");
  DT_TRY(session_->prepare_stacks(pids, compiled_.unwinds_itself, compiled_.unwinds_others));
  return {};
}

// An error when tracing was interrupted. Asked between two programs: thousands of programs take
// seconds, in which no descriptor is waited for, and a signal is seen through a descriptor.
Status Live::check_interrupted() {
  watched_.take();
  return !interrupts_.any() ? Status() : Error::of("interrupted before tracing began");
}

// What to do while a reader of the output, or a command of system(), is waited for. These waits are
// in the middle of consuming a record: a write to a full pipe cannot be left and taken up later. So
// each of them asks whether to give up.
void Live::wait_as_asked() {
  resolver_->ask_servers({[this](std::string text) { callbacks_.say(std::move(text)); },
                          [this] {
                            watched_.take();
                            return interrupts_.count();
                          }});
  const int wake_fd = watched_.wake_fd();
  const auto gives_up = [this](std::chrono::milliseconds idle) {
    watched_.take();
    return (interrupts_.is_repeated() && idle >= kPatienceTwice) ||
           (interrupts_.terminates() && idle >= kPatienceTerminated);
  };
  output_->when_full(wake_fd, gives_up);
  if (tape_ != nullptr) {
    tape_->when_full(wake_fd, gives_up);
  }
  effects_->when_waiting(wake_fd, [this] {
    watched_.take();
    handlers_.serve();  // the command may read a file of ours
    return interrupts_.is_repeated() || interrupts_.terminates();
  });
}

// The processes of -c and -p go on last.
Status Live::go() {
  callbacks_.begin("go");
  stage_ = Stage::kGoing;
  wait_as_asked();
  // What a session names is a plain number in a record.
  const front::Session* const session = compiled_.front_end->session();
  const bool names_user_code =
      consumer_->names_user_code() || (session != nullptr && session->names_code());
  if (names_user_code) names_->follow(kernel_.online_cpus());
  DT_TRY(handlers_.open([this](int fd) { return session_->watch(fd, [] {}); }));
  handlers_.begin(make_outlet());
  output_->flush();  // what handlers of the begin have written; records may come late, or never
  update_numbers();
  DT_TRY(session_->go());
  if (names_user_code) names_->begin();
  for (runtime::Process& process : processes_) {
    DT_TRY(session_->watch(process.fd(), [] {}));
    DT_TRY(process.resume());
  }
  session_->read_every(compiled_.options.switchrate_ns);
  next_drops_ = Clock::now() + std::chrono::nanoseconds(compiled_.options.statusrate_ns);
  callbacks_.begin("trace");
  return {};
}

Status Live::hold(std::uint32_t most_ms) {
  names_->learn();
  return session_->keep(std::min(most_ms, kMaxWaitMs));
}

Status Live::watch(int fd, std::function<void()> ready) {
  watched_.add(fd, ready);
  return stage_ != Stage::kNew ? session_->watch(fd, std::move(ready)) : Status();
}

void Live::interrupt(bool terminates) { interrupts_.add(terminates); }

void Live::take(std::span<const std::uint8_t> bytes) {
  // A record's addresses are looked up when it is printed, so everything that its process mapped
  // before must be known by then.
  names_->learn_pending();
  if (dumps_bytes_) {
    output_->write(hex(bytes));
  } else if (dumps_records_) {
    print(consumer_->describe(bytes));
  } else if (compiled_.options.temporal) {
    time_order_.add(bytes);
  } else {
    consumer_->consume(bytes);
  }
  if (request_.unbuffered) {
    output_->flush();
  }
}

void Live::update_numbers() {
  MachineNumbers machine(-1);
  for (const MachineVariable& one : numbers_) {
    __atomic_store_n(session_->word(one.variable), machine.get(one.number), __ATOMIC_RELAXED);
  }
}

void Live::check_processes() {
  for (std::size_t i = 0; i < processes_.size(); ++i) {
    if (!gone_[i] && processes_[i].poll_end()) {
      gone_[i] = true;
      ++ended_;
      if (!compiled_.options.quiet) {
        say(processes_[i].describe_end());
      }
      if (const auto end = processes_[i].poll_end(); end && (end->status || end->signal != 0)) {
        handlers_.command_ended(end->status.value_or(0), end->signal);
      }
    }
  }
}

// What handlers of the session were asked for, beside events.
bool Live::react() {
  const bool has_expired = handlers_.expire(Clock::now());
  const bool has_served = handlers_.serve();
  return handlers_.take_input() || has_served || has_expired;
}

// One turn: what may end the run; what processes have done; records; drops and other work at its
// interval; and a wait until the next of these is due or something arrives.
Result<bool> Live::poll(Clock::time_point deadline) {
  while (true) {
    // What ended the run is looked at before the records are read, so that
    // whatever it had recorded until then is read too.
    check_processes();
    const bool ending = session_->exiting() || handlers_.have_ended() || interrupts_.any() ||
                        (!processes_.empty() && ended_ == processes_.size());
    names_->learn();
    const std::size_t bytes =
        session_->consume([this](std::span<const std::uint8_t> record) { take(record); });
    const bool has_more = time_order_.is_holding();
    DT_TRY(take_in_order());
    if (consumer_->is_holding()) {
      DT_TRY(complete_firings());
    }
    handlers_.caught_up();
    const bool has_expired = !ending && react();
    if (bytes > 0 || has_more || has_expired) {
      output_->flush();
    }
    if (output_->error() || ending) {
      return false;
    }
    const Clock::time_point now = Clock::now();
    if (tape_ != nullptr && !look_after_tape(now)) {
      return false;
    }
    refresh_when_due(now);
    if (now >= next_drops_) {
      DT_TRY(report_drops());
      consumer_->note_processes();
      resolver_->settle();
      next_drops_ = Clock::now() + std::chrono::nanoseconds(compiled_.options.statusrate_ns);
    }
    names_->look();
    if (now >= deadline) {
      // Where handlers take longer than their timers allow, no turn waits, and what is watched, as
      // signals are, would never be looked at.
      DT_TRY(session_->wait(0));
      return true;
    }
    if (has_expired) {
      continue;
    }
    const auto tape_due = tape_ != nullptr ? tape_->due() : deadline;
    const auto next = std::min(
        {next_drops_, names_->next(now), handlers_.next(), tape_due, next_refresh_, deadline});
    const auto until_next =
        std::chrono::ceil<std::chrono::milliseconds>(next - Clock::now()).count();
    session_->read_every(compiled_.options.switchrate_ns);
    if (consumer_->is_holding() || time_order_.is_holding()) {
      continue;
    }
    update_numbers();
    const std::uint32_t most_ms = numbers_.empty() ? kMaxWaitMs : kNumbersMs;
    DT_TRY(session_->wait(
        static_cast<std::uint32_t>(std::clamp<std::int64_t>(until_next, 1, most_ms))));
  }
}

// All of these records have been taken from the ring before.
void Live::hand_over_before(std::int64_t time) {
  session_->aggregations().begin_moment();
  time_order_.hand_over(time, [this](consumer::Bytes record) { consumer_->consume(record); });
  session_->aggregations().end_moment();
}

// With -x temporal: when all firings have ended that have begun by now, no record of an earlier
// time is missing.
Status Live::take_in_order() {
  if (!time_order_.is_holding()) return {};
  const std::int64_t now = session_->wall_now();
  DT_TRY(session_->settle([this](std::span<const std::uint8_t> record) { take(record); }));
  hand_over_before(now);
  return {};
}

// What is consumed behind the wait has been taken from the ring before.
Status Live::complete_firings() {
  Status status = consumer_->complete_firings([this]() -> Status {
    DT_TRY(session_->settle([this](std::span<const std::uint8_t> record) { take(record); }));
    hand_over_before(kEndOfTime);
    session_->aggregations().begin_moment();
    return {};
  });
  session_->aggregations().end_moment();
  return status;
}

Status Live::read(std::uint32_t aggregation, const std::function<void(const dtrace::Row&)>& visit) {
  return values_.read(*consumer_, aggregation, visit);
}

}  // namespace dt::api
