#pragma once
// The probes that a program was built with: what sys/sdt.h leaves in the section
// .note.stapsdt. Read with bounds: files of other people are untrusted.
//
//   note "stapsdt", type 3:
//     address | base | semaphore | provider NUL | name NUL | arguments NUL
//
// An argument is where the compiler had it at the site, in the words of the
// assembler, with its size before it: "-4@%edi", "8@-16(%rbp,%rax,8)", "4@$5".

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "symbol/elf/file.h"

namespace dt::symbol {

struct UsdtOperand {
  enum class Kind : std::uint8_t {
    kUnknown,   // it cannot be read: a vector register, or a form that we do not know
    kConstant,  // value
    kRegister,  // base
    kMemory,    // at base + index * scale + value
    kSymbol,    // at the address of `symbol` + value
  };
  static constexpr std::uint8_t kNone = 0xff;

  Kind kind = Kind::kUnknown;
  std::uint8_t size = 8;  // in bytes
  bool is_signed = false;
  bool is_float = false;
  // As the processor numbers them: rax rcx rdx rbx rsp rbp rsi rdi r8 ... r15.
  std::uint8_t base = kNone, index = kNone;
  bool is_high = false;  // the second byte of the register: %ah
  std::uint8_t scale = 1;
  std::int64_t value = 0;
  std::string symbol = {};
  bool operator==(const UsdtOperand&) const = default;
};

struct UsdtNote {
  std::string provider, name;   // as in the file: "function__entry"
  std::uint64_t address = 0;    // as the file has it
  std::uint64_t semaphore = 0;  // the same; 0 = none
  std::vector<UsdtOperand> operands;
};

// The first ten at most.
std::vector<UsdtOperand> parse_usdt_operands(std::string_view text);

// "function-entry" for "function__entry": a macro of C cannot have '-' in a name, so two
// underscores stand for it, as in DTrace.
std::string usdt_name(std::string_view note);

// In the order of the file. A damaged note ends the list.
std::vector<UsdtNote> read_usdt_notes(const ElfFile& elf);

}  // namespace dt::symbol
