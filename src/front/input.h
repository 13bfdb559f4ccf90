#pragma once
// Input: one program as it was given, by its source.

#include <cstdint>

namespace dt::front {

struct Input {
  std::uint32_t source = 0;  // index in Sources
  // -P/-m/-f/-i arguments are completed to four fields: "syscall:::" for -P
  // syscall, ":mod::" for -m, "::func:" for -f; -n and scripts are taken as written.
  enum class Spec : std::uint8_t {
    kProgram,
    kName,
    kProvider,
    kModule,
    kFunction,
    kId
  } spec = Spec::kProgram;
};

}  // namespace dt::front
