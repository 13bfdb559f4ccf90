#include "consumer/output/shell_text.h"

#include <gtest/gtest.h>

#include <array>
#include <cstdio>
#include <memory>

namespace dt::consumer {
namespace {

// The text of a format with one %s.
ShellText command(std::string_view before, std::string_view traced, std::string_view behind) {
  ShellText text;
  text.add_script(before);
  text.add_traced(traced);
  text.add_script(behind);
  return text;
}

std::string output_of(const std::string& command) {
  const std::unique_ptr<FILE, int (*)(FILE*)> pipe(::popen(command.c_str(), "r"), ::pclose);
  std::string out;
  std::array<char, 4096> buffer;
  while (const std::size_t n = std::fread(buffer.data(), 1, buffer.size(), pipe.get())) {
    out.append(buffer.data(), n);
  }
  return out;
}

TEST(ShellText, HarmlessWordsStayAsTheyAre) {
  EXPECT_EQ(command("ls -l ", "/usr/lib/x-1.2_3,a:b@c=d+e%f", " >&2").text(),
            "ls -l /usr/lib/x-1.2_3,a:b@c=d+e%f >&2");
  EXPECT_EQ(command("echo ", "", ".").text(), "echo ''.");
}

TEST(ShellText, ACommandInANameIsAWord) {
  EXPECT_EQ(command("echo ", "x; reboot", "").text(), "echo 'x; reboot'");
  EXPECT_EQ(command("echo '<", "x' $(reboot)", ">'").text(), "echo '<x'\\'' $(reboot)>'");
  EXPECT_EQ(command("echo \"<", "x\" $(reboot) `reboot`", ">\"").text(),
            "echo \"<x\\\" \\$(reboot) \\`reboot\\`>\"");
}

// Every byte but NUL, in each place where a conversion can stand, read back by the shell itself.
TEST(ShellText, TheShellReadsWhatWasTraced) {
  std::string all;
  for (int c = 1; c < 256; ++c) all += static_cast<char>(c);
  const std::pair<const char*, const char*> kPlaces[] = {
      {"printf %s ", ""},
      {"printf %s '", "'"},
      {"printf %s \"", "\""},
      {"printf %s \"a$(printf %s \"", ".\")\""},
      {"printf %s a'b'\"c\"\\'", ""},
      {"(:; printf %s ", ") # end"},
      {"x=1; printf %s \"${x:+", "}\""},
  };
  for (const auto& [before, behind] : kPlaces) {
    ShellText quoted = command(before, all, behind);
    if (!quoted.check().ok()) {
      EXPECT_STREQ(behind, "}\"");
      continue;
    }
    EXPECT_NE(output_of(quoted.text()).find(all), std::string::npos) << before;
  }
}

TEST(ShellText, WhereNoQuotingIsSafeItIsRefused) {
  EXPECT_FALSE(command("echo `echo ", "a b", "`").check().ok());
  EXPECT_FALSE(command("cat <<E\n", "a b", "\nE\n").check().ok());
  EXPECT_FALSE(command("true # ", "a\nb", "").check().ok());
  EXPECT_FALSE(command("echo \\", "a b", "").check().ok());
  EXPECT_FALSE(command("echo $", "(reboot)", "").check().ok());
  EXPECT_TRUE(command("echo `echo ", "a", "`").check().ok());
}

}  // namespace
}  // namespace dt::consumer
