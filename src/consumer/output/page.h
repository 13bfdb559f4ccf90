#pragma once
// Text on its way to an Output, handed over in parts so that printing a million keys does not
// gather them first.

#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>

#include "consumer/output/json_dress.h"
#include "consumer/output/output.h"

namespace dt::consumer {

struct Page {
  static constexpr std::size_t kHandOver = 64 * 1024;
  explicit Page(Output& to, JsonDress::Form form = JsonDress::Form::kAsItIs)
      : output(to), dress(form) {}
  void relieve() {
    if (text.size() >= kHandOver) {
      hand_over();
    }
  }
  void hand_over() {
    if (!dress.is_plain()) {
      std::string dressed;
      dress.append(dressed, text);
      text = std::move(dressed);
    }
    output.write(text);
    text.clear();
    ++handed_over;
  }
  Output& output;
  JsonDress dress;
  std::string text;
  std::uint64_t handed_over = 0;  // how often: what was in `text` then can no longer be changed
};

}  // namespace dt::consumer
