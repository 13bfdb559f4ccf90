// The lockstat provider: locks that were acquired after waiting for them.
//
//   adaptive-block   a mutex, when the thread has slept
//   adaptive-spin    a mutex, when spinning was enough
//   rw-block         a lock for readers and writers that threads sleep for
//   rw-spin          one that CPUs spin for
//   spin-spin        a spin lock
//
// One program serves them all, on two tracepoints:
//
//   contention_begin { the lock, what it is and how is waited }    never negative
//   contention_end   { the lock, what came of it }                 0 or an errno < 0
//
// The second word tells them apart: only a semaphore begins with 0, which is no
// lock, and its begin is then an end of what has not begun. A begin notes the time
// under the thread and the lock; the end takes that and is the probe. Interrupts
// wait for locks on top of threads, but never for one that the thread waits for.
// A mutex begins again whenever it turns from spinning to sleeping, and back.
//
// One program also because the kernel leaves out a program's firings within itself:
// locks of the tables that it uses do not make it wait for them in turn.

#include <algorithm>
#include <array>
#include <utility>

#include "bpf/asm/emitter.h"
#include "bpf/layout/machine.h"
#include "bpf/layout/prologue.h"
#include "provider/mechanism/providers.h"
#include "provider/mechanism/stable_code.h"
#include "provider/mechanism/tracepoint.h"
#include "types/type.h"

namespace dt::provider {

namespace {

using bpf::Alu;
using bpf::Cond;
using bpf::Emitter;
using bpf::Label;
using bpf::Reg;
using bpf::StackSlot;

constexpr const char* kBegin = "contention_begin";
constexpr const char* kEnd = "contention_end";
constexpr const char* kProgram = "lockstat:contention";

enum Word : std::int32_t { kLock = 0, kFlags = 8, kResult = 8 };

// The kernel's LCB_F_*.
constexpr std::int32_t kSpin = 1, kRead = 2, kWrite = 4, kRt = 8, kPerCpu = 16, kMutex = 32;
constexpr std::int32_t kAllFlags = 63;

// The keys of the probes.
enum Probe : std::uint8_t {
  kAdaptiveBlock,
  kAdaptiveSpin,
  kRwBlock,
  kRwSpin,
  kSpinSpin,
  kProbes,
  kNoProbe,
};

constexpr std::array<const char*, kProbes> kNames = {"adaptive-block", "adaptive-spin", "rw-block",
                                                     "rw-spin", "spin-spin"};

constexpr Probe probe_of(std::int32_t flags) {
  const bool spins = (flags & kSpin) != 0;
  if ((flags & kMutex) != 0) return spins ? kAdaptiveSpin : kAdaptiveBlock;
  if ((flags & (kRead | kWrite)) != 0) return spins ? kRwSpin : kRwBlock;
  if (spins) return kSpinSpin;
  return (flags & kRt) != 0 ? kAdaptiveBlock : kNoProbe;
}

// What is kept of a wait, by { the lock, the thread }.
enum Wait : std::int32_t {
  kSince = 0,     // when it began, or began to be another kind of wait
  kSlept = 8,     // ns of sleep before that
  kKind = 16,     // its flags; kSpin when it has been nothing else
  kNow = 24,      // the flags of now
  kWriter = 32,   // a lock for readers and writers: whether a writer had it
  kReaders = 40,  // and how many readers
  kWaitBytes = 48,
};
constexpr std::uint32_t kKeyBytes = 16;

class ContentionPrologue : public bpf::Prologue {
 public:
  ContentionPrologue(const types::Catalog& types, const bpf::Words& words)
      : types_(types), words_(words) {}

  std::uint32_t stack_frames_to_skip() const override { return kTracepointFrames; }
  bool reads_kernel() const override { return true; }
  bpf::HashMap keeps() const override { return {kKeyBytes, kWaitBytes}; }
  bool prepare(const Needs& needs) override {
    only_ = needs.only_key;
    return false;
  }
  std::vector<std::uint8_t> table() const override {
    std::vector<std::uint8_t> probes;
    for (std::int32_t flags = 0; flags <= kAllFlags; ++flags) probes.push_back(probe_of(flags));
    return probes;
  }
  void table_at(std::uint32_t offset) override { table_ = offset; }

  Reg enter(Emitter& e, Reg context, Label leave) override {
    const Label ends = e.label();
    lock_ = e.load(8, context, kLock);
    const Reg word = e.load(8, context, kFlags);
    e.sign_extend(word, 4);
    const StackSlot key = e.stack(kKeyBytes);
    e.jump_if_imm(Cond::kSle, word, 0, ends);
    begin(e, context, word, key, leave);
    e.bind(ends);
    return end(e, word, key, leave);
  }

  Reg argument(Emitter& e, Reg, std::uint32_t number) override {
    switch (number) {
      case 0:
        return lock_;
      case 1:
        return waited_;
      case 2:
        return is_reader_;
      case 3:
        return writer_;
      case 4:
        return readers_;
      default:
        return e.imm(0);
    }
  }

  Reg error_number(Emitter& e, Reg) override { return e.imm(0); }

  // What this kernel does not have of the words that tell who holds a lock.
  std::string lacks() {
    Emitter e;
    const Reg context = e.context();
    lock_ = context;
    store_holders(e, context, context, e.stack(kWaitBytes));
    return lacks_;
  }

 private:
  // The probe, by flags that may be any number.
  Reg probe(Emitter& e, Reg flags) const {
    const Reg entry = e.map_value({bpf::MapKind::kRodata, 0}, table_);
    const Reg index = e.held_copy(flags);
    e.alu_imm(Alu::kAnd, index, kAllFlags);
    e.alu(Alu::kAdd, entry, index);
    return e.load(1, entry, 0);
  }

  void make_key(Emitter& e, StackSlot key) const {
    const Reg task = e.call(BPF_FUNC_get_current_task, {});
    e.store(8, e.stack_address(key), 0, lock_);
    e.store(8, e.stack_address(key), 8, task);
  }

  // Whether no enabled probe can result from the wait.
  void leave_unless_wanted(Emitter& e, Reg flags, Label leave) const {
    const Reg which = probe(e, flags);
    if (!only_) return e.jump_if_imm(Cond::kEq, which, kNoProbe, leave);
    if (*only_ <= kAdaptiveSpin) return e.jump_if_imm(Cond::kGt, which, kAdaptiveSpin, leave);
    e.jump_if_imm(Cond::kNe, which, static_cast<std::int32_t>(*only_), leave);
  }

  // The holders of a lock of this kind, in kWriter and kReaders of `wait`. A reader that waits
  // is not counted, at this point.
  void store_holders(Emitter& e, Reg context, Reg flags, StackSlot wait) {
    constexpr std::int32_t kWriterMask = 0xff, kSpinReadersAt = 9, kIsWritten = 1, kReadersAt = 8;
    const Label spins = e.label(), done = e.label();
    const Reg rest = e.reg(), writer = e.reg(), readers = e.reg();
    StableCode code(e, context, {types_}, words_, lacks_);
    e.store_imm(8, e.stack_address(wait), kWriter, 0);
    e.store_imm(8, e.stack_address(wait), kReaders, 0);
    e.mov(rest, flags);
    e.alu_imm(Alu::kAnd, rest, kRead | kWrite);
    e.jump_if_imm(Cond::kEq, rest, 0, done);
    e.jump_if_imm(Cond::kSet, flags, kRt | kPerCpu, done);        // these have no such word
    if (code.has("rw_semaphore", "rwbase")) return e.bind(done);  // nor has any with PREEMPT_RT
    e.jump_if_imm(Cond::kSet, flags, kSpin, spins);
    e.mov(writer, code.member(lock_, "rw_semaphore", "count.counter"));
    e.mov(readers, writer);
    e.alu_imm(Alu::kAnd, writer, kIsWritten);
    e.alu_imm(Alu::kLsh, readers, 1);  // its sign is no reader
    e.alu_imm(Alu::kRsh, readers, kReadersAt + 1);
    const Label found = e.label();
    e.jump(found);
    e.bind(spins);
    e.mov(writer, code.member(lock_, "qrwlock", "cnts.counter"));
    e.mov32(readers, writer);
    e.alu_imm(Alu::kAnd, writer, kWriterMask);
    e.alu_imm(Alu::kRsh, readers, kSpinReadersAt);
    e.bind(found);
    e.store(8, e.stack_address(wait), kReaders, readers);
    e.jump_if_imm(Cond::kEq, writer, 0, done);
    e.store_imm(8, e.stack_address(wait), kWriter, 1);
    e.bind(done);
  }

  void begin(Emitter& e, Reg context, Reg flags, StackSlot key, Label leave) {
    const Label is_new = e.label();
    leave_unless_wanted(e, flags, leave);
    make_key(e, key);
    const Reg now = e.call(BPF_FUNC_ktime_get_ns, {});
    const Reg wait = e.call(BPF_FUNC_map_lookup_elem, {e.map(kept()), e.stack_address(key)});
    e.jump_if_imm(Cond::kEq, wait, 0, is_new);
    const Label goes_on = e.label();
    e.jump_if_imm(Cond::kSet, flags, kMutex, goes_on);
    e.bind(is_new);
    const StackSlot made = e.stack(kWaitBytes);
    e.store(8, e.stack_address(made), kSince, now);
    e.store_imm(8, e.stack_address(made), kSlept, 0);
    e.store(8, e.stack_address(made), kKind, flags);
    e.store(8, e.stack_address(made), kNow, flags);
    store_holders(e, context, flags, made);
    const Reg failed = e.call(
        BPF_FUNC_map_update_elem,
        {e.map(kept()), e.stack_address(key), e.stack_address(made), e.imm(std::int64_t{BPF_ANY})});
    e.jump_if_imm(Cond::kEq, failed, 0, leave);
    count_drop();
    e.jump(leave);

    e.bind(goes_on);
    const Label spun = e.label();
    const Reg before = e.load(8, wait, kNow), slept = e.load(8, wait, kSlept);
    e.jump_if_imm(Cond::kSet, before, kSpin, spun);
    e.alu(Alu::kAdd, slept, now);
    e.alu(Alu::kSub, slept, e.load(8, wait, kSince));
    e.store(8, wait, kSlept, slept);
    e.bind(spun);
    e.store(8, wait, kSince, now);
    e.store(8, wait, kNow, flags);
    const Reg kind = e.load(8, wait, kKind);
    e.alu(Alu::kAnd, kind, flags);
    e.store(8, wait, kKind, kind);
    e.jump(leave);
  }

  // Without branches that come together again: what follows is verified for each.
  Reg end(Emitter& e, Reg result, StackSlot key, Label leave) {
    make_key(e, key);
    const Reg now = e.call(BPF_FUNC_ktime_get_ns, {});
    const Reg wait = e.call(BPF_FUNC_map_lookup_elem, {e.map(kept()), e.stack_address(key)});
    e.jump_if_imm(Cond::kEq, wait, 0, leave);
    const Reg kind = e.load(8, wait, kKind), last = e.load(8, wait, kNow);
    const Reg slept = e.load(8, wait, kSlept), since = e.load(8, wait, kSince);
    writer_ = e.load(8, wait, kWriter);
    readers_ = e.load(8, wait, kReaders);
    e.call_void(BPF_FUNC_map_delete_elem, {e.map(kept()), e.stack_address(key)});
    e.jump_if_imm(Cond::kNe, result, 0, leave);  // it was not had
    // Spinning counts where there was nothing else: counted = !(last & ~kind & kSpin).
    waited_ = e.reg();
    e.mov(waited_, now);
    e.alu(Alu::kSub, waited_, since);
    const Reg counted = e.reg();
    e.mov(counted, kind);
    e.alu_imm(Alu::kXor, counted, -1);
    e.alu(Alu::kAnd, counted, last);
    e.alu_imm(Alu::kAnd, counted, kSpin);
    e.alu_imm(Alu::kXor, counted, kSpin);
    e.alu(Alu::kMul, waited_, counted);
    e.alu(Alu::kAdd, waited_, slept);
    is_reader_ = e.reg();
    e.mov(is_reader_, kind);
    e.alu_imm(Alu::kRsh, is_reader_, 1);  // kRead
    e.alu_imm(Alu::kAnd, is_reader_, 1);
    return probe(e, kind);
  }

  const types::Catalog& types_;
  const bpf::Words words_;
  std::string lacks_;
  std::optional<std::uint32_t> only_;
  std::uint32_t table_ = 0;
  Reg lock_, waited_, is_reader_, writer_, readers_;
};

class Both : public Attachment {
 public:
  Both(std::unique_ptr<Attachment> begin, std::unique_ptr<Attachment> end)
      : begin_(std::move(begin)), end_(std::move(end)) {}

 private:
  std::unique_ptr<Attachment> begin_, end_;
};

// Those that would fire without a wait, and one that Linux has no such lock for.
constexpr std::array kUncontended = {"adaptive-acquire", "adaptive-release", "spin-acquire",
                                     "spin-release",     "rw-acquire",       "rw-release",
                                     "rw-upgrade",       "rw-downgrade"};

class LockstatProvider : public Provider {
 public:
  explicit LockstatProvider(const types::Catalog& types) : types_(types) {}

  std::string_view name() const override { return "lockstat"; }
  probe::ProviderAttributes attributes() const override {
    return tracepoint_attributes(probe::Stability::kEvolving);
  }

  std::vector<probe::Description> list() const override {
    std::vector<probe::Description> list;
    std::vector<Placed> placed = *list_of({});
    for (auto& [place, description] : placed) list.push_back(std::move(description));
    return list;
  }

  std::optional<std::uint32_t> places() const override { return kProbes; }
  std::optional<std::vector<Placed>> list_of(const probe::Pattern& pattern) const override {
    std::vector<Placed> found;
    for (std::uint32_t i = 0; i < kProbes; ++i) {
      if (!probe::field_matches(pattern.name, kNames[i]) || !lacks(kNames[i]).empty()) continue;
      found.emplace_back(i, probe::Description{"lockstat", "vmlinux", "", kNames[i]});
    }
    return found;
  }

  bool may_have(std::string_view name) const override { return key_of(name) < kProbes; }

  std::string why_not(const probe::Pattern& pattern) const override {
    if (pattern.provider != name()) return {};
    if (may_have(pattern.name)) return lacks(pattern.name);
    if (std::find(kUncontended.begin(), kUncontended.end(), pattern.name) != kUncontended.end()) {
      return "the kernel has tracepoints only where a lock is waited for";
    }
    if (pattern.name == "thread-spin") return "locks of threads are spin locks: see spin-spin";
    return {};
  }

  probe::Binding binding(const probe::Description& probe) const override {
    return {kProgram, key_of(probe.name)};
  }

  std::optional<std::vector<probe::Argument>> arguments(
      const probe::Description& probe) const override {
    std::vector<probe::Argument> arguments = {{"void *", false}, {"uint64_t", false}};
    const std::uint32_t key = key_of(probe.name);
    if (key == kRwBlock || key == kRwSpin) {
      arguments.insert(arguments.end(), {{"int", false}, {"int", false}, {"uint64_t", false}});
    }
    return arguments;
  }

  std::unique_ptr<bpf::Prologue> prologue(const std::string&,
                                          const bpf::Machine& machine) const override {
    return std::make_unique<ContentionPrologue>(types_, machine.words);
  }

  // The run queues' are among them.
  bool runs_under_locks(const std::string&) const override { return true; }

  Result<kernel::ProgramSpec> program_spec(const std::string& program) const override {
    if (!has_tracepoints()) return untyped_tracepoint(program, types_);
    return tracepoint_program("lockstat");
  }

  std::string source(const std::string&) const override {
    return fmt::format("tracepoints {} and {}", kBegin, kEnd);
  }

  Result<std::unique_ptr<Attachment>> attach(const std::string&, std::span<const probe::Probe>,
                                             const Fd& fd, kernel::Kernel& kernel) const override {
    DT_ASSIGN(std::unique_ptr<Attachment> begin, attach_tracepoint(kBegin, fd, kernel));
    DT_ASSIGN(std::unique_ptr<Attachment> end, attach_tracepoint(kEnd, fd, kernel));
    return std::unique_ptr<Attachment>(std::make_unique<Both>(std::move(begin), std::move(end)));
  }

 private:
  bool has_tracepoints() const {
    return tracepoint_parameters(types_, kBegin) && tracepoint_parameters(types_, kEnd);
  }
  // Why this kernel does not serve the probe; "" where it does.
  std::string lacks(std::string_view name) const {
    for (const char* const point : {kBegin, kEnd}) {
      if (!tracepoint_parameters(types_, point)) return no_tracepoint(point, types_);
    }
    const std::uint32_t key = key_of(name);
    if (key != kRwBlock && key != kRwSpin) return {};
    return ContentionPrologue(types_, {}).lacks();
  }
  // kProbes when it has no such probe.
  static std::uint32_t key_of(std::string_view name) {
    const auto found = std::find(kNames.begin(), kNames.end(), name);
    return static_cast<std::uint32_t>(found - kNames.begin());
  }

  const types::Catalog& types_;
};

}  // namespace

std::unique_ptr<Provider> lockstat_provider(const types::Catalog& types) {
  return std::make_unique<LockstatProvider>(types);
}

}  // namespace dt::provider
