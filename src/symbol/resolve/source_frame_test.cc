// Frames of interpreted functions as words and as text, and where CPython keeps its own.

#include "symbol/interpreter/source_frame.h"

#include <gtest/gtest.h>

#include <cstring>

#include "symbol/interpreter/interpreter.h"
#include "symbol/resolve/resolver.h"

namespace dt::symbol {
namespace {

SourceRecord record_of(std::string_view function, std::string_view file) {
  SourceRecord record;
  std::memcpy(record.function.data(), function.data(), function.size());
  std::memcpy(record.file.data(), file.data(), file.size());
  record.function_length = static_cast<std::uint32_t>(function.size());
  record.file_length = static_cast<std::uint32_t>(file.size());
  record.function_width = record.file_width = 1;
  return record;
}

TEST(SourceFrame, IsNoAddressOfAProcessOrOfTheKernel) {
  EXPECT_TRUE(is_source_frame(kSourceTag));
  for (const std::uint64_t address :
       {0x401000ULL, 0x7fffffffffffULL, 0xffffffffff600000ULL, 0xffffffff81000000ULL}) {
    EXPECT_FALSE(is_source_frame(address)) << address;
  }
  const std::uint64_t word = kSourceTag | 1234ULL << kSourceNameBits | 77;
  EXPECT_EQ(source_line(word), 1234U);
  EXPECT_EQ(source_name(word), 77U);
}

TEST(SourceFrame, TextsOfAnyBytesAreUtf8) {
  EXPECT_EQ(source_name_of(record_of("f", "\xe9")), (SourceName{"f", "é"}));
  SourceRecord record = record_of("", "");
  record.function_width = 4;
  record.function_length = 2;
  record.function = {0x0d, 0xf4, 1, 0, 0, 0xd8, 0, 0};  // a snake, and half a character
  EXPECT_EQ(source_name_of(record).function, "\U0001f40d\ufffd");
  record.function_width = 3;
  EXPECT_EQ(source_name_of(record).function, "");
  record.function_width = 4;
  record.function_length = ~0U;
  EXPECT_TRUE(source_name_of(record).function.ends_with("..."));
}

TEST(SourceFrame, BytesOfUtf8AreWholeCharacters) {
  const auto name = [](const std::string& text, std::size_t length) {
    SourceRecord record = record_of(text, "");
    record.function_width = kUtf8Width;
    record.function_length = static_cast<std::uint32_t>(length);
    return source_name_of(record).function;
  };
  EXPECT_EQ(name("a\xc3\xa9\xe6\x96\x87\xf0\x9f\x90\x8d", 10), "aé文\U0001f40d");
  EXPECT_EQ(name("a\xff\xc3z\xe6\x96", 6), "a\ufffd\ufffdz\ufffd");
  EXPECT_EQ(name("\xc0\x80\xed\xa0\x80", 5), "\ufffd\ufffd\ufffd");  // too long, and a half
  const std::string cut = std::string(111, 'x') + "\xc3";
  EXPECT_EQ(name(cut, 113), std::string(111, 'x') + "...");
  SourceRecord record = record_of("f", "\xa9" + std::string(255, 'y'));
  record.file_width = kUtf8Width;
  record.file_length = 300;
  EXPECT_EQ(source_name_of(record).file, "..." + std::string(255, 'y'));
}

class Names final : public Resolver {
 public:
  bool kernel(KernelAddr, Symbol&) override { return false; }
  bool user(std::int32_t, UserAddr address, Symbol& out) override {
    if (source_name(address.value) != 7) return false;
    out = Symbol{"a.py", "f", 0, source_line(address.value)};
    return true;
  }
  void note_process(std::int32_t) override {}
};

TEST(SourceFrame, IsShownWithFileAndLine) {
  Names names;
  const auto text = [&names](std::uint64_t word) {
    return user_text(names, 1, UserAddr(kSourceTag | word), true);
  };
  EXPECT_EQ(text(12ULL << kSourceNameBits | 7), "f (a.py:12)");
  EXPECT_EQ(text(7), "f (a.py)");
  EXPECT_EQ(text(0), "[...]");
}

TEST(RubyImage, IsOfRuby31Only) {
  const auto program = ElfFile::open("/proc/self/exe");
  ASSERT_TRUE(program.ok());
  EXPECT_FALSE(ruby_image(*program));
  const auto library = ElfFile::open("/usr/lib/x86_64-linux-gnu/libruby-3.1.so.3.1");
  if (!library.ok()) GTEST_SKIP() << "there is no Ruby 3.1";
  const auto image = interpreter_image(*library);
  ASSERT_TRUE(image);
  EXPECT_EQ(image->language, Language::kRuby);
  EXPECT_EQ(image->ruby.context % 8, 0U);
  EXPECT_GT(image->ruby.run_bytes, 100U);
  EXPECT_GT(image->ruby.module, image->ruby.run);
  EXPECT_GT(image->ruby.loop_return, 0U);
  EXPECT_LT(image->ruby.loop_return, image->ruby.run_bytes);
  EXPECT_GT(image->ruby.names, image->ruby.run);
}

TEST(PythonImage, IsOfPython311Only) {
  const auto program = ElfFile::open("/proc/self/exe");
  ASSERT_TRUE(program.ok());
  EXPECT_FALSE(python_image(*program));
  const auto python = ElfFile::open("/usr/bin/python3.11");
  if (!python.ok()) GTEST_SKIP() << "there is no /usr/bin/python3.11";
  const auto image = python_image(*python);
  ASSERT_TRUE(image);
  EXPECT_NE(image->runtime, image->code_type);
}

}  // namespace
}  // namespace dt::symbol
