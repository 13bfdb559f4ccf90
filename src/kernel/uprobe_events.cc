// See uprobe_events.h.

#include "kernel/uprobe_events.h"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/ioctl.h>
#include <time.h>
#include <unistd.h>

#include <cerrno>
#include <charconv>
#include <cstring>
#include <set>
#include <string_view>
#include <vector>

#include "kernel/bpf_call.h"
#include "kernel/tracefs.h"
#include "support/clock.h"
#include "support/lines.h"

namespace dt::kernel {
namespace {

constexpr const char* kFile = "uprobe_events";
constexpr std::string_view kOurs = "p:dtrace_";

using support::sleep_ms;

// Whole lines. The kernel acts upon each and stops at the first that it refuses. Not all of them
// at once, as we cannot be killed before it has read what it is given.
Status write_lines(const Fd& file, std::string_view lines) {
  constexpr std::size_t kMostAtOnce = 32 << 10;
  while (!lines.empty()) {
    const std::string_view some = lines.substr(0, lines.substr(0, kMostAtOnce).rfind('\n') + 1);
    const ssize_t written = ::write(file.get(), some.data(), some.size());
    if (written < 0 && errno == EINTR) continue;
    if (written <= 0) {
      return support::system_error(fmt::format("write tracefs {}", kFile),
                                   written < 0 ? errno : EIO);
    }
    lines.remove_prefix(static_cast<std::size_t>(written));
  }
  return {};
}

// "group/event" of all events that are defined and were ours.
Result<std::set<std::string>> defined() {
  DT_ASSIGN(const std::string text, read_tracefs(kFile));
  std::set<std::string> events;
  support::for_lines(text, [&](std::string_view line) {
    if (!line.starts_with(kOurs)) return;
    line.remove_prefix(std::string_view("p:").size());
    events.emplace(line.substr(0, line.find(' ')));
  });
  return events;
}

// Removes the events of tracers that were killed together with their guardian. No tracer uses them,
// as the lock of `presence` is ours alone. There is a second look after a moment: events that are
// gone by then belonged to a tracer that has just ended, and its guardian has removed them.
void sweep(const Fd& presence) {
  constexpr long kMoment = 1000;
  const auto left = defined();
  if (!left.ok() || left->empty()) return;
  sleep_ms(kMoment);
  const auto still = defined();
  if (!still.ok()) return;
  for (const std::string& event : *still) {
    static_cast<void>(write_lines(presence, fmt::format("-:{}\n", event)));
  }
}

// A lock that tracers with such events share, held as long as the descriptor is open. It is a
// flock() on the file of tracefs itself: every tracer opens this file, it needs no directory of its
// own, and the kernel releases the lock when its owner dies.
Result<Fd> take_presence() {
  constexpr int kTries = 1000;
  DT_ASSIGN(Fd file, open_tracefs(kFile, O_WRONLY | O_APPEND));
  if (::flock(file.get(), LOCK_EX | LOCK_NB) == 0) sweep(file);
  for (int i = 0; i < kTries; ++i) {
    if (::flock(file.get(), LOCK_SH | LOCK_NB) == 0) return file;
    if (errno != EWOULDBLOCK && errno != EINTR) break;
    sleep_ms(10);
  }
  return support::system_error(fmt::format("flock tracefs {}", kFile), errno);
}

// How tracefs can name a file, which is all that matters when it is defined.
Result<Fd> open_code(const std::string& path) {
  Fd file(::open(path.c_str(), O_PATH | O_CLOEXEC));
  if (!file.valid()) return support::system_error(fmt::format("open {}", path), errno);
  return file;
}

Result<std::uint64_t> number_of(const std::string& event) {
  DT_ASSIGN(const std::string text, read_tracefs(fmt::format("events/{}/id", event)));
  std::uint64_t number = 0;
  const auto [end, failure] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (failure != std::errc()) {
    return Error::of(fmt::format("tracefs gives event {} no number", event));
  }
  return number;
}

// Never enabled: that would make it write records, and it runs its program all the same.
Result<Fd> open_event(std::uint64_t number, pid_t pid, int cpu) {
  perf_event_attr attr;
  std::memset(&attr, 0, sizeof attr);
  attr.size = sizeof attr;
  attr.type = PERF_TYPE_TRACEPOINT;
  attr.config = number;
  attr.disabled = 1;
  const int fd = pid == 0 ? perf_open(attr, -1, cpu) : perf_open(attr, pid, -1);
  if (fd < 0) return support::system_error("perf_event_open of breakpoints", -fd);
  return Fd(fd);
}

}  // namespace

// Removes its definition when it has been closed.
class UprobeEvents::Event : public Kernel::Attached {
 public:
  Event(UprobeEvents& of, std::string name, Witness witness)
      : of_(of), name_(std::move(name)), witness_(std::move(witness)) {}
  ~Event() override {
    // A child that was forked from us holds the perf event open, and the kernel refuses to remove
    // an event in use. Its end is left to the guardian then.
    const bool is_ours_alone = witness_.are_ours_alone();
    perf_.reset();
    if (is_ours_alone) {
      of_.remove(name_);
    } else {
      of_.guardian_.stay();
    }
  }

  Status attach(std::span<const UprobeSites> files, const Fd& program, int cpu) {
    DT_TRY(of_.define(name_, files));
    DT_ASSIGN(const std::uint64_t number, number_of(name_));
    DT_ASSIGN(perf_, open_event(number, files.front().pid, cpu));
    DT_TRY(witness_.outlast(perf_));
    // Not a link: others may have that at any time, by its number.
    if (::ioctl(perf_.get(), PERF_EVENT_IOC_SET_BPF, program.get()) != 0) {
      return support::system_error("ioctl(PERF_EVENT_IOC_SET_BPF) of breakpoints", errno);
    }
    return {};
  }

 private:
  UprobeEvents& of_;
  std::string name_;
  Witness witness_;
  Fd perf_;
};

UprobeEvents::UprobeEvents(Fd file, Fd presence, std::string name, Witness witness,
                           Guardian guardian)
    : file_(std::move(file)),
      presence_(std::move(presence)),
      name_(std::move(name)),
      witness_(std::move(witness)),
      guardian_(std::move(guardian)) {}

Result<std::unique_ptr<UprobeEvents>> UprobeEvents::open() {
  DT_ASSIGN(Fd file, open_tracefs(kFile, O_WRONLY | O_APPEND));
  DT_ASSIGN(Fd presence, take_presence());
  DT_ASSIGN(Witness witness, Witness::create());
  std::string name = fmt::format("dtrace_{}_{:x}/e", ::getpid(), support::now_ns(CLOCK_MONOTONIC));
  DT_ASSIGN(Guardian guardian, Guardian::start(file, name, witness));
  return std::unique_ptr<UprobeEvents>(new UprobeEvents(std::move(file), std::move(presence),
                                                        std::move(name), std::move(witness),
                                                        std::move(guardian)));
}

// One line for a place; lines with the same event add places to it (Linux 5.4):
//
//   p:GROUP/EVENT /proc/self/fd/7:0x1234(0x5678) c=\0x2a p=\4711
//
// where (...) is the place of a USDT semaphore, which the kernel increments, and \N an argument
// that is this number at every firing. The program reads `c` and `p` from the record. All places of
// an event must have the same arguments. A file is named by our descriptor of it: its own path
// could contain blanks or colons, or lead to another file by now.
Status UprobeEvents::define(const std::string& event, std::span<const UprobeSites> files) {
  std::string lines;
  std::vector<Fd> open;
  for (const UprobeSites& one : files) {
    DT_ASSIGN(Fd code, open_code(one.path));
    for (const UprobeSites::Site& site : one.sites) {
      fmt::format_to(std::back_inserter(lines), "p:{} /proc/self/fd/{}:{:#x}", event, code.get(),
                     site.offset);
      if (site.semaphore != 0) fmt::format_to(std::back_inserter(lines), "({:#x})", site.semaphore);
      fmt::format_to(std::back_inserter(lines), " c=\\{:#x} p=\\{}\n", site.cookie, one.pid);
    }
    open.push_back(std::move(code));
  }
  return write_lines(file_, lines);
}

// It may not be there.
void UprobeEvents::remove(const std::string& event) {
  static_cast<void>(write_lines(file_, fmt::format("-:{}\n", event)));
}

// Guarded first; see Guardian::guard().
Result<std::unique_ptr<Kernel::Attached>> UprobeEvents::attach(std::span<const UprobeSites> files,
                                                               const Fd& program, int cpu) {
  DT_ASSIGN(Witness witness, Witness::create());
  const std::uint32_t number = count_++;
  guardian_.guard(count_);
  auto event =
      std::make_unique<Event>(*this, fmt::format("{}{}", name_, number), std::move(witness));
  DT_TRY(event->attach(files, program, cpu));
  return std::unique_ptr<Kernel::Attached>(std::move(event));
}

}  // namespace dt::kernel
