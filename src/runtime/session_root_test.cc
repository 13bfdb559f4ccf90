// Sessions on the running kernel, with programs assembled by hand: nothing is
// lost under load, and nothing is left after kill -9.

#include <dirent.h>
#include <gtest/gtest.h>
#include <poll.h>
#include <signal.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <chrono>
#include <cstdio>
#include <cstring>
#include <map>
#include <set>
#include <thread>

#include "bpf/asm/object.h"
#include "kernel/bpf_call.h"
#include "kernel/features.h"
#include "kernel/insn.h"
#include "record/drop.h"
#include "runtime/session.h"

namespace dt::runtime {
namespace {

namespace insn = kernel::insn;
using bpf::MapKind;

constexpr std::int32_t kMapLookup = 1;
constexpr std::int32_t kMapUpdate = 2;
constexpr std::int32_t kGetSmpProcessorId = 8;
constexpr std::int32_t kRingOutput = 130;

// Where the test programs keep their things in a CPU's block.
constexpr std::uint32_t kStride = 256;
constexpr std::uint32_t kDrops = 0;
constexpr std::uint32_t kKeyless = 128;  // [count][presence]
// Nothing speculates here: that counter counts the firings.
constexpr record::Drop kFired = record::Drop::kSpeculative;

// A program with labels and relocations.
class Code {
 public:
  explicit Code(const char* name) { object_.program = name; }
  Code& add(bpf_insn insn) {
    object_.insns.push_back(insn);
    return *this;
  }
  Code& map(int dst, bpf::MapRef ref) {
    object_.relocations.push_back({here(), ref, false, 0});
    return pair(dst);
  }
  Code& value(int dst, MapKind kind, std::uint32_t offset) {
    object_.relocations.push_back({here(), {kind, 0}, true, offset});
    return pair(dst);
  }
  Code& jump(int op, int dst, std::int32_t imm, const char* label) {
    jumps_[here()] = label;
    return add(insn::jump_imm(op, dst, imm, 0));
  }
  Code& go(const char* label) {
    jumps_[here()] = label;
    return add(insn::jump(0));
  }
  Code& label(const char* name) {
    labels_[name] = here();
    return *this;
  }
  // Counts in the block of this CPU, which r7 points to.
  Code& count(record::Drop kind) {
    return increment(7, static_cast<int>(kDrops) + 8 * static_cast<int>(kind));
  }
  Code& increment(int base, std::int32_t offset) {
    return add(insn::mov_imm(1, 1)).add(insn::atomic(BPF_DW, BPF_ADD, base, offset, 1));
  }
  bpf::Object end() {
    label("leave").add(insn::mov_imm(0, 0)).add(insn::exit());
    for (const auto& [at, name] : jumps_) {
      object_.insns[at].off = static_cast<std::int16_t>(labels_.at(name) - at - 1);
    }
    return object_;
  }

 private:
  std::uint32_t here() const { return static_cast<std::uint32_t>(object_.insns.size()); }
  Code& pair(int dst) {
    const auto [low, high] = insn::map_fd(dst, 0);
    return add(low).add(high);
  }
  bpf::Object object_;
  std::map<std::uint32_t, std::string> jumps_;
  std::map<std::string, std::uint32_t> labels_;
};

// Leaves unless tracing is active and the system call is getppid(). Then r6 =
// globals, r7 = this CPU's block, r9 = 109 + the CPU's number, and the firing
// has been counted.
Code on_getppid(const char* name, std::uint32_t cpus) {
  Code code(name);
  code.add(insn::load(BPF_DW, 9, 1, 8)).jump(BPF_JNE, 9, SYS_getppid, "leave");
  code.value(6, MapKind::kGlobals, 0).add(insn::load(BPF_W, 2, 6, 0));
  code.jump(BPF_JNE, 2, static_cast<std::int32_t>(bpf::State::kActive), "leave");
  code.add(insn::call(kGetSmpProcessorId));
  code.jump(BPF_JGE, 0, static_cast<std::int32_t>(cpus), "leave");
  code.add(insn::make(BPF_ALU64 | BPF_ADD | BPF_X, 9, 0, 0, 0));
  code.add(insn::alu_imm(BPF_MUL, 0, kStride)).value(7, MapKind::kPercpu, 0);
  code.add(insn::make(BPF_ALU64 | BPF_ADD | BPF_X, 7, 0, 0, 0));
  return code.count(kFired);
}

// @a[n] = count(), n counting up to 63 again and again on each CPU, so that
// elements come and go under a reader that drains them. fp-32 = {generation,
// key}, fp-16 = 1. What could not be counted is a drop.
bpf::Object keyed_count(std::uint32_t cpus) {
  Code code = on_getppid("keyed", cpus);
  code.add(insn::load(BPF_W, 1, 6, offsetof(bpf::Control, generation[1])));
  code.add(insn::store(BPF_DW, 10, -32, 1));
  code.add(insn::load(BPF_DW, 1, 7, 8 * static_cast<int>(kFired)));
  code.add(insn::alu_imm(BPF_AND, 1, 63)).add(insn::store(BPF_DW, 10, -24, 1));
  code.add(insn::store_imm(BPF_DW, 10, -16, 1)).add(insn::mov_imm(8, 2));
  code.label("again").map(1, {MapKind::kAgg, 0});
  code.add(insn::mov(2, 10)).add(insn::alu_imm(BPF_ADD, 2, -32)).add(insn::call(kMapLookup));
  code.jump(BPF_JEQ, 0, 0, "insert").increment(0, 0).go("leave");
  code.label("insert").map(1, {MapKind::kAgg, 0});
  code.add(insn::mov(2, 10)).add(insn::alu_imm(BPF_ADD, 2, -32));
  code.add(insn::mov(3, 10)).add(insn::alu_imm(BPF_ADD, 3, -16));
  code.add(insn::mov_imm(4, BPF_NOEXIST)).add(insn::call(kMapUpdate));
  code.jump(BPF_JEQ, 0, 0, "leave");
  // Another CPU may have been first with this key.
  code.add(insn::alu_imm(BPF_SUB, 8, 1)).jump(BPF_JNE, 8, 0, "again");
  return code.count(record::Drop::kAggregation).end();
}

// @ = count()
bpf::Object keyless_count(std::uint32_t cpus) {
  Code code = on_getppid("keyless", cpus);
  return code.increment(7, kKeyless).add(insn::store_imm(BPF_DW, 7, kKeyless + 8, 1)).end();
}

// Records {header, the number of the firing on this CPU}.
bpf::Object recorder(std::uint32_t cpus) {
  Code code = on_getppid("record", cpus);
  code.add(insn::store(BPF_DW, 10, -16, 9));
  code.add(insn::load(BPF_DW, 1, 7, 8 * static_cast<int>(kFired)));
  code.add(insn::store(BPF_DW, 10, -8, 1)).map(1, {MapKind::kRing, 0});
  code.add(insn::mov(2, 10)).add(insn::alu_imm(BPF_ADD, 2, -16)).add(insn::mov_imm(3, 16));
  code.add(insn::mov_imm(4, BPF_RB_NO_WAKEUP)).add(insn::call(kRingOutput));
  return code.jump(BPF_JEQ, 0, 0, "leave").count(record::Drop::kPrincipal).end();
}

class SessionOnKernel : public testing::Test {
 protected:
  void SetUp() override {
    if (::geteuid() != 0) {
      GTEST_SKIP() << "needs root";
    }
    kernel_ = kernel::linux_kernel();
    const Status status = kernel::try_feature(*kernel_, kernel::Feature::kRawTracepoint);
    if (!status.ok()) {
      GTEST_SKIP() << status.error().text;
    }
    memory_.machine.cpus = kernel_->possible_cpus();
    memory_.percpu_stride = kStride;
    memory_.drops_offset = kDrops;
    memory_.uses_ring = true;
    schema_.layouts.resize(1);
    schema_.layouts[0].actions.resize(1);
  }
  void add_aggregation(std::uint32_t key_bytes, bool drained) {
    record::AggLayout layout;
    layout.name = "a";
    layout.key_bytes = key_bytes;
    layout.drained = drained;
    schema_.aggregations.push_back(layout);
    memory_.aggs.push_back(key_bytes == 0 ? bpf::HashMap{} : bpf::HashMap{key_bytes + 8, 8});
    memory_.agg_offset.push_back(key_bytes == 0 ? kKeyless : ir::kNone);
  }
  Result<std::unique_ptr<Session>> start(const bpf::Object& object, const Sizes& sizes) {
    DT_ASSIGN(auto session, Session::create(*kernel_, memory_, schema_, sizes, 0));
    DT_TRY(session->load({&object, {}, Role::kAttached, attach_sys_enter}));
    DT_TRY(session->attach());
    DT_TRY(session->go());
    return session;
  }
  static Result<std::unique_ptr<provider::Attachment>> attach_sys_enter(const Fd& program,
                                                                        kernel::Kernel& kernel) {
    class Link : public provider::Attachment {
     public:
      explicit Link(Fd fd) : fd_(std::move(fd)) {}

     private:
      Fd fd_;
    };
    DT_ASSIGN(Fd fd, kernel.attach_raw_tracepoint("sys_enter", program));
    return std::unique_ptr<provider::Attachment>(std::make_unique<Link>(std::move(fd)));
  }
  // Two threads that call getppid() as long as it lives.
  class Firing {
   public:
    Firing() {
      for (std::thread& thread : threads_) {
        thread = std::thread([this] {
          while (!stop_.load(std::memory_order_relaxed)) {
            ::syscall(SYS_getppid);
          }
        });
      }
    }
    ~Firing() {
      stop_ = true;
      for (std::thread& thread : threads_) {
        thread.join();
      }
    }

   private:
    std::atomic<bool> stop_ = false;
    std::array<std::thread, 2> threads_;
  };
  // The sum of a counter over all CPUs.
  static std::uint64_t total(Session& session, record::Drop kind) {
    const std::vector<std::uint64_t> counters = session.drops().value();
    std::uint64_t sum = 0;
    for (std::size_t i = static_cast<std::size_t>(kind); i < counters.size();
         i += record::kDropCounters) {
      sum += counters[i];
    }
    return sum;
  }
  static std::uint64_t read_count(Session& session) {
    std::uint64_t sum = 0;
    const Status status = session.aggregations().read(
        0, [&](std::span<const std::uint8_t>, std::uint32_t, std::span<const std::uint64_t> words) {
          for (const std::uint64_t word : words) {
            sum += word;
          }
        });
    EXPECT_TRUE(status.ok()) << status.error().text;
    return sum;
  }
  // Drains while two threads fire, then stops and drains the rest.
  void drain_under_load(const bpf::Object& object) {
    auto session = start(object, Sizes{});
    ASSERT_TRUE(session.ok()) << session.error().text << "\n" << session.error().log;
    std::uint64_t counted = 0;
    std::size_t reads_with_data = 0;
    {
      const Firing firing;
      const auto begin = std::chrono::steady_clock::now();
      // The threads that fire may wait long for a CPU.
      while (std::chrono::steady_clock::now() < begin + std::chrono::milliseconds(500) ||
             (reads_with_data < 2 &&
              std::chrono::steady_clock::now() < begin + std::chrono::seconds(60))) {
        const std::uint64_t count = read_count(**session);
        counted += count;
        reads_with_data += count > 0 ? 1 : 0;
      }
      ASSERT_TRUE((*session)->stop([](auto) {}).ok());  // still firing
    }
    counted += read_count(**session);
    counted += read_count(**session);
    const std::uint64_t fired = total(**session, kFired);
    const std::uint64_t lost = total(**session, record::Drop::kAggregation);
    std::printf("fired %lu, counted %lu, dropped %lu\n", fired, counted, lost);
    EXPECT_EQ(fired, counted + lost);
    EXPECT_GT(reads_with_data, 1U);
    EXPECT_LT(lost, fired / 100 + 1);
  }

  std::unique_ptr<kernel::Kernel> kernel_;
  bpf::Memory memory_;
  record::Schema schema_;
};

TEST_F(SessionOnKernel, DrainsAKeyedAggregationUnderLoadAndLosesNothing) {
  add_aggregation(8, true);
  drain_under_load(keyed_count(memory_.machine.cpus));
}

TEST_F(SessionOnKernel, DrainsAKeylessAggregationUnderLoadAndLosesNothing) {
  add_aggregation(0, true);
  drain_under_load(keyless_count(memory_.machine.cpus));
}

TEST_F(SessionOnKernel, ReadsAnAggregationThatIsNotDrainedAsOften) {
  add_aggregation(8, false);
  auto session = start(keyed_count(memory_.machine.cpus), Sizes{});
  ASSERT_TRUE(session.ok()) << session.error().text << "\n" << session.error().log;
  for (int i = 0; i < 1000; ++i) {
    ::syscall(SYS_getppid);
  }
  ASSERT_TRUE((*session)->stop([](auto) {}).ok());
  EXPECT_GE(read_count(**session), 1000U);
  EXPECT_EQ(read_count(**session), total(**session, kFired));
}

// A tiny ring, and a reader that stands still until it is full.
TEST_F(SessionOnKernel, RecordsAndDropsAddUpUnderOverload) {
  auto session = start(recorder(memory_.machine.cpus), Sizes{1024, 4 << 20, 1 << 20});
  ASSERT_TRUE(session.ok()) << session.error().text << "\n" << session.error().log;
  std::map<std::uint64_t, std::uint64_t> last;  // by CPU
  std::uint64_t records = 0;
  std::uint64_t disorder = 0;
  const auto visit = [&](std::span<const std::uint8_t> record) {
    std::array<std::uint64_t, 2> words = {};
    ASSERT_EQ(record.size(), sizeof words);
    std::memcpy(words.data(), record.data(), sizeof words);
    disorder += words[1] > last[words[0]] ? 0U : 1U;
    last[words[0]] = words[1];
    ++records;
  };
  {
    const Firing firing;
    for (int i = 0; i < 1000 && total(**session, record::Drop::kPrincipal) == 0; ++i) {
      ::poll(nullptr, 0, 10);
    }
    constexpr std::uint64_t kEnough = 2'000'000;  // of which a guest takes seconds
    for (int i = 0; i < 200 && records < kEnough; ++i) {
      ASSERT_TRUE((*session)->wait(2).ok());
      (*session)->consume(visit);
    }
    ASSERT_TRUE((*session)->stop(visit).ok());
  }
  (*session)->consume(visit);
  const std::uint64_t fired = total(**session, kFired);
  const std::uint64_t dropped = total(**session, record::Drop::kPrincipal);
  std::printf("fired %lu, recorded %lu, dropped %lu\n", fired, records, dropped);
  EXPECT_EQ(fired, records + dropped);
  EXPECT_GT(records, 1000U);
  EXPECT_GT(dropped, 0U);
  EXPECT_EQ(disorder, 0U);
}

TEST_F(SessionOnKernel, StartsAndEndsAgainAndAgain) {
  Code begin("dtrace:BEGIN");
  begin.value(6, MapKind::kGlobals, 0);
  begin.add(insn::store_imm(BPF_W, 6, 0, static_cast<std::int32_t>(bpf::State::kDraining)));
  const bpf::Object object = begin.add(insn::store_imm(BPF_W, 6, 4, 7)).end();
  for (int i = 0; i < 5; ++i) {
    auto session = Session::create(*kernel_, memory_, schema_, Sizes{}, 0);
    ASSERT_TRUE(session.ok()) << session.error().text;
    ASSERT_TRUE((*session)->load({&object, {}, Role::kBegin, nullptr}).ok());
    ASSERT_TRUE((*session)->attach().ok());
    ASSERT_TRUE((*session)->go().ok());
    EXPECT_EQ((*session)->exit_status(), 7);
    ASSERT_TRUE((*session)->stop([](auto) {}).ok());
  }
}

// The identities of the maps and programs that a process holds, from /proc.
std::set<std::pair<bpf_cmd, std::uint32_t>> held_by(pid_t pid) {
  std::set<std::pair<bpf_cmd, std::uint32_t>> held;
  const std::string directory = fmt::format("/proc/{}/fdinfo", pid);
  DIR* const open = ::opendir(directory.c_str());
  for (const dirent* entry = open != nullptr ? ::readdir(open) : nullptr; entry != nullptr;
       entry = ::readdir(open)) {
    std::FILE* const file = std::fopen((directory + "/" + entry->d_name).c_str(), "r");
    std::array<char, 256> line = {};
    while (file != nullptr && std::fgets(line.data(), line.size(), file) != nullptr) {
      unsigned id = 0;
      if (std::sscanf(line.data(), "map_id: %u", &id) == 1) {
        held.insert({BPF_MAP_GET_FD_BY_ID, id});
      } else if (std::sscanf(line.data(), "prog_id: %u", &id) == 1) {
        held.insert({BPF_PROG_GET_FD_BY_ID, id});
      } else if (std::sscanf(line.data(), "link_id: %u", &id) == 1) {
        held.insert({BPF_LINK_GET_FD_BY_ID, id});
      }
    }
    if (file != nullptr) {
      std::fclose(file);
    }
  }
  if (open != nullptr) {
    ::closedir(open);
  }
  return held;
}

bool exists(const std::pair<bpf_cmd, std::uint32_t>& object) {
  bpf_attr attr = kernel::zero_attr();
  attr.map_id = object.second;  // the same place for all three kinds
  const int fd = kernel::bpf_call(object.first, attr);
  Fd(fd).reset();
  return fd >= 0;
}

TEST_F(SessionOnKernel, LeavesNothingBehindAfterKill9AtRandomMoments) {
  add_aggregation(8, true);
  const bpf::Object object = keyed_count(memory_.machine.cpus);
  std::size_t most = 0;
  for (int round = 0; round < 20 || (most < 4U && round < 100); ++round) {
    const pid_t pid = ::fork();
    if (pid == 0) {
      while (true) {
        auto session = start(object, Sizes{});
        if (!session.ok()) {
          ::_exit(1);
        }
        static_cast<void>((*session)->wait(1).ok());
        static_cast<void>((*session)->stop([](auto) {}).ok());
      }
    }
    ::usleep(static_cast<useconds_t>(500 + 2371 * round));
    ::kill(pid, SIGSTOP);
    int status = 0;
    ASSERT_EQ(::waitpid(pid, &status, WUNTRACED), pid);
    ASSERT_TRUE(WIFSTOPPED(status)) << "the session failed";
    const auto held = held_by(pid);
    most = std::max(most, held.size());
    ::kill(pid, SIGKILL);
    ::waitpid(pid, nullptr, 0);
    bool gone = false;
    for (int i = 0; i < 5000 && !gone; ++i) {
      gone = std::none_of(held.begin(), held.end(), exists);
      if (!gone) {
        ::usleep(1000);
      }
    }
    EXPECT_TRUE(gone) << "round " << round;
  }
  EXPECT_GE(most, 4U);  // at least once it had been caught in the middle
}

}  // namespace
}  // namespace dt::runtime
