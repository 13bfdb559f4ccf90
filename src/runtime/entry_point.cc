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
//                            +-- thread: followed, too, and stopped when the program arrives
//                            '-- end

#include "runtime/entry_point.h"

#include <elf.h>

#include <algorithm>
#include <array>
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
  Way(Ptrace& ptrace, pid_t pid, bool to_main) : ptrace_(ptrace), pid_(pid), to_main_(to_main) {}

  Result<Arrival> go() {
    Status status = begin();
    while (true) {
      if (status.ok()) status = follow();
      if (status.ok()) return arrival_;
      // It has been killed, or a thread has executed another program, which ends the others.
      const bool is_gone = status.error().code == ESRCH;
      if (!is_gone) ptrace_.kill(pid_);
      const Result<Stop> last = wait_for_end();
      if (!is_gone || !last.ok()) break;
      if (last->kind == Stop::Kind::kEnd) return arrival_;
      is_there_ = false;
      status = handle(*last);
    }
    return std::move(status.error()).with("on the way to its entry point");
  }

 private:
  // The program has just been executed and is stopped at its very first instruction, in the dynamic
  // linker.
  Status begin() {
    DT_TRY(ptrace_.watch(pid_, Ptrace::Watch::kWay));
    DT_TRY(set_breakpoint());
    if (is_there_) DT_TRY(aim_at_main());
    return is_there_ ? Status() : ptrace_.go_on(pid_, 0);
  }

  Status follow() {
    while (!is_there_ && !arrival_.ended) {
      DT_ASSIGN(const Stop stop, ptrace_.wait(everyone()));
      DT_TRY(handle(stop));
    }
    return arrival_.ended ? Status() : stop_threads();
  }

  std::vector<pid_t> everyone() const {
    std::vector<pid_t> all = arrival_.threads;
    all.push_back(pid_);
    return all;
  }

  // Handles a stop, and lets it go on where that is not the entry point.
  Status handle(const Stop& stop) {
    if (stop.kind == Stop::Kind::kEnd) {
      note_end(stop);
      return {};
    }
    DT_ASSIGN(const int signal, react(stop));
    if (is_there_ && stop.who == pid_) return {};
    DT_TRY(unless_gone(stop.who, ptrace_.go_on(stop.who, signal)));
    // A thread runs when the one that made it does: what it executes ends the other, which
    // is not to happen while its stop is handled.
    const pid_t thread = stop.kind == Stop::Kind::kThread ? stop.child : 0;
    const auto& all = arrival_.threads;
    if (std::find(all.begin(), all.end(), thread) == all.end()) return {};
    return unless_gone(thread, ptrace_.go_on(thread, 0));
  }

  // Returns the signal that it gets when it goes on.
  Result<int> react(const Stop& stop) {
    switch (stop.kind) {
      case Stop::Kind::kEnd:
        return 0;
      case Stop::Kind::kExec:  // what initialises a library executed another program
        arrival_.threads.clear();
        is_at_main_ = false;
        DT_TRY(set_breakpoint());
        return 0;
      case Stop::Kind::kChild:
        DT_TRY(release(stop.child));
        return 0;
      case Stop::Kind::kThread:
        DT_TRY(take(stop.child));
        return 0;
      case Stop::Kind::kBreakpoint: {
        DT_ASSIGN(const std::uint64_t next, ptrace_.program_counter(stop.who));
        // int3 is one byte, and the processor reports it with the program counter behind it.
        if (next != entry_ + 1 || stop.who != pid_) return stop.signal;  // the program's own
        DT_TRY(remove_breakpoint());
        DT_TRY(aim_at_main());
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

  void note_end(const Stop& stop) {
    if (stop.who == pid_) arrival_.ended = stop.status;
    std::erase(arrival_.threads, stop.who);
  }

  // A thread or a child that is killed meanwhile needs nothing more than to be waited for.
  Status unless_gone(pid_t who, Status status) {
    if (status.ok() || status.error().code != ESRCH || who == pid_) return status;
    DT_ASSIGN(const Stop last, ptrace_.wait(std::array{who}));
    if (last.kind != Stop::Kind::kEnd) return status;
    note_end(last);
    return {};
  }

  // Or another program. The end of a process is only seen when its threads have been waited for.
  Result<Stop> wait_for_end() {
    while (true) {
      DT_ASSIGN(const Stop stop, ptrace_.wait(everyone()));
      if (stop.kind == Stop::Kind::kEnd) note_end(stop);
      if (arrival_.ended || stop.kind == Stop::Kind::kExec) return stop;
    }
  }

  // A process that is stopped on the way never arrives, and the reason cannot be seen: the tracer
  // waits for it, and the probes that would show it are not attached yet.
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
    if (!entry) return Error::of("its auxiliary vector has no entry point");
    return set_breakpoint(*entry);
  }

  // If the program counter is there already, as in a static program, no breakpoint is needed.
  Status set_breakpoint(std::uint64_t place) {
    entry_ = place;
    DT_ASSIGN(const std::uint64_t next, ptrace_.program_counter(pid_));
    is_there_ = next == entry_;
    if (is_there_) return {};
    DT_ASSIGN(code_, ptrace_.read(pid_, entry_));
    if (code_ == kBreakpoint) {
      // A breakpoint of the kernel's (uprobe) would be taken before ours, and we would not hear of
      // it.
      return Error::of_code(fmt::format("there is another breakpoint at 0x{:x}", entry_), EBUSY,
                            "end the tracer that has a probe there");
    }
    return ptrace_.write(pid_, entry_, kBreakpoint);
  }

  // At the entry point: goes on to main(), where that is wanted and can be found.
  Status aim_at_main() {
    constexpr std::size_t kStartCode = 64;
    if (!to_main_ || is_at_main_) return {};
    is_at_main_ = true;
    std::array<std::uint8_t, kStartCode> code = {};
    for (std::size_t i = 0; i < code.size(); ++i) {
      const Result<std::uint8_t> byte = ptrace_.read(pid_, entry_ + i);
      if (!byte.ok()) break;  // the end of what is mapped
      code[i] = *byte;
    }
    const auto main = main_of_start_code(code, entry_);
    // What cannot be read is no code.
    if (!main || !ptrace_.read(pid_, *main).ok()) return {};
    return set_breakpoint(*main);
  }

  // The instruction has not been executed: its byte is restored, and the program counter set back
  // to it.
  Status remove_breakpoint() {
    DT_TRY(ptrace_.write(pid_, entry_, code_));
    DT_TRY(ptrace_.set_program_counter(pid_, entry_));
    is_there_ = true;
    return {};
  }

  // Each automatically traced process and thread begins with a SIGSTOP, unless something else comes
  // before. False when it ends before.
  Result<bool> begins(pid_t child) {
    while (true) {
      DT_ASSIGN(const Stop stop, ptrace_.wait(std::array{child}));
      if (stop.kind == Stop::Kind::kEnd) return false;
      if (stop.signal == SIGSTOP) return true;
      DT_TRY(ptrace_.go_on(child, stop.signal));
    }
  }

  // A child begins with a copy of the memory, breakpoint included, or, after vfork(2), with the
  // memory itself, which must keep the breakpoint.
  Status release(pid_t child) {
    DT_TRY(unless_gone(child, detach(child)));
    DT_ASSIGN(const std::uint8_t ours, ptrace_.read(pid_, entry_));
    return ours == kBreakpoint ? Status() : ptrace_.write(pid_, entry_, kBreakpoint);
  }

  Status detach(pid_t child) {
    DT_ASSIGN(const bool is_there, begins(child));
    if (!is_there) return {};
    DT_TRY(ptrace_.write(child, entry_, code_));
    return ptrace_.detach(child, 0);
  }

  // A thread is followed, too: it may execute another program.
  Status take(pid_t thread) {
    arrival_.threads.push_back(thread);
    const Result<bool> has_begun = begins(thread);
    if (!has_begun.ok()) return unless_gone(thread, has_begun.error());
    if (!*has_begun) std::erase(arrival_.threads, thread);
    return {};
  }

  // Stops all other threads of the program. Initialisers of libraries can start threads, which run
  // on while the main thread waits at the breakpoint; none of them may run before the probes are
  // attached.
  Status stop_threads() {
    if (arrival_.threads.empty()) return {};
    for (std::size_t i = 0; i < arrival_.threads.size();) {
      const pid_t thread = arrival_.threads[i];
      DT_TRY(unless_gone(thread, ptrace_.stop(pid_, thread)));
      bool has_stopped = false;
      while (!has_stopped && i < arrival_.threads.size() && arrival_.threads[i] == thread) {
        DT_ASSIGN(const Stop stop, ptrace_.wait(std::array{thread}));
        has_stopped = stop.kind == Stop::Kind::kSignal && stop.signal == SIGSTOP;
        if (!has_stopped) DT_TRY(handle(stop));
      }
      if (has_stopped) ++i;
    }
    DT_ASSIGN(const std::uint64_t next, ptrace_.program_counter(pid_));
    return next == entry_ ? Status() : Status(Error::of_code("it executes another program", ESRCH));
  }

  Ptrace& ptrace_;
  pid_t pid_;
  bool to_main_;
  bool is_at_main_ = false;  // or on its way there from the entry point
  std::uint64_t entry_ = 0;  // where it is to arrive
  std::uint8_t code_ = 0;    // the byte that the breakpoint replaced
  bool is_there_ = false;    // at the entry point, without the breakpoint
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

// The start code of glibc gives the address of main() to __libc_start_main(), as its first
// argument: in rdi. The operand is behind an opcode of three bytes; a relative one counts from the
// next instruction.
std::optional<std::uint64_t> main_of_start_code(std::span<const std::uint8_t> code,
                                                std::uint64_t address) {
  constexpr std::array<std::uint8_t, 3> kLea = {0x48, 0x8d, 0x3d};   // lea offset(%rip), %rdi
  constexpr std::array<std::uint8_t, 3> kMove = {0x48, 0xc7, 0xc7};  // mov $address, %rdi
  constexpr std::size_t kSize = kLea.size() + sizeof(std::int32_t);
  for (std::size_t i = 0; i + kSize <= code.size(); ++i) {
    const auto here = code.subspan(i, kLea.size());
    const bool is_relative = std::equal(here.begin(), here.end(), kLea.begin());
    if (!is_relative && !std::equal(here.begin(), here.end(), kMove.begin())) continue;
    std::int32_t operand = 0;
    std::memcpy(&operand, code.data() + i + kLea.size(), sizeof operand);
    return (is_relative ? address + i + kSize : 0) +
           static_cast<std::uint64_t>(std::int64_t{operand});
  }
  return std::nullopt;
}

Result<Arrival> run_to_entry_point(kernel::Ptrace& ptrace, pid_t pid, bool to_main) {
  return Way(ptrace, pid, to_main).go();
}

}  // namespace dt::runtime
