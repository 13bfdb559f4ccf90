// Splitting the command of -c.

#include "runtime/words.h"

#include <gtest/gtest.h>

namespace dt::runtime {
namespace {

using Words = std::vector<std::string>;

TEST(Words, SplitAsAPersonExpects) {
  const std::vector<std::pair<std::string, Words>> cases = {
      {"ls", {"ls"}},
      {"  ls   -l\t/tmp\n", {"ls", "-l", "/tmp"}},
      {"echo 'a b'", {"echo", "a b"}},
      {"echo \"a b\" c", {"echo", "a b", "c"}},
      {"echo a' 'b\" \"c", {"echo", "a b c"}},
      {"echo ''", {"echo", ""}},
      {"echo \"\" x", {"echo", "", "x"}},
      {"echo a\\ b", {"echo", "a b"}},
      {"echo \\\\ \\' \\\"", {"echo", "\\", "'", "\""}},
      {"echo 'it\\n'", {"echo", "it\\n"}},
      {"echo \"a\\\"b\\\\c\\n\"", {"echo", "a\"b\\c\\n"}},
      {"sh -c 'echo $HOME | cat > x; (y) & *'", {"sh", "-c", "echo $HOME | cat > x; (y) & *"}},
      {"echo $HOME *", {"echo", "$HOME", "*"}},
      {"sh -c \"kill \\$\\$; \\`x\\` \\a\"", {"sh", "-c", "kill $$; `x` \\a"}},
      {"\"my prog\" x", {"my prog", "x"}},
  };
  for (const auto& [command, words] : cases) {
    const auto split = split_words(command);
    ASSERT_TRUE(split.ok()) << command;
    EXPECT_EQ(*split, words) << command;
  }
}

TEST(Words, ForAShellAreSeen) {
  const std::vector<std::pair<std::string, std::string>> cases = {
      {"cat x > /dev/null", ">"},
      {"ls | wc", "|"},
      {"make 2>&1", "2>&1"},
      {"a && b", "&&"},
      {"cat <", "<"},
      {"true", ""},
      {"sh -c 'cat x > y'", ""},
      {"echo '>' \"|\"", ""},
      {"find . -exec ls {} \\;", ""},
      {"find . -exec ls {} ;", ";"},
      {"awk 'a > b' \"\\\" >\"", ""},
      {"grep a>b", ""},
      {"echo $HOME", "$HOME"},
      {"ls -l *.c", "*.c"},
      {"make -C ~/src", "~/src"},
      {"cp a.`date` b", "a.`date`"},
      {"kill $(pidof x)", "$(pidof"},
      {"echo a~b \\$HOME '$HOME' \"$HOME\" 5$", ""},
      {"", ""},
      {"echo \\", ""},
      {"echo 'open >", ""},
  };
  for (const auto& [command, word] : cases) EXPECT_EQ(word_for_shell(command), word) << command;
}

TEST(Words, SayWhatIsWrong) {
  const std::vector<std::pair<std::string, std::string>> cases = {
      {"", "invalid command \"\": no words"},
      {"  ", "invalid command \"  \": no words"},
      {"echo 'a", "invalid command \"echo 'a\": a ' without its end"},
      {"echo \"a", "invalid command \"echo \"a\": a \" without its end"},
      {"echo \\", "invalid command \"echo \\\": a backslash at the end"},
  };
  for (const auto& [command, text] : cases) {
    const auto split = split_words(command);
    ASSERT_FALSE(split.ok()) << command;
    EXPECT_EQ(split.error().text, text);
  }
  EXPECT_FALSE(split_words(std::string_view("a\0b", 3)).ok());
}

}  // namespace
}  // namespace dt::runtime
