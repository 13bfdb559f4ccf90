#include "view/flames.h"

#include <gtest/gtest.h>

#include <functional>
#include <string>
#include <vector>

#include "symbol/interpreter/source_frame.h"
#include "symbol/process/process.h"

namespace dt::view {
namespace {

// Addresses from 0x1000 on are of a program, into which "h" is inlined from 0x2000 on; those from
// 0x3000 on are of a JIT; words of an interpreter are functions of a script.
class Resolver final : public symbol::Resolver {
 public:
  bool kernel(KernelAddr, symbol::Symbol& out) override {
    out = {"vmlinux", "vfs_read", 0};
    return true;
  }
  bool user(std::int32_t, UserAddr address, symbol::Symbol& out) override {
    if (symbol::is_source_frame(address.value)) {
      out = {"/srv/x.py", "work", 0};
    } else if (address.value >= 0x3000) {
      out = {std::string(symbol::kJitModule), "lambda", 4};
    } else {
      out = {"a.out", "f", 4};
    }
    return true;
  }
  void note_process(std::int32_t) override {}
  bool shows_source() const override { return true; }
  std::vector<symbol::SourceFrame> source(std::int32_t, UserAddr address, bool) override {
    if (address.value >> 12 == 2) return {{"h", "/src/h.h", 3}, {"", "/src/f.c", 7}};
    return {};
  }
};

std::vector<Frame> frames(record::FieldKind kind, const std::vector<std::uint64_t>& words) {
  Resolver resolver;
  const record::Schema schema;
  const consumer::Options options;
  const std::function<void(std::string_view)> error = [](std::string_view) {};
  consumer::FieldText fields(schema, resolver, options, error);
  record::FieldType type;
  type.kind = kind;
  return frames_of(
      fields, {&type, {reinterpret_cast<const std::uint8_t*>(words.data()), words.size() * 8}});
}

TEST(Flames, AFrameSaysWhatKindOfCodeItIs) {
  constexpr std::uint64_t kScript = symbol::kSourceTag | 1;
  EXPECT_EQ(frames(record::FieldKind::kUstack, {12, 0x2008, 0x3000, kScript, 0x1000}),
            (std::vector<Frame>{{"a.out`f", Code::kUser},
                                {"work", Code::kInterpreted},
                                {"[jit]`lambda", Code::kJit},
                                {"a.out`f", Code::kUser},
                                {"a.out`h", Code::kInlined}}));
  EXPECT_EQ(frames(record::FieldKind::kStack, {0xffffffff81000000}),
            (std::vector<Frame>{{"vmlinux`vfs_read", Code::kKernel}}));
}

}  // namespace
}  // namespace dt::view
