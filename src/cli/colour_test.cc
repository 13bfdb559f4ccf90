#include "cli/colour.h"

#include <gtest/gtest.h>
#include <stdlib.h>

namespace dt::cli {
namespace {

TEST(Colour, MarksWhoSpeaksErrorsHintsAndPlaces) {
  EXPECT_EQ(coloured("dtrace: no\n"), "\x1b[1mdtrace:\x1b[m no\n");
  EXPECT_EQ(coloured("hint: try"), "\x1b[36mhint:\x1b[m try");
  EXPECT_EQ(coloured("a.d:1:2: error: bad [D_SYNTAX]\nBEGIN { x\n        ^~~\n"),
            "\x1b[1ma.d:1:2:\x1b[m \x1b[1;31merror:\x1b[m bad [D_SYNTAX]\nBEGIN { x\n"
            "        \x1b[32m^~~\x1b[m\n");
  EXPECT_EQ(coloured("x ^ y error: no\n  a error: b\n"),
            "\x1b[1mx ^ y\x1b[m \x1b[1;31merror:\x1b[m no\n  a error: b\n");
  EXPECT_EQ(coloured(""), "");
}

TEST(Colour, IsTheUsersChoice) {
  ::setenv("TERM", "xterm", 1);
  ::setenv("NO_COLOR", "1", 1);
  EXPECT_FALSE(wants_colour());
  EXPECT_EQ(for_terminal("dtrace: \x1b[2J\n").find("\x1b"), std::string::npos);
  ::setenv("NO_COLOR", "", 1);
  EXPECT_TRUE(wants_colour());
  EXPECT_EQ(for_terminal("dtrace: \x1b[2J\n").find("\x1b[2J"), std::string::npos);
  ::setenv("TERM", "dumb", 1);
  EXPECT_FALSE(wants_colour());
}

}  // namespace
}  // namespace dt::cli
