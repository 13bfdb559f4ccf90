#pragma once
// -x oformat=perfscript: records with stacks as `perf script` prints samples, for FlameScope, the
// Firefox Profiler and stackcollapse-perf.pl. They come as the records do.
//
//     bash  1234 [002] 1700000000.123456789:          1 profile-97:
//     \t    7f32a0b4e992 read+0x12 (libc.so.6)
//     \t    55d0c1a2b3c4 main+0x24 (bash)

#include <cstdint>
#include <string>
#include <vector>

#include "consumer/value/value.h"

namespace dt::exports {

struct PerfSample {
  std::string command;  // empty: not known
  std::uint64_t pid = 0;
  std::uint32_t cpu = 0;
  std::int64_t time_ns = 0;
  std::string event;
  std::vector<consumer::NamedFrame> frames;  // from the innermost
};

std::string perf_script(const PerfSample& sample);

}  // namespace dt::exports
