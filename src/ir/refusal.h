#pragma once
// Refusal: what a stage after the front-end cannot do of a program, as a code with arguments.
// The front-end words it (front/front_end.h), since only it knows what the language calls an
// operation.

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "ir/function.h"
#include "support/source.h"

namespace dt::ir {

struct Refusal {
  enum class Code : std::uint8_t {
    kNeedsTypes,         // `asks` reads structures of the kernel without type information: `detail`
    kNeedsNumbers,       // within a namespace, numbers of processes need type information
    kNoKernelRegisters,  // `asks` reads the kernel's registers, which this probe does not have
    kOtherThread,        // `asks` is about the running thread; that of this probe does not run yet
    kCannotWriteUser,    // `asks` writes user memory; why this kernel does not: `detail`
    kScratchFull,        // the values of a clause need more scratch memory than there is
    kThreadVariablesFull,  // thread-local variables take numbers[0] bytes; numbers[1] is the limit
    // Before Linux 6.4, thread-local variables cannot be made beside this probe; the release of
    // this kernel: `detail`.
    kThreadVariablesUnsafe,
    // The clauses of one probe have numbers[0] aggregations with keys and numbers[1] associative
    // arrays; with their other maps, these are more than numbers[2].
    kTooManyMaps,
  };

  Code code;
  std::optional<Span> place = {};  // what asks for it; nullopt: the program as a whole
  Inst asks = {};
  std::string detail = {};
  std::vector<std::uint64_t> numbers = {};
  std::string probe = {};  // Binding::program of the BPF program that cannot be made
};

// The operation, built-in or subroutine as the text form of the IR names it.
std::string name_of(const Inst& inst);

// A sentence in plain words, in which `asks` is what the language calls Refusal::asks.
std::string plain_text(const Refusal& refusal, std::string_view asks);

}  // namespace dt::ir
