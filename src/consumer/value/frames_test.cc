// Which frames a stack has where their source is shown, and where in the code each of them stands.

#include <gtest/gtest.h>

#include <functional>
#include <string>
#include <vector>

#include "consumer/value/value.h"

namespace dt::consumer {
namespace {

constexpr std::uint64_t kSignalReturn = 0x5000;

// Functions "f" from 0x1000 and "g" from 0x2000 on; "h" is inlined into g. The line is the
// address that was asked for, without its thousands.
class Source final : public symbol::Resolver {
 public:
  bool kernel(KernelAddr, symbol::Symbol&) override { return false; }
  bool user(std::int32_t, UserAddr address, symbol::Symbol& out) override {
    const std::uint64_t number = address.value >> 12;
    const char* const name = number == 1 ? "f" : number == 2 ? "g" : number == 5 ? "restore" : "";
    out = {"a.out", name, address.value & 0xfff};
    return number != 9;
  }
  void note_process(std::int32_t) override {}
  bool shows_source() const override { return shows; }
  bool is_signal_return(std::int32_t, UserAddr address) override {
    return address.value == kSignalReturn;
  }
  std::vector<symbol::SourceFrame> source(std::int32_t, UserAddr address, bool is_return) override {
    const std::uint64_t at = address.value - (is_return ? 1 : 0);
    const auto line = static_cast<std::uint32_t>(at & 0xfff);
    if (at >> 12 == 1) return {{"", "/src/f.c", line}};
    if (at >> 12 == 2) return {{"h", "/src/h.h", line}, {"", "/src/g.c", 7}};
    return {};
  }
  bool shows = true;
};

std::vector<std::string> shown(const std::vector<std::uint64_t>& words, bool with_source = true) {
  Source resolver;
  resolver.shows = with_source;
  const record::Schema schema;
  const Options options;
  const std::function<void(std::string_view)> error = [](std::string_view) {};
  FieldText fields(schema, resolver, options, error);
  record::FieldType type;
  type.kind = record::FieldKind::kUstack;
  const Value stack{&type, {reinterpret_cast<const std::uint8_t*>(words.data()), words.size() * 8}};
  std::vector<std::string> out;
  fields.each_named_frame(stack, [&](const NamedFrame& frame) { out.push_back(frame.text()); });
  return out;
}

using Texts = std::vector<std::string>;

TEST(Frames, TheInnermostStandsWhereItIsAndCallersWhereTheyCall) {
  EXPECT_EQ(shown({12, 0x1010, 0x1020}),
            (Texts{"a.out`f+0x10 at f.c:16", "a.out`f+0x20 at f.c:31"}));
}

TEST(Frames, WhatWasInlinedComesBeforeTheFunctionThatHasTheCode) {
  EXPECT_EQ(
      shown({12, 0x1010, 0x2008}),
      (Texts{"a.out`f+0x10 at f.c:16", "a.out`h (inlined) at h.h:7", "a.out`g+0x8 at g.c:7"}));
}

TEST(Frames, WhatASignalInterruptedHasNotCalled) {
  EXPECT_EQ(shown({12, 0x1010, kSignalReturn, 0x1020, 0x1030}),
            (Texts{"a.out`f+0x10 at f.c:16", "a.out`restore", "a.out`f+0x20 at f.c:32",
                   "a.out`f+0x30 at f.c:47"}));
}

TEST(Frames, ACallThatNeverReturnsIsOfTheFunctionThatEndsInIt) {
  EXPECT_EQ(shown({12, 0x1010, 0x2000}),
            (Texts{"a.out`f+0x10 at f.c:16", "a.out`f+0x1000 at f.c:4095"}));
  EXPECT_EQ(shown({12, 0x1010, 0x3000}, false), (Texts{"a.out`f+0x10", "a.out`g+0x1000"}));
}

TEST(Frames, WithoutSourceTheyAreAsTheyWereRecorded) {
  EXPECT_EQ(shown({12, 0x2008, 0x2000, 0x9999}, false),
            (Texts{"a.out`g+0x8", "a.out`g", "0x9999"}));
  EXPECT_EQ(shown({12, 0x9999, 0x4004}), (Texts{"0x9999", "a.out`0x4004"}));
}

}  // namespace
}  // namespace dt::consumer
