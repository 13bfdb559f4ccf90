// The tags of tests/golden/diagnostics/tags.table: each line is a tag and a script of which it is
// the first error. A line of the script ends with U+2424.

#include <gtest/gtest.h>

#include <fstream>
#include <string>

#include "testing/d/fake_world.h"

namespace dt::d {
namespace {

TEST(TagTable, EachScriptIsRefusedWithItsTag) {
  std::ifstream table(std::string(DT_GOLDEN_DIRECTORY) + "/diagnostics/tags.table");
  ASSERT_TRUE(table.is_open());
  int scripts = 0;
  for (std::string line; std::getline(table, line);) {
    const std::size_t blank = line.find(' ');
    ASSERT_NE(blank, std::string::npos) << line;
    const std::string tag = line.substr(0, blank);
    std::string script = line.substr(blank + 1);
    const std::string end_of_line = "\u2424";
    for (std::size_t at; (at = script.find(end_of_line)) != std::string::npos;) {
      script.replace(at, end_of_line.size(), "\n");
    }
    FakeWorld world;
    const auto program = world.compile(script);
    EXPECT_FALSE(program.has_value()) << script;
    const std::string first = world.first_error();
    EXPECT_EQ(first.substr(0, first.find(' ')), tag) << script << "\n" << world.errors();
    ++scripts;
  }
  EXPECT_GT(scripts, 800);
}

}  // namespace
}  // namespace dt::d
