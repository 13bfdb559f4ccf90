// See words.h.
//
// The command of -c is taken apart here and not by a shell: a shell would be one more process
// between dtrace and the program, and probes of $target would be of the shell. Quotes and
// backslashes work as in a shell; variables and patterns do not.

#include "runtime/words.h"

namespace dt::runtime {

Result<std::vector<std::string>> split_words(std::string_view command) {
  const auto bad = [&](const char* why) {
    return Error::of(fmt::format("invalid command \"{}\": {}", command, why));
  };
  std::vector<std::string> words;
  std::string word;
  bool in_word = false;
  char quote = '\0';
  for (std::size_t i = 0; i < command.size(); ++i) {
    const char c = command[i];
    if (c == '\0') {
      return bad("a zero byte");
    }
    const bool more = i + 1 < command.size();
    if (quote != '\0') {
      if (c == quote) {
        quote = '\0';
      } else if (quote == '"' && c == '\\' && more &&
                 (command[i + 1] == '"' || command[i + 1] == '\\')) {
        word += command[++i];
      } else {
        word += c;
      }
    } else if (c == '\'' || c == '"') {
      quote = c;
      in_word = true;
    } else if (c == '\\') {
      if (!more) {
        return bad("a backslash at the end");
      }
      word += command[++i];
      in_word = true;
    } else if (c == ' ' || c == '\t' || c == '\n') {
      if (in_word) {
        words.push_back(std::move(word));
        word.clear();
        in_word = false;
      }
    } else {
      word += c;
      in_word = true;
    }
  }
  if (quote != '\0') {
    return bad(quote == '"' ? "a \" without its end" : "a ' without its end");
  }
  if (in_word) {
    words.push_back(std::move(word));
  }
  if (words.empty()) {
    return bad("no words");
  }
  return words;
}

}  // namespace dt::runtime
