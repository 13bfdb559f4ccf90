#pragma once
// What single functions of glibc show of threads, whatever their names: derived from their
// instructions.

#include <cstdint>
#include <optional>
#include <set>
#include <vector>

#include "provider/glibc/glibc_code.h"

namespace dt::provider {

// The instructions of glibc's start of a thread that call the thread's function:
//
//       mov  N+8(...),%rdi
//       call *N(...)            calls: there may be several; or by way of a register
//       mov  %rax,V(...)
//     end:                      where it branches to when setjmp() has returned again
//
// Offsets are from its start; N and V in the thread's structure.
struct ThreadBody {
  std::vector<std::uint32_t> calls;
  std::uint32_t end = 0;
  std::uint32_t routine_at = 0, value_at = 0;
};
// nullopt where this is not what threads run.
std::optional<ThreadBody> thread_body(const GlibcCode::Code& code);

// if (setjmp(...) != 0): where the code goes on then, as an offset from its start. `setjmps`:
// where that function begins.
std::optional<std::uint32_t> after_longjmp(const GlibcCode::Code& code,
                                           const std::set<std::uint64_t>& setjmps);

// What is added to the address of the thread's structure for errno: in memory at `address`, or,
// without one, `offset`.
struct ErrorNumber {
  std::optional<std::uint64_t> address;
  std::int32_t offset = 0;
};
// mov N(%rip),%reg or mov $N,%reg; mov ...,%fs:(%reg): where the function keeps an error.
std::optional<ErrorNumber> error_number_of(const GlibcCode::Code& code);

}  // namespace dt::provider
