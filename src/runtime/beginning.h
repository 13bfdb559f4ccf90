#pragma once

#include <cstdint>

namespace dt::runtime {

// Where a started program waits until its probes are attached.
enum class Beginning : std::uint8_t {
  kExec,   // at its first instruction, which is the dynamic linker's
  kEntry,  // at its entry point: its libraries are mapped and initialised
  kMain,   // at main()
};

}  // namespace dt::runtime
