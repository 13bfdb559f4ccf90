// See process_events.h.

#include "kernel/process_events.h"

#include <fmt/format.h>
#include <linux/perf_event.h>
#include <sys/mman.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <ctime>
#include <string_view>

#include "kernel/bpf_call.h"
#include "support/clock.h"
#include "support/fd.h"

namespace dt::kernel {
namespace {

constexpr std::size_t kDataPages = 64;  // a power of two; some 2,000 records
// Readers are woken after what a few programs map: their files are to be opened before they are
// deleted.
constexpr std::uint32_t kWakeBytes = 4096;

// Takes fields one after another; `ok` is false once there was not enough.
struct Fields {
  std::span<const std::uint8_t> rest;
  bool ok = true;

  template <typename T>
  T take() {
    T value = {};
    ok = ok && rest.size() >= sizeof value;
    if (ok) {
      std::memcpy(&value, rest.data(), sizeof value);
      rest = rest.subspan(sizeof value);
    }
    return value;
  }
};

//   FORK, EXIT   u32 pid, parent's pid, tid, parent's tid; u64 time
//
// The kernel reports threads in the same records. A fork whose pid is the parent's made a thread;
// an exit whose tid is not its pid ended one.
bool parse_task(Fields fields, bool is_fork, ProcessEvent& out) {
  const auto pid = fields.take<std::int32_t>();
  const auto parent = fields.take<std::int32_t>();
  const auto thread = fields.take<std::int32_t>();
  out.kind = is_fork ? ProcessEvent::Kind::kFork : ProcessEvent::Kind::kExit;
  out.pid = pid;
  out.parent = parent;
  return fields.ok && pid > 0 && (is_fork ? pid != parent : pid == thread);
}

//   MMAP2        u32 pid, tid; u64 address, length, offset; u32 major, minor; u64 inode,
//                generation; u32 protection, flags; char path[], with NULs to a multiple of 8
bool parse_map(Fields fields, ProcessEvent& out) {
  out.kind = ProcessEvent::Kind::kMap;
  out.pid = fields.take<std::int32_t>();
  fields.take<std::int32_t>();
  out.begin = fields.take<std::uint64_t>();
  const auto size = fields.take<std::uint64_t>();
  out.file_offset = fields.take<std::uint64_t>();
  const auto major_number = fields.take<std::uint32_t>();
  const auto minor_number = fields.take<std::uint32_t>();
  out.device = makedev(major_number, minor_number);
  out.inode = fields.take<std::uint64_t>();
  out.generation = fields.take<std::uint64_t>();
  const auto protection = fields.take<std::uint32_t>();
  fields.take<std::uint32_t>();
  out.end = out.begin + size;
  const auto* text = reinterpret_cast<const char*>(fields.rest.data());
  out.path = fields.ok ? std::string(text, ::strnlen(text, fields.rest.size())) : std::string();
  return fields.ok && out.pid > 0 && (protection & PROT_EXEC) != 0 && out.end > out.begin;
}

}  // namespace

bool parse_process_event(std::span<const std::uint8_t> record, ProcessEvent& out) {
  Fields fields{record};
  const auto header = fields.take<perf_event_header>();
  // The time stands at the end (sample_id_all).
  if (!fields.ok || fields.rest.size() < sizeof out.time) {
    return false;
  }
  const std::size_t body = fields.rest.size() - sizeof out.time;
  std::memcpy(&out.time, fields.rest.data() + body, sizeof out.time);
  fields.rest = fields.rest.first(body);
  switch (header.type) {
    case PERF_RECORD_FORK:
    case PERF_RECORD_EXIT:
      return parse_task(fields, header.type == PERF_RECORD_FORK, out);
    // A process can also name itself (PR_SET_NAME); only exec sets the flag.
    case PERF_RECORD_COMM:
      out.kind = ProcessEvent::Kind::kExec;
      out.pid = fields.take<std::int32_t>();
      return fields.ok && out.pid > 0 && (header.misc & PERF_RECORD_MISC_COMM_EXEC) != 0;
    case PERF_RECORD_MMAP2:
      return parse_map(fields, out);
    default:
      return false;
  }
}

// The buffer of one CPU: a page of positions, then the data, which wraps.
struct ProcessEvents::Buffer {
  Fd fd;
  void* memory = MAP_FAILED;
  std::size_t page = 0;

  Buffer(Fd opened, void* mapped, std::size_t page_size)
      : fd(std::move(opened)), memory(mapped), page(page_size) {}
  Buffer(Buffer&& other) noexcept
      : fd(std::move(other.fd)), memory(other.memory), page(other.page) {
    other.memory = MAP_FAILED;
  }
  Buffer& operator=(Buffer&&) = delete;
  ~Buffer() {
    if (memory != MAP_FAILED) {
      ::munmap(memory, page * (1 + kDataPages));
    }
  }

  bool is_pending() const {
    auto* const control = static_cast<perf_event_mmap_page*>(memory);
    return __atomic_load_n(&control->data_head, __ATOMIC_ACQUIRE) != control->data_tail;
  }

  // Takes out all records that are there; returns how many found no room. data_head and data_tail
  // only grow; the place in the buffer is their remainder. Because the buffer is mapped for
  // writing, the kernel takes data_tail as the end of what we have read: it overwrites nothing
  // before, drops what finds no room, and puts a LOST record {header, id, count} in front of the
  // next one that does. The store is a release, as the records must be copied before the kernel can
  // reuse their bytes.
  std::uint64_t take(std::vector<ProcessEvent>& into) {
    auto* const control = static_cast<perf_event_mmap_page*>(memory);
    const auto* const data = static_cast<const std::uint8_t*>(memory) + page;
    const std::size_t size = page * kDataPages;
    const std::uint64_t head = __atomic_load_n(&control->data_head, __ATOMIC_ACQUIRE);
    std::uint64_t tail = control->data_tail;
    std::uint64_t lost = 0;
    std::vector<std::uint8_t> record;
    const auto copy = [&](std::uint64_t from, void* to, std::size_t bytes) {
      const std::size_t at = from & (size - 1);
      const std::size_t first = std::min(bytes, size - at);
      std::memcpy(to, data + at, first);
      std::memcpy(static_cast<std::uint8_t*>(to) + first, data, bytes - first);
    };
    while (head - tail >= sizeof(perf_event_header)) {
      perf_event_header header = {};
      copy(tail, &header, sizeof header);
      if (header.size < sizeof header || header.size > head - tail) {
        tail = head;
        break;
      }
      record.resize(header.size);
      copy(tail, record.data(), record.size());
      tail += header.size;
      ProcessEvent event;
      if (header.type == PERF_RECORD_LOST && record.size() >= sizeof header + 16) {
        std::uint64_t count = 0;
        std::memcpy(&count, record.data() + sizeof header + 8, sizeof count);
        lost += count;
      } else if (parse_process_event(record, event)) {
        into.push_back(std::move(event));
      }
    }
    __atomic_store_n(&control->data_tail, tail, __ATOMIC_RELEASE);
    return lost;
  }
};

ProcessEvents::ProcessEvents() = default;
ProcessEvents::~ProcessEvents() = default;

// An event for each CPU: one for all CPUs and all processes does not exist. The clock is the
// monotonic one (use_clockid), because records of probes have times of this clock.
Result<std::unique_ptr<ProcessEvents>> ProcessEvents::open(const std::vector<int>& cpus) {
  const auto page = static_cast<std::size_t>(::sysconf(_SC_PAGESIZE));
  std::unique_ptr<ProcessEvents> out(new ProcessEvents);
  for (const int cpu : cpus) {
    perf_event_attr attr;
    std::memset(&attr, 0, sizeof attr);
    attr.size = sizeof attr;
    attr.type = PERF_TYPE_SOFTWARE;
    // An event that counts nothing: it is there for the records about tasks and mappings.
    attr.config = PERF_COUNT_SW_DUMMY;
    attr.sample_type = PERF_SAMPLE_TIME;
    attr.sample_id_all = 1;
    attr.mmap = 1;
    attr.mmap2 = 1;
    attr.comm = 1;
    attr.comm_exec = 1;
    attr.task = 1;
    attr.exclude_kernel = 1;
    attr.exclude_hv = 1;
    attr.use_clockid = 1;
    attr.clockid = CLOCK_MONOTONIC;
    attr.watermark = 1;
    attr.wakeup_watermark = kWakeBytes;
    const int opened = perf_open(attr, -1, cpu);
    if (opened < 0) {
      return support::system_error(fmt::format("perf_event_open on CPU {}", cpu), -opened);
    }
    Fd fd(opened);
    void* const memory =
        ::mmap(nullptr, page * (1 + kDataPages), PROT_READ | PROT_WRITE, MAP_SHARED, fd.get(), 0);
    if (memory == MAP_FAILED) {
      return support::system_error(fmt::format("mmap of the events of CPU {}", cpu), errno);
    }
    out->buffers_.emplace_back(std::move(fd), memory, page);
  }
  return out;
}

// Hands events over in the order of their times: a process may go from one CPU to another between
// two events. Each CPU has a buffer of its own, which is in the order of time within itself. An
// event with a time behind the beginning of this call may be followed, in another buffer, by an
// earlier one; so it waits for the next call.
std::uint64_t ProcessEvents::read(const std::function<void(const ProcessEvent&)>& visit) {
  const auto until = static_cast<std::uint64_t>(support::now_ns(CLOCK_MONOTONIC));
  std::uint64_t lost = 0;
  for (Buffer& buffer : buffers_) {
    lost += buffer.take(waiting_);
  }
  std::stable_sort(waiting_.begin(), waiting_.end(),
                   [](const ProcessEvent& a, const ProcessEvent& b) { return a.time < b.time; });
  const auto end = std::find_if(waiting_.begin(), waiting_.end(),
                                [until](const ProcessEvent& event) { return event.time > until; });
  std::for_each(waiting_.begin(), end, visit);
  waiting_.erase(waiting_.begin(), end);
  return lost;
}

bool ProcessEvents::is_pending() const {
  return !waiting_.empty() || std::any_of(buffers_.begin(), buffers_.end(),
                                          [](const Buffer& buffer) { return buffer.is_pending(); });
}

std::vector<int> ProcessEvents::descriptors() const {
  std::vector<int> out;
  for (const Buffer& buffer : buffers_) {
    out.push_back(buffer.fd.get());
  }
  return out;
}

}  // namespace dt::kernel
