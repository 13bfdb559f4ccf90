// See session.h.

#include "runtime/session.h"

#include <linux/bpf.h>
#include <time.h>
#include <unistd.h>

#include <algorithm>
#include <limits>
#include <numeric>

#include "record/drop.h"
#include "runtime/arguments.h"
#include "runtime/link.h"
#include "runtime/ring_room.h"
#include "support/check.h"
#include "support/clock.h"

namespace dt::runtime {
namespace {

using support::now_ns;

constexpr std::uint64_t kUrgentBufferBytes = 64 << 10;  // for each CPU

// CLOCK_REALTIME - CLOCK_MONOTONIC, in ns. The two clocks cannot be read at one instant: of several
// attempts, the one with the least time between its two readings of the monotonic clock is off by
// the least.
std::uint64_t wall_offset_ns() {
  std::int64_t best = std::numeric_limits<std::int64_t>::max();
  std::int64_t offset = 0;
  constexpr int kAttempts = 4;
  for (int i = 0; i < kAttempts; ++i) {
    const std::int64_t before = now_ns(CLOCK_MONOTONIC);
    const std::int64_t wall = now_ns(CLOCK_REALTIME);
    const std::int64_t after = now_ns(CLOCK_MONOTONIC);
    if (after - before < best) {
      best = after - before;
      offset = wall - (before + best / 2);
    }
  }
  return static_cast<std::uint64_t>(offset);
}

bpf::State exchange_state(bpf::Control& control, bpf::State state) {
  return bpf::State{
      __atomic_exchange_n(&control.state, static_cast<std::uint32_t>(state), __ATOMIC_ACQ_REL)};
}

// The name that the kernel shows for a program: "dt_" and the beginning of its key. The kernel
// refuses a name with other characters, and has room for BPF_OBJ_NAME_LEN with the NUL behind it.
std::string program_name(const std::string& key) {
  std::string name = "dt_";
  for (const char c : key) {
    const bool plain = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
    name += plain ? c : '_';
  }
  return name.substr(0, BPF_OBJ_NAME_LEN - 1);
}

// Every record that the program makes wakes the consumer. (Fault records do not.)
bool is_only_urgent(const record::Schema& schema) {
  return schema.fault_sites.empty() && std::all_of(schema.layouts.begin(), schema.layouts.end(),
                                                   [](const record::Layout& layout) {
                                                     return layout.urgent || layout.actions.empty();
                                                   });
}

// What the largest record takes in the ring, which must be larger than that to have room for it.
std::uint64_t largest_record(const record::Schema& schema) {
  std::uint64_t bytes = 0;
  for (const record::Layout& layout : schema.layouts) {
    bytes = std::max(bytes, bytes_in_ring(layout.size_bytes));
  }
  return bytes;
}

// Keeps the first error of several steps that all have to be done.
void keep_first(Status& first, Status next) {
  if (first.ok() && !next.ok()) {
    first = std::move(next);
  }
}

}  // namespace

Session::Session(kernel::Kernel& kernel, const bpf::Memory& memory, const record::Schema& schema,
                 const Sizes& sizes, Maps maps, Waiter waiter)
    : kernel_(kernel),
      memory_(memory),
      schema_(schema),
      maps_(std::move(maps)),
      aggregations_(std::make_unique<Aggregations>(kernel, memory, schema, maps_)),
      waiter_(std::move(waiter)),
      policy_(sizes.policy),
      retained_(std::min(sizes.buffer_bytes, maps_.buffer_bytes()), memory.machine.cpus),
      patience_ns_(sizes.patience_ns) {}

Session::~Session() {
  exchange_state(maps_.control(), bpf::State::kDraining);
  detach();
}

Result<std::unique_ptr<Session>> Session::create(kernel::Kernel& kernel, const bpf::Memory& memory,
                                                 const record::Schema& schema, const Sizes& sizes,
                                                 std::uint64_t target_pid) {
  Sizes fitting = sizes;
  if (is_only_urgent(schema) && sizes.policy == BufferPolicy::kSwitch && !sizes.is_as_asked) {
    // Each of these records is consumed at once, so a large ring would stay
    // empty; but making and mapping one takes milliseconds and counts twice
    // in our resident size.
    fitting.buffer_bytes = std::min(fitting.buffer_bytes, kUrgentBufferBytes);
  }
  if (sizes.policy == BufferPolicy::kRing) {
    // Records only pass through the ring; a small one would lose some on the way.
    fitting.buffer_bytes = std::max(fitting.buffer_bytes, Sizes().buffer_bytes);
  }
  // Otherwise each such record would be a drop, on an idle machine too.
  fitting.least_bytes = std::max(fitting.least_bytes, largest_record(schema));
  DT_ASSIGN(Maps maps, Maps::create(kernel, memory, fitting));
  DT_ASSIGN(Waiter waiter, Waiter::create());
  std::unique_ptr<Session> session(
      new Session(kernel, memory, schema, sizes, std::move(maps), std::move(waiter)));
  DT_TRY(session->open(target_pid));
  return session;
}

Status Session::open(std::uint64_t target_pid) {
  bpf::Control& control = maps_.control();
  control.wall_offset_ns = wall_offset_ns();
  control.target_pid = target_pid;
  if (maps_.ring().valid()) {
    DT_ASSIGN(ring_, kernel_.open_ring(maps_.ring(), maps_.ring_bytes()));
    DT_TRY(waiter_.watch(ring_->fd(), [this] { urgent_ = true; }));
    if (policy_ == BufferPolicy::kFill) {
      // The kernel leaves a word of a ring free. If the room were too small for the largest record,
      // the first such record would end tracing without a message.
      const std::uint64_t least = largest_record(schema_) + sizeof(std::uint64_t);
      DT_TRY(leave_room(kernel_, maps_.ring(), maps_.ring_bytes(),
                        std::max(maps_.buffer_bytes() * memory_.machine.cpus, least)));
    }
  }
  pace_ = Pace(maps_.ring_bytes(), is_only_urgent(schema_));
  if (memory_.only_cpu != ir::kNone) {
    kernel_.run_on(static_cast<int>(memory_.only_cpu));
  }
  show_life();
  return {};
}

// The log is asked for only when the kernel refuses the program: making it costs the verifier a
// good part of its time.
Status Session::load(const Load& program) {
  const std::string& name = program.object->program;
  DT_ASSIGN(const std::vector<bpf_insn> insns,
            link(*program.object, [this](const bpf::MapRef& ref) { return maps_.find(ref); }));
  kernel::ProgramSpec spec = program.spec;
  spec.name = program_name(name);
  spec.functions = program.object->functions;
  if (program.object->waits) spec.flags |= BPF_F_SLEEPABLE;
  Result<Fd> fd = kernel_.load_program(spec, insns, true);
  if (!fd.ok()) {
    return std::move(fd.error()).with(fmt::format("load {}", name));
  }
  runs_under_locks_ = runs_under_locks_ || program.runs_under_locks;
  programs_.push_back({name, program.role, std::move(fd).value(), program.attach, program.turn});
  return {};
}

Status Session::prepare_stacks(std::span<const pid_t> first, bool of_ours, bool of_others) {
  constexpr std::chrono::milliseconds kMost{100};
  if (!memory_.uses_unwind) return {};
  DT_ASSIGN(unwinder_, Unwinder::create(kernel_, maps_));
  std::vector<pid_t> all(first.begin(), first.end());
  if (of_ours) all.push_back(::getpid());
  if (!of_others) return unwinder_->prepare(all, std::nullopt);
  return unwinder_->prepare(all, first.empty() ? kMost : std::chrono::milliseconds{0});
}

std::optional<symbol::SourceName> Session::source(std::uint64_t name) const {
  const Fd& sources = maps_.unwind(bpf::UnwindMap::kSources);
  symbol::SourceRecord record;
  if (!sources.valid() || !kernel_.lookup(sources, &name, &record).ok()) return std::nullopt;
  return symbol::source_name_of(record);
}

void Session::expect_code(const kernel::ProcessEvent& event) {
  if (unwinder_ != nullptr) {
    unwinder_->expect(event);
  }
}

// Keeps elements of all tables ready on each CPU, for programs that run where interrupts are off.
// Such a program cannot wait until the kernel's allocator gets memory: for a new key it takes an
// element that is set aside for its CPU; if there is none, the data is a drop.
Status Session::set_elements_aside() {
  for (const std::vector<Maps::Table>* tables :
       {&maps_.aggregations(), &maps_.stacks(), &maps_.arrays()}) {
    for (const Maps::Table& table : *tables) {
      if (table.fd.valid() && (table.spec.flags & BPF_F_NO_PREALLOC) != 0) {
        DT_TRY(kernel_.set_elements_aside(table.fd, table.spec));
      }
    }
  }
  return {};
}

Status Session::write_arguments() {
  if (memory_.arguments == ir::kNone) return {};
  const Maps::Table& table = maps_.arrays()[memory_.arguments];
  return runtime::write_arguments(kernel_, table.fd, table.spec.value_bytes);
}

Status Session::attach(const std::function<Status(std::size_t, std::size_t)>& step) {
  if (runs_under_locks_) {
    DT_TRY(set_elements_aside());
  }
  // Of those at one instruction the kernel runs first what was attached last, and of those at one
  // tracepoint what was attached first: their providers have chosen the turns accordingly.
  std::vector<std::size_t> order(programs_.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(), [this](std::size_t a, std::size_t b) {
    return programs_[a].turn > programs_[b].turn;
  });
  for (std::size_t i = 0; i < programs_.size(); ++i) {
    const Program& program = programs_[order[i]];
    if (step) {
      DT_TRY(step(i + 1, programs_.size()));
    }
    if (program.role != Role::kAttached) {
      continue;
    }
    auto attachment = program.attach(program.fd, kernel_);
    if (!attachment.ok()) {
      return std::move(attachment.error()).with(fmt::format("attach {}", program.name));
    }
    provider::Attachment* const attached = attachment->get();
    attachments_.push_back(std::move(attachment).value());
    if (attached->wait_fd() >= 0) {
      DT_TRY(waiter_.watch(attached->wait_fd(), [attached] { attached->ready(); }));
    }
  }
  return {};
}

Status Session::run_role(Role role) {
  Status first;
  for (const Program& program : programs_) {
    if (program.role == role) {
      auto result = kernel_.run(program.fd, {}, -1);
      if (!result.ok()) {
        keep_first(first, std::move(result.error()).with(fmt::format("run {}", program.name)));
      }
    }
  }
  return first;
}

// Starts vtimestamp on CPUs that have not switched threads since attach(). By a compare-exchange
// with 0: a CPU that has switched in the meantime has a later, and better, value.
void Session::start_on_cpu_clocks() {
  const auto now = static_cast<std::uint64_t>(now_ns(CLOCK_MONOTONIC));
  for (std::uint32_t cpu = 0; cpu < memory_.machine.cpus; ++cpu) {
    auto* const since = reinterpret_cast<std::uint64_t*>(maps_.block(cpu) + memory_.misc_offset);
    std::uint64_t unknown = 0;
    __atomic_compare_exchange_n(since, &unknown, now, false, __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE);
  }
}

// BEGIN runs to its end before any other probe records, so that its output is first, although the
// others are attached already: the state keeps them inactive. It is set by a compare-exchange,
// because exit() in BEGIN has made it kDraining, which must stay.
Status Session::go() {
  if (memory_.uses_vtimestamp) {
    start_on_cpu_clocks();
  }
  DT_ASSIGN(missed_before_, count_missed());
  DT_TRY(run_role(Role::kBegin));
  for (const auto& attachment : attachments_) {
    DT_TRY(attachment->go());
  }
  stage_ = Stage::kTracing;
  auto expected = static_cast<std::uint32_t>(bpf::State::kInactive);
  __atomic_compare_exchange_n(&maps_.control().state, &expected,
                              static_cast<std::uint32_t>(bpf::State::kActive), false,
                              __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE);
  return {};
}

Status Session::watch(int fd, std::function<void()> ready) {
  return waiter_.watch(fd, std::move(ready));
}

// Says that the consumer is alive: when this was not called for patience_ns_, a probe that finds no
// room for a record ends tracing. A probe compares the time with the deadline only in that case, so
// it costs nothing usually.
void Session::show_life() {
  const auto now = static_cast<std::uint64_t>(now_ns(CLOCK_MONOTONIC));
  __atomic_store_n(&maps_.control().deadline_ns, now + patience_ns_, __ATOMIC_RELAXED);
}

Status Session::wait(std::uint32_t most_ms) {
  show_life();
  std::uint64_t sleep_ms = pace_.sleep_ms();
  if (read_every_ns_ != 0 && ring_ != nullptr && policy_ == BufferPolicy::kSwitch) {
    constexpr std::uint64_t kNsPerMs = 1'000'000;
    sleep_ms = (until_read_ns() + kNsPerMs - 1) / kNsPerMs;
  }
  return wait_and_relieve(std::min<std::uint64_t>(most_ms, sleep_ms));
}

Status Session::wait_and_relieve(std::uint64_t most_ms) {
  auto result = waiter_.wait(
      static_cast<std::uint32_t>(std::min<std::uint64_t>(most_ms, aggregations_->look_ms())));
  if (!result.ok()) return std::move(result.error());
  return aggregations_->relieve();
}

std::int64_t* Session::word(std::uint32_t variable) const {
  return maps_.word(memory_.global_offset[variable]);
}

bool Session::set_element(std::uint32_t array, std::span<const std::uint8_t> key,
                          bool is_there) const {
  const Maps::Table& table = maps_.arrays()[array];
  DT_CHECK(table.spec.key_bytes == key.size(), "{} bytes of {}", key.size(), table.spec.key_bytes);
  std::vector<std::uint64_t> value((table.spec.value_bytes + 7) / 8, 0);
  value[0] = 1;
  return is_there ? kernel_.insert(table.fd, key.data(), value.data()).ok()
                  : kernel_.erase(table.fd, key.data()).ok();
}

Status Session::keep(std::uint32_t most_ms) {
  if (policy_ == BufferPolicy::kRing) {
    consume([](std::span<const std::uint8_t>) {});  // which sets them aside
    return wait(most_ms);
  }
  show_life();
  return wait_and_relieve(most_ms);
}

// How long records are left in the ring under -x switchrate; 0 when they are to be read now: a
// record says that it is urgent, tracing has ended, or the interval is over.
std::uint64_t Session::until_read_ns() const {
  if (read_every_ns_ == 0 || read_ns_ == 0 || is_stopped() || urgent_ ||
      policy_ != BufferPolicy::kSwitch) {
    return 0;
  }
  const auto now = static_cast<std::uint64_t>(now_ns(CLOCK_MONOTONIC));
  return read_ns_ + read_every_ns_ > now ? read_ns_ + read_every_ns_ - now : 0;
}

std::size_t Session::consume(const Visit& visit) {
  show_life();  // while records arrive without an end, wait() may not be called for long
  if (ring_ == nullptr || until_read_ns() > 0) {
    return 0;
  }
  urgent_ = false;
  read_ns_ = static_cast<std::uint64_t>(now_ns(CLOCK_MONOTONIC));
  const bool keeps = policy_ == BufferPolicy::kRing && !is_stopped();
  if (policy_ == BufferPolicy::kFill && !is_stopped()) {
    pace_.consumed(0);
    return 0;
  }
  const std::size_t bytes = take_from_ring(
      keeps ? [this](std::span<const std::uint8_t> record) { retained_.add(record); } : visit);
  pace_.consumed(bytes);
  return keeps ? 0 : bytes;
}

// Only what was in the ring at the beginning is visited, so all of it may see the aggregations of
// one moment.
std::size_t Session::take_from_ring(const Visit& visit) {
  aggregations_->begin_moment();
  const std::size_t bytes = ring_->consume(visit);
  aggregations_->end_moment();
  return bytes;
}

// Waits twice: another firing may be writing a record that stands before what is waited for, and
// keeps that from being read. Such a firing began before the end of the first wait, so it has ended
// at the end of the second one.
Status Session::settle(const Visit& visit) {
  if (ring_ == nullptr) {
    return {};
  }
  constexpr int kWaits = 2;
  for (int i = 0; i < kWaits; ++i) {
    DT_TRY(kernel_.wait_grace_period());
    take_from_ring(visit);
  }
  return {};
}

std::int64_t Session::wall_now() const {
  return static_cast<std::int64_t>(now_ns(CLOCK_MONOTONIC)) +
         static_cast<std::int64_t>(maps_.control().wall_offset_ns);
}

// What the ring holds once no probe is running any more.
void Session::drain(const Visit& visit) {
  if (policy_ == BufferPolicy::kRing && ring_ != nullptr) {
    while (ring_->consume([this](auto record) { retained_.add(record); }) > 0) {
    }
    aggregations_->begin_moment();
    retained_.hand_over(visit);
    aggregations_->end_moment();
  }
  while (consume(visit) > 0) {
  }
}

bool Session::exiting() const {
  if (is_stopped()) {
    return stage_ == Stage::kExited;
  }
  return __atomic_load_n(&maps_.control().state, __ATOMIC_ACQUIRE) ==
         static_cast<std::uint32_t>(bpf::State::kDraining);
}

bool Session::aborted() const {
  return __atomic_load_n(&maps_.control().aborted, __ATOMIC_ACQUIRE) != 0;
}

std::optional<std::int32_t> Session::exit_status() const {
  if (!exiting()) {
    return std::nullopt;
  }
  return __atomic_load_n(&maps_.control().exit_status, __ATOMIC_ACQUIRE);
}

// Destructors close the descriptors, and the kernel removes the probes; for breakpoints in
// processes this waits until no thread is at one.
void Session::detach() { attachments_.clear(); }

// The firings that the kernel has not handed to the programs. Those from before tracing began
// (missed_before_) are subtracted from it: probes are attached earlier than they record.
Result<std::uint64_t> Session::count_missed() {
  std::uint64_t missed = 0;
  for (const auto& attachment : attachments_) {
    missed += attachment->lost();
  }
  for (const Program& program : programs_) {
    DT_ASSIGN(const std::uint64_t count, kernel_.missed_firings(program.fd));
    missed += count;
  }
  return missed;
}

// No probe is running any more, so that the state is END's alone: an exit() in it is the
// first one again, and replaces the status.
Status Session::run_end() {
  bpf::Control& control = maps_.control();
  __atomic_store_n(&control.is_ending, 1U, __ATOMIC_RELEASE);
  exchange_state(control, bpf::State::kInactive);
  Status status = run_role(Role::kEnd);
  if (exchange_state(control, bpf::State::kDraining) == bpf::State::kDraining) {
    stage_ = Stage::kExited;
  }
  return status;
}

// The order: no firing records any more (kDraining); the firings that were missed are counted while
// the programs are attached; detach; wait for the programs that run at this moment; read what they
// have recorded; and only then END, so that its output is the last, and its aggregations are
// complete.
Status Session::stop(const Visit& visit) {
  if (is_stopped()) {
    return {};
  }
  const bool has_begun = stage_ == Stage::kTracing;
  const bool exited =
      exchange_state(maps_.control(), bpf::State::kDraining) == bpf::State::kDraining;
  stage_ = exited ? Stage::kExited : Stage::kStopped;
  Status first;
  const bool had_probes = !attachments_.empty();
  // What is missed while thousands of functions are given back would have done nothing.
  if (auto missed = count_missed(); missed.ok()) {
    missed_at_stop_ = *missed;
  } else {
    missed_at_stop_ = missed_before_;  // how many is not known, which the error says
    keep_first(first, std::move(missed.error()));
  }
  detach();
  if (had_probes) {
    keep_first(first, kernel_.wait_grace_period());
  }
  drain(visit);
  if (has_begun) {
    keep_first(first, run_end());
  }
  return first;
}

Result<std::vector<std::uint64_t>> Session::drops() {
  std::vector<std::uint64_t> counters;
  counters.reserve(std::size_t{memory_.machine.cpus} * record::kDropCounters);
  for (std::uint32_t cpu = 0; cpu < memory_.machine.cpus; ++cpu) {
    const auto* const block =
        reinterpret_cast<const std::uint64_t*>(maps_.block(cpu) + memory_.drops_offset);
    for (std::uint32_t i = 0; i < record::kDropCounters; ++i) {
      counters.push_back(__atomic_load_n(block + i, __ATOMIC_RELAXED));
    }
  }
  // The kernel's counters have no place of their own among ours: they count firings that were lost
  // because of nesting.
  std::uint64_t missed = missed_at_stop_;
  if (!is_stopped()) {
    DT_ASSIGN(missed, count_missed());
  }
  counters[static_cast<std::size_t>(record::Drop::kNesting)] += missed - missed_before_;
  return counters;
}

}  // namespace dt::runtime
