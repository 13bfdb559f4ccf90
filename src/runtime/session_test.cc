// A session over a kernel made of memory: the order of things, and every
// refusal.

#include "runtime/session.h"

#include <gtest/gtest.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

#include "bpf/asm/object.h"
#include "kernel/insn.h"
#include "record/drop.h"
#include "testing/kernel/fake.h"

namespace dt::runtime {
namespace {

using kernel::FakeKernel;
using Call = FakeKernel::Call;
namespace insn = kernel::insn;

using Texts = std::vector<std::string>;

class FakeAttachment : public provider::Attachment {
 public:
  FakeAttachment(Fd link, Texts& log, int wait_fd, const std::uint64_t& lost)
      : link_(std::move(link)), log_(log), fd_(wait_fd), lost_(lost) {}
  ~FakeAttachment() override { log_.push_back("detached"); }
  int wait_fd() const override { return fd_; }
  void ready() override { log_.push_back("ready"); }
  std::uint64_t lost() override { return lost_; }

 private:
  Fd link_;
  Texts& log_;
  int fd_;
  const std::uint64_t& lost_;
};

class SessionTest : public testing::Test {
 protected:
  SessionTest() {
    memory_.machine.cpus = 2;
    memory_.percpu_stride = 128;
    memory_.drops_offset = 16;
    memory_.rodata = {1};
    memory_.scratch_bytes = 64;
    memory_.tls_bytes = 16;
    memory_.assocs = {{16, 8}};
    memory_.aggs = {{24, 8}};
    memory_.uses_ring = true;
    record::AggLayout layout;
    layout.name = "a";
    layout.key_bytes = 16;
    schema_.aggregations = {layout};
    memory_.agg_offset = {ir::kNone};
    schema_.layouts.resize(1);
    schema_.layouts[0].actions.resize(1);
    for (const char* const name : {"dtrace:BEGIN", "syscall:entry", "dtrace:END"}) {
      bpf::Object object;
      object.program = name;
      const auto [a, b] = insn::map_value(1, 0, 0);
      object.insns = {a, b, insn::mov_imm(0, 0), insn::exit()};
      object.relocations = {{0, {bpf::MapKind::kGlobals, 0}, true, 8}};
      objects_.push_back(object);
    }
  }

  Status create() {
    auto session = Session::create(kernel_, memory_, schema_, Sizes{}, 77);
    if (!session.ok()) {
      return std::move(session.error());
    }
    session_ = std::move(session).value();
    return {};
  }
  Status load() {
    const auto attach =
        [this](const Fd& program,
               kernel::Kernel& kernel) -> Result<std::unique_ptr<provider::Attachment>> {
      DT_ASSIGN(Fd link, kernel.attach_raw_tracepoint("sys_enter", program));
      return std::unique_ptr<provider::Attachment>(
          std::make_unique<FakeAttachment>(std::move(link), log_, tick_.get(), lost_));
    };
    const std::array<Role, 3> roles = {Role::kBegin, Role::kAttached, Role::kEnd};
    for (std::size_t i = 0; i < roles.size(); ++i) {
      DT_TRY(session_->load({&objects_[i], {}, roles.at(i), attach, under_locks_}));
    }
    return {};
  }
  // Everything from create to go; the first refusal ends it.
  Status start() {
    DT_TRY(create());
    DT_TRY(load());
    DT_TRY(session_->attach());
    return session_->go();
  }
  bpf::Control& control() { return *reinterpret_cast<bpf::Control*>(kernel_.memory("dt_globals")); }
  bpf::State state() { return bpf::State{control().state}; }
  void call_exit(std::int32_t status) {
    control().state = static_cast<std::uint32_t>(bpf::State::kDraining);
    control().exit_status = status;
  }
  Session::Visit collect() {
    return [this](std::span<const std::uint8_t> record) {
      log_.push_back(fmt::format("record {}", record[0]));
    };
  }

  FakeKernel kernel_{2};
  bpf::Memory memory_;
  record::Schema schema_;
  std::vector<bpf::Object> objects_;
  Texts log_;
  std::uint64_t lost_ = 5;  // by the attachment
  bool under_locks_ = false;
  Fd tick_{::eventfd(0, EFD_NONBLOCK | EFD_CLOEXEC)};
  std::unique_ptr<Session> session_;
};

TEST_F(SessionTest, SetsElementsAsideForProgramsThatRunUnderLocks) {
  ASSERT_TRUE(start().ok());
  EXPECT_TRUE(kernel_.set_aside.empty());
  under_locks_ = true;
  ASSERT_TRUE(start().ok());
  EXPECT_EQ(kernel_.set_aside, (Texts{"dt_agg0", "dt_var0"}));
}

TEST_F(SessionTest, RunsBeginBeforeAndEndAfterAllOthers) {
  kernel_.on_run = [this](const std::string& program, std::span<const std::uint64_t>) {
    log_.push_back(fmt::format("{} in state {}", program, control().state));
    return 0U;
  };
  ASSERT_TRUE(create().ok());
  ASSERT_TRUE(load().ok());
  ASSERT_TRUE(session_->attach().ok());
  EXPECT_EQ(state(), bpf::State::kInactive);
  ASSERT_TRUE(session_->go().ok());
  EXPECT_EQ(state(), bpf::State::kActive);
  kernel_.push("dt_ring", {1});
  kernel_.on_grace_period = [this] {
    log_.push_back("grace period");
    kernel_.push("dt_ring", {2});
  };
  ASSERT_TRUE(session_->stop(collect()).ok());
  EXPECT_EQ(state(), bpf::State::kDraining);
  EXPECT_EQ(log_, (Texts{"dt_dtrace_BEGIN in state 0", "detached", "grace period", "record 1",
                         "record 2", "dt_dtrace_END in state 0"}));
  ASSERT_TRUE(session_->stop(collect()).ok());
  EXPECT_EQ(log_.size(), 6U);
  EXPECT_FALSE(session_->exiting());
  EXPECT_EQ(session_->exit_status(), std::nullopt);
}

TEST_F(SessionTest, LinksProgramsToTheMapsOfTheRun) {
  ASSERT_TRUE(start().ok());
  const auto* const insns = kernel_.program("dt_syscall_entr");
  ASSERT_NE(insns, nullptr);
  EXPECT_EQ((*insns)[0].src_reg, BPF_PSEUDO_MAP_VALUE);
  EXPECT_GT((*insns)[0].imm, 0);
  EXPECT_EQ((*insns)[1].imm, 8);
  EXPECT_EQ(control().target_pid, 77U);
  EXPECT_GT(control().wall_offset_ns, 1'000'000'000'000'000ULL);
}

TEST_F(SessionTest, StaysQuietWhenBeginCallsExit) {
  kernel_.on_run = [this](const std::string& program, std::span<const std::uint64_t>) {
    if (program == "dt_dtrace_BEGIN") {
      call_exit(3);
    }
    return 0U;
  };
  ASSERT_TRUE(start().ok());
  EXPECT_EQ(state(), bpf::State::kDraining);
  EXPECT_EQ(session_->exit_status(), 3);
  ASSERT_TRUE(session_->stop(collect()).ok());
  EXPECT_EQ(session_->exit_status(), 3);
  EXPECT_EQ(kernel_.calls().back(), "run dt_dtrace_END");
}

TEST_F(SessionTest, SeesAnExitWhoseRecordWasDropped) {
  ASSERT_TRUE(start().ok());
  EXPECT_FALSE(session_->exiting());
  call_exit(5);
  EXPECT_TRUE(session_->exiting());
  EXPECT_EQ(session_->exit_status(), 5);
}

TEST_F(SessionTest, WakesForARecordThatIsUrgentForTicksAndForWhatIsWatched) {
  ASSERT_TRUE(start().ok());
  const Fd other(::eventfd(0, EFD_NONBLOCK | EFD_CLOEXEC));
  ASSERT_TRUE(session_->watch(other.get(), [this] { log_.push_back("other"); }).ok());
  ASSERT_TRUE(session_->wait(0).ok());
  EXPECT_EQ(log_, Texts{});
  const std::uint64_t one = 1;
  ASSERT_EQ(::write(tick_.get(), &one, sizeof one), static_cast<ssize_t>(sizeof one));
  ASSERT_TRUE(session_->wait(1000).ok());
  EXPECT_EQ(log_, Texts{"ready"});
  ASSERT_EQ(::write(other.get(), &one, sizeof one), static_cast<ssize_t>(sizeof one));
  ASSERT_TRUE(session_->wait(1000).ok());
  EXPECT_EQ(log_, (Texts{"ready", "other"}));
  kernel_.push("dt_ring", {9});
  kernel_.wake("dt_ring");
  ASSERT_TRUE(session_->wait(1000).ok());
  EXPECT_EQ(session_->consume(collect()), 16U);
  EXPECT_EQ(log_.back(), "record 9");
  EXPECT_EQ(session_->consume(collect()), 0U);
}

TEST_F(SessionTest, AddsUpWhatWasDropped) {
  kernel_.missed["dt_syscall_entr"] = 100;
  ASSERT_TRUE(start().ok());  // what was missed until then does not count
  lost_ += 4;
  auto* const counters = reinterpret_cast<std::uint64_t*>(kernel_.memory("dt_percpu") + 16);
  counters[static_cast<int>(record::Drop::kPrincipal)] = 7;
  auto* const second = reinterpret_cast<std::uint64_t*>(kernel_.memory("dt_percpu") + 128 + 16);
  second[static_cast<int>(record::Drop::kDoubleError)] = 9;
  kernel_.missed["dt_syscall_entr"] += 2;
  for (int i = 0; i < 2; ++i) {
    const auto drops = session_->drops();
    ASSERT_TRUE(drops.ok());
    ASSERT_EQ(drops->size(), 2 * record::kDropCounters);
    EXPECT_EQ((*drops)[static_cast<int>(record::Drop::kPrincipal)], 7U);
    EXPECT_EQ((*drops)[record::kDropCounters + static_cast<int>(record::Drop::kDoubleError)], 9U);
    EXPECT_EQ((*drops)[static_cast<int>(record::Drop::kNesting)], 2U + 4U);
    ASSERT_TRUE(session_->stop(collect()).ok());  // what an attachment lost is kept
    kernel_.missed["dt_syscall_entr"] += 50;      // and no more is added
  }
}

TEST_F(SessionTest, AnUnknownNumberOfMissedFiringsIsAnErrorAndNoDrop) {
  kernel_.missed["dt_syscall_entr"] = 100;
  ASSERT_TRUE(start().ok());
  kernel_.fail(Call::kMissedFirings, 1, EIO);
  EXPECT_FALSE(session_->stop(collect()).ok());
  const auto drops = session_->drops();
  ASSERT_TRUE(drops.ok());
  EXPECT_EQ((*drops)[static_cast<int>(record::Drop::kNesting)], 0U);
}

TEST_F(SessionTest, NeedsNoRingWhenNothingIsRecorded) {
  memory_.uses_ring = false;
  ASSERT_TRUE(start().ok());
  EXPECT_EQ(session_->consume(collect()), 0U);
  ASSERT_TRUE(session_->wait(0).ok());
  EXPECT_TRUE(session_->stop(collect()).ok());
}

TEST_F(SessionTest, MakesASmallRingWhenEveryRecordIsConsumedAtOnce) {
  ASSERT_TRUE(create().ok());
  EXPECT_EQ(kernel_.spec("dt_ring")->entries, 8U << 20);
  kernel::FakeKernel other(2);
  schema_.layouts[0].urgent = true;
  ASSERT_TRUE(Session::create(other, memory_, schema_, Sizes{}, 0).ok());
  EXPECT_EQ(other.spec("dt_ring")->entries, 128U << 10);
  kernel::FakeKernel faulting(2);
  schema_.fault_sites.resize(1);  // fault records do not wake us
  ASSERT_TRUE(Session::create(faulting, memory_, schema_, Sizes{}, 0).ok());
  EXPECT_EQ(faulting.spec("dt_ring")->entries, 8U << 20);
}

TEST_F(SessionTest, SaysWhichProgramWasRefusedAndKeepsTheLog) {
  kernel_.fail(Call::kLoadProgram, 2, EACCES, "0: (95) exit\nR0 !read_ok\n");
  const Status status = start();
  ASSERT_FALSE(status.ok());
  EXPECT_EQ(status.error().text,
            "load syscall:entry: load_program dt_syscall_entr: Permission denied");
  EXPECT_EQ(status.error().log, "0: (95) exit\nR0 !read_ok\n");
}

TEST_F(SessionTest, SaysWhichProgramWasNotAttached) {
  kernel_.fail(Call::kAttachRawTracepoint, 1, EPERM);
  EXPECT_EQ(start().error().text,
            "attach syscall:entry: attach_raw_tracepoint sys_enter dt_syscall_entr: "
            "Operation not permitted");
}

TEST_F(SessionTest, SaysThatBeginCouldNotRun) {
  kernel_.fail(Call::kRun, 1, ENOMEM);
  EXPECT_EQ(start().error().text, "run dtrace:BEGIN: run dt_dtrace_BEGIN: Cannot allocate memory");
}

TEST_F(SessionTest, DetachesAndRunsEndThoughTheGracePeriodFails) {
  ASSERT_TRUE(start().ok());
  kernel_.fail(Call::kGracePeriod, 1, EPERM);
  EXPECT_EQ(session_->stop(collect()).error().text, "wait_grace_period: Operation not permitted");
  EXPECT_EQ(log_, Texts{"detached"});
  EXPECT_EQ(kernel_.calls().back(), "run dt_dtrace_END");
}

// Whatever the kernel refuses, the message names the call, and nothing of ours
// stays open once the session is gone.
TEST(SessionErrors, NameTheCallAndLeakNothing) {
  class Run : public SessionTest {
   public:
    void TestBody() override {}
    Status all() {
      DT_TRY(start());
      const auto drops = session_->drops();
      if (!drops.ok()) {
        return drops.error();
      }
      DT_TRY(session_->aggregations().read(0, [](auto, auto, auto) {}));
      return session_->stop(collect());
    }
    FakeKernel& kernel() { return kernel_; }
    void end() { session_.reset(); }
    const Texts& log() const { return log_; }
  };
  std::size_t refusals = 0;
  for (std::size_t call = 0; call < FakeKernel::kCalls; ++call) {
    for (std::size_t nth = 1; nth < 50; ++nth) {
      Run run;
      run.kernel().fail(static_cast<Call>(call), nth, EPERM);
      const Status status = run.all();
      const bool reached = run.kernel().count(static_cast<Call>(call)) >= nth;
      if (!reached) {
        EXPECT_TRUE(status.ok());
      } else {
        ++refusals;
        ASSERT_FALSE(status.ok()) << call << " " << nth;
        EXPECT_NE(status.error().text.find("Operation not permitted"), std::string::npos);
        EXPECT_EQ(status.error().code, EPERM);
      }
      run.end();
      EXPECT_EQ(run.kernel().open_descriptors(), 0U) << call << " " << nth;
      if (!reached) {
        break;
      }
    }
  }
  EXPECT_GE(refusals, 20U);
}

TEST_F(SessionTest, ReadsAsOftenAsItIsToldAndWhatIsUrgentAtOnce) {
  ASSERT_TRUE(start().ok());
  constexpr std::uint64_t kHour = 3'600'000'000'000;
  session_->read_every(kHour);
  kernel_.push("dt_ring", {1});
  EXPECT_GT(session_->consume(collect()), 0U);  // the first time
  kernel_.push("dt_ring", {2});
  EXPECT_EQ(session_->consume(collect()), 0U);
  kernel_.wake("dt_ring");
  ASSERT_TRUE(session_->wait(1000).ok());
  EXPECT_GT(session_->consume(collect()), 0U);
  kernel_.push("dt_ring", {3});
  EXPECT_EQ(session_->consume(collect()), 0U);
  session_->read_every(0);
  EXPECT_GT(session_->consume(collect()), 0U);
  session_->read_every(kHour);
  kernel_.push("dt_ring", {4});
  ASSERT_TRUE(session_->stop(collect()).ok());
  EXPECT_EQ(log_, (Texts{"record 1", "record 2", "record 3", "detached", "record 4"}));
}

// Each record shows what its firing has added before; a wait for each of them would be longer than
// the time until the next one.
TEST_F(SessionTest, RecordsThatWereTakenTogetherWaitOnceForWhatTheyShow) {
  schema_.aggregations[0].drained = true;
  ASSERT_TRUE(start().ok());
  kernel_.on_grace_period = [this] {
    log_.push_back("grace period");
    kernel_.push("dt_ring", {3});
  };
  const Session::Visit show = [this](std::span<const std::uint8_t> record) {
    log_.push_back(fmt::format("record {}", record[0]));
    const auto ignore = [](auto, auto, auto) {};
    EXPECT_TRUE(session_->aggregations().read(0, ignore).ok());
  };
  kernel_.push("dt_ring", {1});
  kernel_.push("dt_ring", {2});
  EXPECT_GT(session_->consume(show), 0U);
  EXPECT_EQ(log_, (Texts{"record 1", "grace period", "record 2"}));
  kernel_.on_grace_period = [this] { log_.push_back("grace period"); };
  EXPECT_GT(session_->consume(show), 0U);
  EXPECT_EQ(log_, (Texts{"record 1", "grace period", "record 2", "record 3", "grace period"}));
}

}  // namespace
}  // namespace dt::runtime
