// See entry_point.h.
//
// The dynamic linker maps the libraries, relocates them, calls what they have
// to be initialised, and jumps to the entry point, whose address the kernel tells
// it. A static program begins there.
//
// The breakpoint there is an instruction (int3), as debuggers set it. The debug
// registers of the processor would need no change of the program's code, but
// there are virtual machines that accept them and never stop.
//
//   exec stop --- set --> running --- breakpoint --> removed, stopped at the entry point
//                  ^         |
//                  '- exec --+-- signal: given to the program, or held
//                            +-- child: the breakpoint is removed from its memory, detached
//                            '-- end

#include "runtime/entry_point.h"

#include <elf.h>

#include <cerrno>
#include <csignal>
#include <cstring>

namespace dt::runtime {
namespace {

using kernel::Ptrace;
using Stop = Ptrace::Stop;

constexpr std::uint8_t kBreakpoint = 0xcc;

template <typename Pair>
std::optional<std::uint64_t> entry_of(std::string_view auxv) {
  for (std::size_t at = 0; at + sizeof(Pair) <= auxv.size(); at += sizeof(Pair)) {
    Pair entry;
    std::memcpy(&entry, auxv.data() + at, sizeof entry);
    if (entry.a_type == AT_ENTRY) {
      return entry.a_un.a_val;
    }
  }
  return std::nullopt;
}

bool stops_processes(int signal) {
  return signal == SIGSTOP || signal == SIGTSTP || signal == SIGTTIN || signal == SIGTTOU;
}

class Way {
 public:
  Way(Ptrace& ptrace, pid_t pid) : ptrace_(ptrace), pid_(pid) {}

  Result<Arrival> go() {
    Status status = follow();
    if (status.ok()) return arrival_;
    // It may have been killed meanwhile, which is an end like others.
    if (status.error().code == ESRCH) {
      const Result<Stop> last = ptrace_.wait(pid_, true);
      if (last.ok() && last->kind == Stop::Kind::kEnd) {
        arrival_.ended = last->status;
        return arrival_;
      }
    }
    return std::move(status.error()).with("on the way to its entry point");
  }

 private:
  Status follow() {
    DT_TRY(ptrace_.watch(pid_, Ptrace::Watch::kWay));
    DT_TRY(set_breakpoint());
    int signal = 0;
    while (!is_there_ && !arrival_.ended) {
      DT_TRY(ptrace_.go_on(pid_, signal));
      DT_ASSIGN(const Stop stop, ptrace_.wait(pid_, has_lost_threads_));
      DT_ASSIGN(signal, handle(stop));
    }
    return {};
  }

  // Returns the signal that the program gets when it goes on.
  Result<int> handle(const Stop& stop) {
    switch (stop.kind) {
      case Stop::Kind::kEnd:
        arrival_.ended = stop.status;
        return 0;
      case Stop::Kind::kExec:  // what initialises a library executed another program
        has_lost_threads_ = false;
        DT_TRY(set_breakpoint());
        return 0;
      case Stop::Kind::kChild:
        DT_TRY(release(stop.child));
        return 0;
      case Stop::Kind::kBreakpoint: {
        DT_ASSIGN(const std::uint64_t next, ptrace_.program_counter(pid_));
        if (next != entry_ + 1) return stop.signal;  // the program's own
        DT_TRY(remove_breakpoint());
        return 0;
      }
      case Stop::Kind::kStopped:
        arrival_.held_signal = stop.signal;
        return 0;
      case Stop::Kind::kSignal:
        return given(stop.signal);
    }
    return 0;
  }

  // Who is stopped on the way never arrives, and nobody sees why: the tracer waits for it,
  // and the probes that are to see it are not there yet.
  int given(int signal) {
    if (stops_processes(signal)) {
      arrival_.held_signal = signal;
      return 0;
    }
    if (signal == SIGCONT) arrival_.held_signal = 0;
    return signal;
  }

  Status set_breakpoint() {
    DT_ASSIGN(const std::string auxv, ptrace_.auxv(pid_));
    const auto entry = entry_of_auxv(auxv);
    if (!entry) return Error{"its auxiliary vector has no entry point", 0, "", ""};
    entry_ = *entry;
    DT_ASSIGN(const std::uint64_t next, ptrace_.program_counter(pid_));
    is_there_ = next == entry_;
    if (is_there_) return {};
    DT_ASSIGN(code_, ptrace_.read(pid_, entry_));
    if (code_ == kBreakpoint) {
      // A breakpoint of the kernel's (uprobe) would be taken before ours, and we would not hear of
      // it.
      return Error{fmt::format("there is another breakpoint at 0x{:x}", entry_), EBUSY,
                   "end the tracer that has a probe there", ""};
    }
    return ptrace_.write(pid_, entry_, kBreakpoint);
  }

  Status remove_breakpoint() {
    DT_TRY(ptrace_.write(pid_, entry_, code_));
    DT_TRY(ptrace_.set_program_counter(pid_, entry_));
    is_there_ = true;
    return {};
  }

  // A child that is killed meanwhile needs nothing more than to be waited for.
  Status release(pid_t child) {
    bool has_ended = false;
    Status status = detach(child, has_ended);
    if (!status.ok() && status.error().code == ESRCH && !has_ended) {
      DT_ASSIGN(const Stop last, ptrace_.wait(child, true));
      has_ended = last.kind == Stop::Kind::kEnd;
    }
    if (!status.ok() && !has_ended) return status;
    // A child begins with a copy of the memory, breakpoint included, or, as threads and
    // children of vfork(2) do, with the memory itself, which must keep the breakpoint.
    DT_ASSIGN(const std::uint8_t ours, ptrace_.read(pid_, entry_));
    if (ours == kBreakpoint) return {};
    has_lost_threads_ = true;
    return ptrace_.write(pid_, entry_, kBreakpoint);
  }

  Status detach(pid_t child, bool& has_ended) {
    DT_ASSIGN(Stop stop, ptrace_.wait(child, false));
    has_ended = stop.kind == Stop::Kind::kEnd;
    if (has_ended) return {};
    DT_TRY(ptrace_.write(child, entry_, code_));
    // It is stopped by the SIGSTOP that each automatically traced child begins with, unless
    // something else came before.
    while (stop.signal != SIGSTOP) {
      DT_TRY(ptrace_.go_on(child, stop.signal));
      DT_ASSIGN(stop, ptrace_.wait(child, false));
      has_ended = stop.kind == Stop::Kind::kEnd;
      if (has_ended) return {};
    }
    return ptrace_.detach(child, 0);
  }

  Ptrace& ptrace_;
  pid_t pid_;
  std::uint64_t entry_ = 0;
  std::uint8_t code_ = 0;          // what the breakpoint stands in the place of
  bool is_there_ = false;          // at the entry point, without the breakpoint
  bool has_lost_threads_ = false;  // or may have
  Arrival arrival_;
};

}  // namespace

std::optional<std::uint64_t> entry_of_auxv(std::string_view auxv) {
  // The types are small numbers, so that the upper half of a 64-bit one is 0; in a
  // 32-bit vector the value of the first pair is there: an address or a set of flags.
  std::uint32_t upper = 0;
  if (auxv.size() < sizeof(Elf64_auxv_t)) return std::nullopt;
  std::memcpy(&upper, auxv.data() + sizeof upper, sizeof upper);
  return upper == 0 ? entry_of<Elf64_auxv_t>(auxv) : entry_of<Elf32_auxv_t>(auxv);
}

Result<Arrival> run_to_entry_point(kernel::Ptrace& ptrace, pid_t pid) {
  return Way(ptrace, pid).go();
}

}  // namespace dt::runtime
