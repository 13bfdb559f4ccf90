// See fake.h.

#include "testing/kernel/fake.h"

#include <fcntl.h>
#include <poll.h>
#include <sys/eventfd.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstring>

#include "support/check.h"

namespace dt::kernel {
namespace {

using Bytes = std::vector<std::uint8_t>;

std::size_t round8(std::size_t size) { return (size + 7) / 8 * 8; }

std::uint64_t inode_of(int fd) {
  struct stat status = {};
  DT_CHECK(::fstat(fd, &status) == 0, "descriptor {} is not open", fd);
  return status.st_ino;
}

const char* call_name(FakeKernel::Call call) {
  static constexpr std::array<const char*, FakeKernel::kCalls> kNames = {"create_map",
                                                                         "freeze_map",
                                                                         "update",
                                                                         "lookup",
                                                                         "erase",
                                                                         "for_each",
                                                                         "erase_all",
                                                                         "map_memory",
                                                                         "wait_grace_period",
                                                                         "load_program",
                                                                         "run",
                                                                         "attach_raw_tracepoint",
                                                                         "attach_perf_event",
                                                                         "attach_cpu_clock",
                                                                         "attach_uprobes",
                                                                         "attach_uprobe_event",
                                                                         "attach_functions",
                                                                         "attach_code",
                                                                         "missed_by_link",
                                                                         "missed_firings",
                                                                         "open_ring",
                                                                         "attach_netfilter"};
  return kNames.at(static_cast<std::size_t>(call));
}

std::string text_of(const void* key, std::size_t size) {
  return {static_cast<const char*>(key), size};
}

}  // namespace

struct FakeKernel::Map {
  MapSpec spec;
  std::uint64_t inode = 0;  // of the descriptor handed out for it
  bool frozen = false;
  std::map<std::string, Bytes> elements;  // by key: hashes, and arrays of several values
  Fd file;                                // arrays of one value: shared memory
  std::uint8_t* memory = nullptr;
  std::size_t memory_bytes = 0;
  std::shared_ptr<std::deque<Bytes>> records = std::make_shared<std::deque<Bytes>>();
  Fd event;  // rings

  Map() = default;
  Map(const Map&) = delete;
  Map& operator=(const Map&) = delete;
  ~Map() {
    if (memory != nullptr) {
      ::munmap(memory, memory_bytes);
    }
  }
};

namespace {

class FakeRing : public Kernel::Ring {
 public:
  FakeRing(int fd, std::shared_ptr<std::deque<Bytes>> records)
      : fd_(fd), records_(std::move(records)) {}
  int fd() const override { return fd_.get(); }
  std::size_t consume(const std::function<void(std::span<const std::uint8_t>)>& visit) override {
    std::size_t bytes = 0;
    for (std::size_t left = records_->size(); left > 0 && !records_->empty(); --left) {
      const Bytes record = std::move(records_->front());
      records_->pop_front();
      visit(record);
      bytes += round8(record.size() + BPF_RINGBUF_HDR_SZ);
    }
    return bytes;
  }

 private:
  Fd fd_;
  std::shared_ptr<std::deque<Bytes>> records_;
};

}  // namespace

FakeKernel::FakeKernel(std::uint32_t cpus) : cpus_(cpus), counts_(kCalls, 0) {}
FakeKernel::~FakeKernel() = default;

void FakeKernel::fail(Call call, std::size_t nth, int code, std::string log) {
  failures_.push_back({call, counts_[static_cast<std::size_t>(call)] + nth, code, std::move(log)});
}

std::size_t FakeKernel::count(Call call) const { return counts_[static_cast<std::size_t>(call)]; }

Status FakeKernel::enter(Call call, const std::string& what) {
  calls_.push_back(what.empty() ? call_name(call) : fmt::format("{} {}", call_name(call), what));
  const std::size_t number = ++counts_[static_cast<std::size_t>(call)];
  if (calls_.size() == fails_at_.nth) {
    return support::system_error(calls_.back(), fails_at_.code);
  }
  for (const Failure& failure : failures_) {
    if (failure.call == call && failure.at == number) {
      Error error = support::system_error(calls_.back(), failure.code);
      error.log = failure.log;
      return error;
    }
  }
  return {};
}

Fd FakeKernel::hand_out(const std::string& what) {
  std::array<int, 2> ends = {};
  DT_CHECK(::pipe2(ends.data(), O_CLOEXEC) == 0);
  handles_.push_back({Fd(ends[0]), inode_of(ends[1]), what});
  return Fd(ends[1]);
}

std::size_t FakeKernel::open_descriptors() const {
  std::size_t open = 0;
  for (const Handle& handle : handles_) {
    pollfd state = {handle.watch.get(), POLLIN, 0};
    ::poll(&state, 1, 0);
    open += (state.revents & POLLHUP) == 0 ? 1 : 0;
  }
  return open;
}

const FakeKernel::Handle& FakeKernel::handle(const Fd& fd) const {
  const std::uint64_t inode = inode_of(fd.get());
  for (const Handle& handle : handles_) {
    if (handle.inode == inode) {
      return handle;
    }
  }
  DT_UNREACHABLE("descriptor {} is not ours", fd.get());
}

FakeKernel::Map& FakeKernel::map_of(const Fd& fd) {
  const std::uint64_t inode = inode_of(fd.get());
  for (const auto& map : maps_) {
    if (map->inode == inode) {
      return *map;
    }
  }
  DT_UNREACHABLE("descriptor {} is no map", fd.get());
}

FakeKernel::Map* FakeKernel::find(const std::string& name) const {
  for (const auto& map : maps_) {
    if (map->spec.name == name) {
      return map.get();
    }
  }
  return nullptr;
}

// ---- maps -------------------------------------------------------------------

Result<Fd> FakeKernel::create_map(const MapSpec& spec) {
  DT_TRY(enter(Call::kCreateMap, spec.name));
  Fd fd = hand_out(spec.name);
  auto map = std::make_unique<Map>();
  map->spec = spec;
  map->inode = inode_of(fd.get());
  if (spec.type == BPF_MAP_TYPE_ARRAY && spec.entries == 1) {
    const auto page = static_cast<std::size_t>(::sysconf(_SC_PAGESIZE));
    map->memory_bytes = (spec.value_bytes + page - 1) / page * page;
    map->file = Fd(::memfd_create("fake map", MFD_CLOEXEC));
    DT_CHECK(::ftruncate(map->file.get(), static_cast<off_t>(map->memory_bytes)) == 0);
    void* const memory =
        ::mmap(nullptr, map->memory_bytes, PROT_READ | PROT_WRITE, MAP_SHARED, map->file.get(), 0);
    DT_CHECK(memory != MAP_FAILED);
    map->memory = static_cast<std::uint8_t*>(memory);
  }
  if (spec.type == BPF_MAP_TYPE_RINGBUF) {
    map->event = Fd(::eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK));
  }
  maps_.push_back(std::move(map));
  return fd;
}

Status FakeKernel::freeze_map(const Fd& fd) {
  DT_TRY(enter(Call::kFreezeMap, handle(fd).name));
  map_of(fd).frozen = true;
  return {};
}

Status FakeKernel::update(const Fd& fd, const void* key, const void* value) {
  DT_TRY(enter(Call::kUpdate, handle(fd).name));
  Map& map = map_of(fd);
  if (map.frozen) {
    return support::system_error("update of a frozen map", EPERM);
  }
  const auto* const from = static_cast<const std::uint8_t*>(value);
  if (map.memory != nullptr) {
    std::memcpy(map.memory, from, map.spec.value_bytes);
    return {};
  }
  const std::string index = text_of(key, map.spec.key_bytes);
  if (!map.elements.contains(index) && map.elements.size() >= map.spec.entries) {
    return support::system_error("update", E2BIG);
  }
  map.elements[index] = Bytes(from, from + map.spec.value_bytes);
  return {};
}

Status FakeKernel::insert(const Fd& fd, const void* key, const void* value) {
  const Map& map = map_of(fd);
  if (map.elements.contains(text_of(key, map.spec.key_bytes))) {
    return support::system_error("update", EEXIST);
  }
  return update(fd, key, value);
}

Status FakeKernel::lookup(const Fd& fd, const void* key, void* value) {
  DT_TRY(enter(Call::kLookup, handle(fd).name));
  const Map& map = map_of(fd);
  if (map.memory != nullptr) {
    std::memcpy(value, map.memory, map.spec.value_bytes);
    return {};
  }
  const auto found = map.elements.find(text_of(key, map.spec.key_bytes));
  if (found == map.elements.end()) {
    return support::system_error("lookup", ENOENT);
  }
  std::memcpy(value, found->second.data(), map.spec.value_bytes);
  return {};
}

Status FakeKernel::erase(const Fd& fd, const void* key) {
  DT_TRY(enter(Call::kErase, handle(fd).name));
  Map& map = map_of(fd);
  if (map.elements.erase(text_of(key, map.spec.key_bytes)) == 0) {
    return support::system_error("erase", ENOENT);
  }
  return {};
}

Status FakeKernel::for_each(const Fd& fd, const MapSpec&, const Visit& visit) {
  DT_TRY(enter(Call::kForEach, handle(fd).name));
  for (const auto& [key, value] : map_of(fd).elements) {
    visit(reinterpret_cast<const std::uint8_t*>(key.data()), value.data());
  }
  return {};
}

Status FakeKernel::erase_all(const Fd& fd, const MapSpec& spec,
                             std::span<const std::uint8_t> keys) {
  DT_TRY(enter(Call::kEraseAll, handle(fd).name));
  Map& map = map_of(fd);
  for (; keys.size() >= spec.key_bytes; keys = keys.subspan(spec.key_bytes)) {
    map.elements.erase(text_of(keys.data(), spec.key_bytes));
  }
  return {};
}

Result<Kernel::Mapping> FakeKernel::map_memory(const Fd& fd, std::size_t size) {
  DT_TRY(enter(Call::kMapMemory, handle(fd).name));
  const Map& map = map_of(fd);
  if ((map.spec.flags & BPF_F_MMAPABLE) == 0 || map.memory == nullptr || size > map.memory_bytes) {
    return support::system_error("mmap of a BPF map", EINVAL);
  }
  void* const memory =
      ::mmap(nullptr, map.memory_bytes, PROT_READ | PROT_WRITE, MAP_SHARED, map.file.get(), 0);
  DT_CHECK(memory != MAP_FAILED);
  Mapping mapping;
  mapping.data = static_cast<std::uint8_t*>(memory);
  mapping.size = map.memory_bytes;
  return mapping;
}

Status FakeKernel::wait_grace_period() {
  DT_TRY(enter(Call::kGracePeriod, {}));
  if (on_grace_period) {
    on_grace_period();
  }
  return {};
}

// ---- programs -----------------------------------------------------------------

Result<Fd> FakeKernel::load_program(const ProgramSpec& spec, std::span<const bpf_insn> insns,
                                    bool) {
  DT_TRY(enter(Call::kLoadProgram, spec.name));
  programs_[spec.name] = std::vector<bpf_insn>(insns.begin(), insns.end());
  program_specs.push_back(spec);
  return hand_out(spec.name);
}

Result<RunResult> FakeKernel::run(const Fd& program, std::span<const std::uint64_t> args, int) {
  const std::string& name = handle(program).name;
  DT_TRY(enter(Call::kRun, name));
  return RunResult{on_run ? on_run(name, args) : 0};
}

Result<Fd> FakeKernel::attach_raw_tracepoint(const std::string& name, const Fd& program) {
  DT_TRY(enter(Call::kAttachRawTracepoint, fmt::format("{} {}", name, handle(program).name)));
  return hand_out("link");
}

Result<Fd> FakeKernel::attach_netfilter(const NetfilterHook& hook, const Fd& program) {
  DT_TRY(enter(Call::kAttachNetfilter, fmt::format("{} {} {} {}", hook.family, hook.hook,
                                                   hook.priority, handle(program).name)));
  return hand_out("link");
}

Result<Fd> FakeKernel::attach_perf_event(const PerfEvent&, int cpu, const Fd& program) {
  DT_TRY(enter(Call::kAttachPerfEvent, fmt::format("{} {}", cpu, handle(program).name)));
  return hand_out("event");
}

Result<Fd> FakeKernel::attach_cpu_clock(int cpu, std::uint64_t, std::uint64_t, const Fd& program) {
  DT_TRY(enter(Call::kAttachCpuClock, fmt::format("{} {}", cpu, handle(program).name)));
  return hand_out("event");
}

Result<Fd> FakeKernel::attach_uprobes(const UprobeSites& sites, const Fd& program) {
  DT_TRY(enter(Call::kAttachUprobes, fmt::format("{} {}", sites.path, handle(program).name)));
  uprobes.push_back(sites);
  return hand_out("link");
}

Result<std::unique_ptr<Kernel::Attached>> FakeKernel::attach_uprobe_event(
    std::span<const UprobeSites> files, const Fd& program) {
  struct Event : Attached {
    explicit Event(Fd one) : fd(std::move(one)) {}
    Fd fd;
  };
  DT_TRY(enter(Call::kAttachUprobeEvent,
               fmt::format("{} {}", files.front().path, handle(program).name)));
  uprobe_events.emplace_back(files.begin(), files.end());
  return std::unique_ptr<Attached>(std::make_unique<Event>(hand_out("event")));
}

Result<Fd> FakeKernel::attach_functions(const FunctionSet& functions, const Fd& program) {
  DT_TRY(
      enter(Call::kAttachFunctions, fmt::format("{} {}", functions.size(), handle(program).name)));
  function_sets.push_back(functions);
  return hand_out("link");
}

Result<Fd> FakeKernel::attach_code(const CodePlace& place, std::uint64_t cookie,
                                   const Fd& program) {
  DT_TRY(enter(Call::kAttachCode, fmt::format("{}+{:#x} {} {}", place.symbol, place.address, cookie,
                                              handle(program).name)));
  return hand_out("link");
}

Result<std::uint64_t> FakeKernel::missed_by_link(const Fd&) {
  DT_TRY(enter(Call::kMissedByLink, {}));
  return link_missed;
}

Result<std::uint64_t> FakeKernel::missed_firings(const Fd& program) {
  const std::string& name = handle(program).name;
  DT_TRY(enter(Call::kMissedFirings, name));
  const auto found = missed.find(name);
  return found == missed.end() ? std::uint64_t{0} : found->second;
}

Result<std::unique_ptr<Kernel::Ring>> FakeKernel::open_ring(const Fd& fd, std::size_t) {
  DT_TRY(enter(Call::kOpenRing, handle(fd).name));
  const Map& map = map_of(fd);
  return std::unique_ptr<Ring>(
      std::make_unique<FakeRing>(::fcntl(map.event.get(), F_DUPFD_CLOEXEC, 0), map.records));
}

std::vector<int> FakeKernel::online_cpus() {
  std::vector<int> cpus;
  for (std::uint32_t cpu = 0; cpu < cpus_; ++cpu) {
    cpus.push_back(static_cast<int>(cpu));
  }
  return cpus;
}

// ---- what a test says and asks ---------------------------------------------------

std::uint8_t* FakeKernel::memory(const std::string& name) {
  const Map* const map = find(name);
  return map == nullptr ? nullptr : map->memory;
}

void FakeKernel::put(const std::string& name, const Bytes& key, const Bytes& value) {
  Map* const map = find(name);
  DT_CHECK(
      map != nullptr && key.size() == map->spec.key_bytes && value.size() == map->spec.value_bytes,
      "{}: key of {}, value of {} bytes", name, key.size(), value.size());
  map->elements[text_of(key.data(), key.size())] = value;
}

std::size_t FakeKernel::elements(const std::string& name) const {
  const Map* const map = find(name);
  return map == nullptr ? 0 : map->elements.size();
}

const MapSpec* FakeKernel::spec(const std::string& name) const {
  const Map* const map = find(name);
  return map == nullptr ? nullptr : &map->spec;
}

const std::vector<bpf_insn>* FakeKernel::program(const std::string& name) const {
  const auto found = programs_.find(name);
  return found == programs_.end() ? nullptr : &found->second;
}

void FakeKernel::push(const std::string& name, Bytes record) {
  find(name)->records->push_back(std::move(record));
}

void FakeKernel::wake(const std::string& name) {
  const std::uint64_t one = 1;
  DT_CHECK(::write(find(name)->event.get(), &one, sizeof one) == sizeof one);
}

bool FakeKernel::frozen(const std::string& name) const {
  const Map* const map = find(name);
  return map != nullptr && map->frozen;
}

}  // namespace dt::kernel
