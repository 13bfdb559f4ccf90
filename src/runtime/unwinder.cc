// See unwinder.h.

#include "runtime/unwinder.h"

#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <sys/auxv.h>
#include <sys/eventfd.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <filesystem>
#include <optional>
#include <utility>

#include "runtime/available_memory.h"
#include "symbol/elf/file.h"
#include "symbol/elf/needed.h"
#include "symbol/frames/call_frames.h"
#include "symbol/interpreter/interpreter.h"
#include "symbol/process/layers.h"
#include "symbol/process/objects.h"
#include "symbol/process/process.h"

namespace dt::runtime {
namespace {

// /proc/PID/map_files leads to the file that is mapped, also when it has been deleted, or is in
// another mount namespace.
std::string mapped_file(pid_t pid, std::uint64_t begin, std::uint64_t end) {
  return fmt::format("/proc/{}/map_files/{:x}-{:x}", pid, begin, end);
}

// The kernel's dev_t has 20 bits for the minor number; stat(2) gives another format.
std::uint32_t kernel_device(std::uint64_t device) {
  constexpr std::uint32_t kMinorBits = 20;
  return static_cast<std::uint32_t>(major(device) << kMinorBits | minor(device));
}

// The key of an open file; nothing when the file cannot be examined, or is another one than
// `inode`. The key is what a program can read in the kernel's inode: device, number, size and time
// of change. So a file that is overwritten gets another key.
std::optional<bpf::UnwindFileKey> key_of(const Fd& fd, std::uint64_t device, std::uint64_t inode) {
  struct stat status {};
  if (!fd.valid() || ::fstat(fd.get(), &status) != 0 || status.st_ino != inode) {
    return std::nullopt;
  }
  return bpf::UnwindFileKey{.inode = inode,
                            .bytes = static_cast<std::uint64_t>(status.st_size),
                            .changed = static_cast<std::uint64_t>(status.st_ctim.tv_sec),
                            .changed_ns = static_cast<std::uint32_t>(status.st_ctim.tv_nsec),
                            .device = kernel_device(device)};
}

// Whether it is a file that the key is of; file systems may give it another device.
bool is_of(const Fd& fd, const bpf::UnwindFileKey& key) {
  auto found = key_of(fd, 0, key.inode);
  if (!found) return false;
  found->device = key.device;
  return *found == key;
}

// O_NONBLOCK: to open a FIFO that has no writer would wait for one. O_NOCTTY: a terminal must not
// become ours.
Fd open_file(const std::string& path) {
  return Fd(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY));
}

void wake(const Fd& eventfd) {
  const std::uint64_t one = 1;
  (void)!::write(eventfd.get(), &one, sizeof one);
}

std::string file_id(std::uint64_t device, std::uint64_t inode) {
  return fmt::format("{:x}:{:x}", device, inode);
}

std::string event_id(const kernel::ProcessEvent& event) {
  return fmt::format("{} {}", file_id(event.device, event.inode), event.generation);
}

}  // namespace

Result<std::unique_ptr<Unwinder>> Unwinder::create(kernel::Kernel& kernel, const Maps& maps) {
  DT_ASSIGN(UnwindTables tables, UnwindTables::create(kernel, maps));
  std::unique_ptr<Unwinder> unwinder(new Unwinder(std::move(tables)));
  DT_ASSIGN(unwinder->wanted_,
            kernel.open_ring(maps.unwind(bpf::UnwindMap::kWanted), bpf::kUnwindWantedBytes));
  unwinder->wake_ = Fd(::eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK));
  if (!unwinder->wake_.valid()) return support::system_error("eventfd", errno);
  return unwinder;
}

Unwinder::~Unwinder() {
  if (!thread_.is_running()) return;
  {
    const std::lock_guard lock(mutex_);
    is_ending_ = true;
  }
  wake(wake_);
  thread_.join();
}

// One file for all processes that map it: its users are counted, and the path that is kept is that
// of the first one.
void Unwinder::note_process(pid_t pid, std::map<std::string, File>& files) {
  for (const symbol::Mapping& mapping : symbol::read_mappings(fmt::format("/proc/{}/maps", pid))) {
    if (mapping.inode == 0) continue;
    File& file = files[file_id(mapping.device, mapping.inode)];
    if (file.users > 0) {
      ++file.users;
      continue;
    }
    file.path = mapped_file(pid, mapping.begin, mapping.end);
    if (const auto key = key_of(open_file(file.path), mapping.device, mapping.inode)) {
      file.key = *key;
      file.users = 1;
      note_layers(pid, File(file), mapping.device, files);
    }
  }
}

// In the kernel's inode of what is mapped, the device is that of the layer.
void Unwinder::note_layers(pid_t pid, const File& file, std::uint64_t device,
                           std::map<std::string, File>& files) {
  const auto [known, is_new] = layers_.try_emplace(device);
  if (is_new) known->second = symbol::layer_devices(pid, device);
  for (const std::uint64_t layer : known->second) {
    File& same = files[file_id(layer, file.key.inode)];
    if (same.users > 0) continue;
    same = file;
    same.key.device = kernel_device(layer);
  }
}

// Adds the libraries that a program which has not begun yet is going to map.
void Unwinder::add_libraries(pid_t pid, std::map<std::string, File>& files) const {
  const auto program = symbol::ElfFile::open(fmt::format("/proc/{}/exe", pid));
  if (!program.ok()) return;
  std::error_code error;
  const auto path = std::filesystem::read_symlink(fmt::format("/proc/{}/exe", pid), error);
  for (const std::string& library : symbol::needed_libraries(*program, path.parent_path().string(),
                                                             fmt::format("/proc/{}/root", pid))) {
    const Fd fd = open_file(library);
    struct stat status {};
    if (!fd.valid() || ::fstat(fd.get(), &status) != 0) continue;
    if (const auto key = key_of(fd, status.st_dev, status.st_ino)) {
      files.try_emplace(file_id(status.st_dev, status.st_ino), File{*key, library, 1});
    }
  }
}

// The vDSO is no file: the kernel maps it into each process. Ours is the same as all others, and
// its tables are read from our own memory.
void Unwinder::add_vdso() {
  const std::uint64_t base = ::getauxval(AT_SYSINFO_EHDR);
  const auto own = symbol::read_mappings("/proc/self/maps");
  const symbol::Mapping* const mapping = base == 0 ? nullptr : symbol::last_from(own, base);
  if (mapping == nullptr || mapping->begin != base) return;
  const auto* const bytes = reinterpret_cast<const std::uint8_t*>(base);
  const auto elf = symbol::ElfFile::from_bytes({bytes, bytes + (mapping->end - base)});
  if (!elf.ok()) return;
  const auto table = symbol::frame_table(*elf);
  if (!table.ok()) return;
  const auto file = tables_.add(*table);
  if (file.ok()) (void)tables_.set(bpf::kUnwindVdso, *file);
}

// Adds a table. If there is no more room, all tables are forgotten first, and the files that are
// executed now come again.
Result<bpf::UnwindFile> Unwinder::add(const symbol::FrameTable& table) {
  Result<bpf::UnwindFile> file = tables_.add(table);
  if (file.ok() || file.error().code != ENOSPC) return file;
  DT_TRY(tables_.start_over());
  add_vdso();
  return tables_.add(table);
}

// Whether there is memory for the table of this file. In a small memory cgroup, the table of one
// large library could take all: then its stacks end early, and the memory is left for the results.
// The system is not asked for each small file.
bool Unwinder::has_memory_for(const symbol::ElfFile& elf) {
  constexpr std::uint64_t kUnasked = 1 << 20, kForResults = 4 << 20;
  const std::uint64_t wanted = symbol::frame_table_memory(elf);
  unasked_bytes_ += wanted;
  if (unasked_bytes_ < kUnasked) return true;
  unasked_bytes_ = 0;
  return wanted + kForResults <= available_memory();
}

// False when another file stands there by now.
bool Unwinder::make(const File& file) {
  const Fd fd = open_file(file.path);
  if (!is_of(fd, file.key)) return false;
  if (tables_.knows(file.key)) return true;
  bpf::UnwindFile made;  // of what is no program nothing will be known
  const auto elf = symbol::ElfFile::open(fmt::format("/proc/self/fd/{}", fd.get()));
  if (elf.ok() && !has_memory_for(*elf)) {
    lacks_memory_.store(true, std::memory_order_relaxed);
  } else if (elf.ok()) {
    const auto table = kept_.table(fd, *elf);
    const auto added = table ? add(*table) : Result<bpf::UnwindFile>(made);
    if (added.ok()) made = *added;
    if (const auto image = symbol::interpreter_image(*elf)) {
      made.interpreter = tables_.interpreter(*image);
    }
  }
  return tables_.set(file.key, made).ok();
}

Status Unwinder::prepare(std::span<const pid_t> first,
                         std::optional<std::chrono::nanoseconds> most) {
  const Clock::time_point begin = Clock::now();
  add_vdso();
  std::map<std::string, File> files;
  for (const pid_t pid : first) {
    note_process(pid, files);
    add_libraries(pid, files);
  }
  for (const auto& [id, file] : files) {
    if (file.users > 0) make(file);
  }
  if (most) prepare_others(begin, *most);
  DT_ASSIGN(thread_, support::Thread::start([this] { run(); }));
  return {};
}

// What is mapped by most processes comes first: rest_ is sorted by users, and taken from its end.
// What does not fit in the time is made later by the thread, when nothing else is to be done.
void Unwinder::prepare_others(Clock::time_point begin, std::chrono::nanoseconds most) {
  unread_ = symbol::all_processes();
  std::map<std::string, File> others;
  for (; !unread_.empty() && Clock::now() < begin + most / 2; unread_.pop_back()) {
    note_process(unread_.back(), others);
  }
  for (auto& [id, file] : others) {
    if (file.users > 0 && noted_.insert(id).second) rest_.push_back(std::move(file));
  }
  std::stable_sort(rest_.begin(), rest_.end(),
                   [](const File& a, const File& b) { return a.users < b.users; });
  while (!rest_.empty() && Clock::now() < begin + most) {
    make(rest_.back());
    rest_.pop_back();
  }
}

// A part of what was there before, when nothing else is to be done.
void Unwinder::make_some() {
  if (!rest_.empty()) {
    make(rest_.back());
    rest_.pop_back();
  } else if (!unread_.empty()) {
    std::map<std::string, File> files;
    note_process(unread_.back(), files);
    unread_.pop_back();
    for (auto& [id, file] : files) {
      if (file.users > 0 && noted_.insert(id).second) rest_.push_back(std::move(file));
    }
  }
}

// By what the process has mapped, or by the file's path, if it is that file: in the
// process's root directory, then in ours.
std::optional<std::string> Unwinder::find_mapped(pid_t pid, const symbol::Mapping& mapping) const {
  const std::string exact = mapped_file(pid, mapping.begin, mapping.end);
  for (const std::string& path :
       {exact, fmt::format("/proc/{}/root{}", pid, mapping.path), mapping.path}) {
    const Fd fd = open_file(path);
    struct stat status {};
    if (!fd.valid() || ::fstat(fd.get(), &status) != 0 || !S_ISREG(status.st_mode)) continue;
    if (path == exact || (status.st_ino == mapping.inode &&
                          (path != mapping.path || status.st_dev == mapping.device))) {
      return path;
    }
  }
  return std::nullopt;
}

// Makes the table that a probe has asked for. The second look reads the mappings anew: those that
// are remembered may be older than the firing that asked. A file that cannot be opened although it
// is still mapped there is not asked for again.
void Unwinder::make_wanted(const bpf::UnwindWanted& wanted, Mappings& known) {
  if (tables_.knows(wanted.key)) return;
  const auto pid = static_cast<pid_t>(wanted.pid);
  for (const bool is_again : {false, true}) {
    if (known.pid != pid || is_again) {
      known.pid = pid;
      known.all = symbol::read_mappings(fmt::format("/proc/{}/maps", pid));
    }
    const symbol::Mapping* const mapping = symbol::last_from(known.all, wanted.begin);
    const bool is_there = mapping != nullptr && mapping->begin == wanted.begin &&
                          mapping->end == wanted.end && mapping->inode == wanted.key.inode;
    if (!is_there && is_again) return tables_.forget(wanted.key);  // it does something else now
    const auto path = is_there ? find_mapped(pid, *mapping) : std::nullopt;
    if (path && make({wanted.key, *path, 1})) return;
  }
  (void)tables_.set(wanted.key, {});
}

// Called by the thread that consumes, for each file that a process maps: its table is often ready
// before its code fires the first probe.
void Unwinder::expect(const kernel::ProcessEvent& event) {
  constexpr std::size_t kMaxWaiting = 4096;
  if (!thread_.is_running() || event.inode == 0) return;
  {
    const std::lock_guard lock(mutex_);
    if (forgotten_ != tables_.forgotten()) {
      forgotten_ = tables_.forgotten();
      seen_.clear();
    }
    if (expected_.size() >= kMaxWaiting) return;
    if (seen_.size() > bpf::kUnwindFiles) seen_.clear();
    if (!seen_.insert(event_id(event)).second) return;
    expected_.push_back(event);
  }
  wake(wake_);
}

std::optional<Unwinder::File> Unwinder::find_expected(const kernel::ProcessEvent& event) const {
  symbol::Mapping mapping;
  mapping.begin = event.begin;
  mapping.end = event.end;
  mapping.device = event.device;
  mapping.inode = event.inode;
  mapping.path = event.path;
  const auto path = find_mapped(event.pid, mapping);
  const auto key = path ? key_of(open_file(*path), event.device, event.inode) : std::nullopt;
  return key ? std::optional(File{*key, *path, 1}) : std::nullopt;
}

// Makes what is expected; false when it is time to end.
bool Unwinder::take_expected() {
  std::deque<kernel::ProcessEvent> expected;
  {
    const std::lock_guard lock(mutex_);
    if (is_ending_) return false;
    expected.swap(expected_);
  }
  for (const kernel::ProcessEvent& event : expected) {
    const auto file = find_expected(event);
    const bool is_made = file && make(*file);
    const std::lock_guard lock(mutex_);
    if (!is_made) seen_.erase(event_id(event));
    if (is_ending_) return false;
  }
  return true;
}

void Unwinder::run() {
  ::pthread_setname_np(::pthread_self(), "dtrace-unwind");
  // SCHED_BATCH: when this thread wakes up, it does not preempt the running thread, which may be a
  // traced one.
  const sched_param param = {};
  ::pthread_setschedparam(::pthread_self(), SCHED_BATCH, &param);
  for (;;) {
    std::array<pollfd, 2> wait = {{{wake_.get(), POLLIN, 0}, {wanted_->fd(), POLLIN, 0}}};
    const bool is_idle = rest_.empty() && unread_.empty();
    if (::poll(wait.data(), wait.size(), is_idle ? -1 : 0) < 0 && errno != EINTR) return;
    std::uint64_t times = 0;
    (void)!::read(wake_.get(), &times, sizeof times);
    std::vector<bpf::UnwindWanted> asked;
    wanted_->consume([&asked](std::span<const std::uint8_t> bytes) {
      bpf::UnwindWanted wanted;
      if (bytes.size() < sizeof wanted) return;
      std::memcpy(&wanted, bytes.data(), sizeof wanted);
      asked.push_back(wanted);
    });
    if (!take_expected()) return;
    Mappings known;
    for (const bpf::UnwindWanted& wanted : asked) {
      make_wanted(wanted, known);
      if (!take_expected()) return;
    }
    if (asked.empty()) make_some();
  }
}

}  // namespace dt::runtime
