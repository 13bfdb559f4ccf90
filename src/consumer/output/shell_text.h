#pragma once
// ShellText: the command of system(), of what the script says and of what was traced.
//
// The names of processes and files are chosen by other users. So they reach the shell as data:
// as one word where a word begins or goes on, and within the quotes that the script has put
// around it. Words of letters, digits and a few harmless characters stay as they are.
//
//     system("echo %s", execname)        echo 'x; reboot'
//     system("echo '<%s>'", execname)    echo '<x; reboot>'
//     system("echo \"<%s>\"", execname)  echo "<\$(reboot)>"
//
// Within backquotes, here-documents and comments no quoting is safe: what is not harmless there
// is refused.

#include <string>
#include <string_view>
#include <vector>

#include "support/result.h"

namespace dt::consumer {

class ShellText {
 public:
  // What the script says: commands, and numbers.
  void add_script(std::string_view text);
  void add_traced(std::string_view text);

  const std::string& text() const { return text_; }
  // Why the command must not be run.
  Status check() const;

 private:
  enum class Place : std::uint8_t {
    kWords,
    kSingle,      // within '...'
    kDouble,      // within "..."
    kExpression,  // within ${...}
    kOpaque,      // where no quoting is safe, up to the end
  };

  void step(char c);
  void in_words(char c);
  void in_double(char c);

  std::string text_;
  std::vector<Place> places_ = {Place::kWords};
  std::string refused_;
  char last_ = 0;           // of the script's text; 0 behind a backslash and what it quotes
  bool is_quoted_ = false;  // by a backslash
};

}  // namespace dt::consumer
