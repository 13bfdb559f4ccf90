#pragma once
// Where a program's own code begins, and a traced program's way to it.

#include <sys/types.h>

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "kernel/ptrace.h"
#include "support/result.h"

namespace dt::runtime {

// The address of the first instruction of the program itself (AT_ENTRY), from
// the bytes of its auxiliary vector, of a 64-bit or a 32-bit program; nullopt
// when it does not say.
std::optional<std::uint64_t> entry_of_auxv(std::string_view auxv);

// The address of main() from the code at the entry point, `code` at `address`: the start code
// of C libraries passes it on as the first argument, in one of the two instructions with which
// compilers load an address. nullopt when there is none of them.
std::optional<std::uint64_t> main_of_start_code(std::span<const std::uint8_t> code,
                                                std::uint64_t address);

// How a program's way to its entry point has ended.
struct Arrival {
  std::optional<int> ended;  // the status of wait(2) when the program has ended on the way
  // A signal that stops processes and has come on the way; 0 is none. The tracer gives
  // it when it detaches.
  int held_signal = 0;
  // Threads that libraries have made on the way: traced and stopped. The tracer detaches them, too.
  std::vector<pid_t> threads;
};

// Lets a program that has just been executed, and is stopped and traced by this
// thread, run until it comes to its entry point, and leaves it stopped there; with `to_main`,
// at main(), if that is known. Its code is what it was. Signals that come on the way are given
// to it, but for those that stop it. Processes that it makes on the way run on untraced.
//
// After an error the program has been killed and waited for.
Result<Arrival> run_to_entry_point(kernel::Ptrace& ptrace, pid_t pid, bool to_main = false);

}  // namespace dt::runtime
