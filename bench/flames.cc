// What a flame graph of many stacks costs: COUNT different stacks of 20 frames, as the frames of
// their keys come, become a tree and a picture. Prints the CPU time of both in ms, and the largest
// memory in kB.

#include <sys/resource.h>

#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

#include "exports/picture.h"

namespace {

constexpr std::uint32_t kDepth = 20;

long used_ms() {
  rusage usage{};
  ::getrusage(RUSAGE_SELF, &usage);
  return usage.ru_utime.tv_sec * 1000 + usage.ru_utime.tv_usec / 1000 +
         usage.ru_stime.tv_sec * 1000 + usage.ru_stime.tv_usec / 1000;
}

}  // namespace

int main(int argc, char** argv) {
  const long count = argc > 1 ? std::atol(argv[1]) : 1'000'000;
  dt::view::Flame flame{"calls", dt::record::AggFunc::kCount, 0, {}, 0};
  const long begin = used_ms();
  std::uint32_t some = 1;
  std::vector<std::uint32_t> stack;
  for (long i = 0; i < count; ++i) {
    stack.clear();
    auto rest = static_cast<std::uint64_t>(i);
    for (std::uint32_t depth = 0; depth < kDepth; ++depth) {
      // A few callers outside, many callees inside, and each stack another one.
      some = some * 1664525 + 1013904223;
      std::uint64_t function = depth < 10 ? (some >> 16) % 3 : (some >> 16) % 400;
      if (depth >= kDepth - 4) {
        function = rest % 32;
        rest /= 32;
      }
      stack.push_back(
          flame.tree.number({"libc.so.6`function_" + std::to_string((function + 7 * depth) % 400),
                             dt::view::Code::kUser}));
    }
    flame.tree.add(stack, 1 + i % 100);
  }
  const long added = used_ms();
  dt::exports::Picture picture;
  picture.layers.push_back({&flame});
  picture.title = "bench";
  const std::string text = dt::exports::svg(picture);
  const long drawn = used_ms();
  rusage usage{};
  ::getrusage(RUSAGE_SELF, &usage);
  std::printf("%ld %ld %ld %zu\n", added - begin, drawn - added, usage.ru_maxrss, text.size());
}
