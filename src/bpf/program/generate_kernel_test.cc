// What programs read of the kernel's memory.

#include <gtest/gtest.h>

#include <cstring>
#include <string>

#include "bpf/program/generate_test.h"
#include "testing/bpf/interp.h"

namespace dt::bpf {
namespace {

constexpr std::uint64_t kAddress = 0xffff800000000000;
constexpr Words kWords = {.cast = 70, .type = 71};

// Runs the program with arg0 = kAddress, where there are these bytes; the keys that @0 has then.
struct Ran {
  std::vector<std::string> keys;
  std::size_t records = 0;
  std::size_t casts = 0;
};
Ran ran(const char* body, const Words& words, const std::vector<std::uint8_t>& bytes) {
  Machine machine;
  machine.words = words;
  const Generated g = generate_from(body, machine, {0});
  EXPECT_EQ(g.error, "");
  World world(g.memory);
  const auto active = static_cast<std::uint32_t>(State::kActive);
  std::memcpy(world.value({MapKind::kGlobals, 0})->data(), &active, sizeof active);
  if (!bytes.empty()) world.kernel_memory[kAddress] = bytes;
  std::vector<std::uint8_t> context(kContextWords * 8, 0);
  std::memcpy(context.data() + 8, &kAddress, sizeof kAddress);
  EXPECT_EQ(run(g.object, world, context).error, "");
  Ran out;
  for (const auto& [key, value] : world.map({MapKind::kAssoc, 0})->values) out.keys.push_back(key);
  out.records = world.map({MapKind::kRing, 0})->records.size();
  out.casts = world.kernel_calls.size();
  return out;
}

constexpr const char* kLoad = R"(program
var @0 global "x" [s64] : s64
clause "a" {
  b0:
    %0 : s64 = builtin arg0
    %1 : s16 = load_kernel %0 #1
    %2 : s64 = const 1
    store @0, %1, %2
    return
})";

std::string as_key(std::int64_t value) {
  std::string key(sizeof value, '\0');
  std::memcpy(key.data(), &value, sizeof value);
  return key;
}

TEST(GenerateKernel, APlainLoadExtendsAndTellsZeroFromNoMemory) {
  for (const Words& words : {Words{}, kWords}) {
    const std::size_t casts = words.are_known() ? 1 : 0;
    const Ran negative = ran(kLoad, words, {0xfe, 0xff, 0x11, 0x22});
    EXPECT_EQ(negative.keys, std::vector{as_key(-2)});
    EXPECT_EQ(negative.casts, casts);
    // The load could be of memory that ends behind it.
    EXPECT_EQ(ran(kLoad, words, {0x34, 0x12}).keys, std::vector{as_key(0x1234)});
    const Ran zero = ran(kLoad, words, {0, 0, 0, 0});
    EXPECT_EQ(zero.keys, std::vector{as_key(0)});
    EXPECT_EQ(zero.records, 0U);
    const Ran none = ran(kLoad, words, {});
    EXPECT_EQ(none.keys, std::vector<std::string>());
    EXPECT_EQ(none.records, 1U);  // the fault
  }
}

constexpr const char* kText = R"(program strsize=256
var @0 global "x" [str24] : s64
clause "a" {
  b0:
    %0 : s64 = builtin arg0
    %1 : bytes20 = kernel_bytes %0 #1
    %2 : str24 = to_string %1
    %3 : s64 = const 1
    store @0, %2, %3
    return
})";

std::string padded(std::string text) {
  text.resize(24);
  return text;
}
std::vector<std::uint8_t> bytes_of(const std::string& text) { return {text.begin(), text.end()}; }

TEST(GenerateKernel, TextEndsAtItsNulOrWhereItsBytesEnd) {
  const std::string twenty = "abcdefghijklmnopqrst";
  EXPECT_EQ(ran(kText, {}, bytes_of(std::string("sda\0left over as it was", 23))).keys,
            std::vector{padded("sda")});
  EXPECT_EQ(ran(kText, {}, bytes_of(twenty + "uvwxyz")).keys, std::vector{padded(twenty)});
  // What is behind the bytes cannot be read: they can.
  EXPECT_EQ(ran(kText, {}, bytes_of(twenty)).keys, std::vector{padded(twenty)});
  const Ran none = ran(kText, {}, bytes_of("abc"));
  EXPECT_EQ(none.keys, std::vector<std::string>());
  EXPECT_EQ(none.records, 1U);
}

}  // namespace
}  // namespace dt::bpf
