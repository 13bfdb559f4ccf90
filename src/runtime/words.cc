// See words.h.
//
// The command of -c is taken apart here and not by a shell: a shell would be one more process
// between dtrace and the program, and probes of $target would be of the shell. Quotes and
// backslashes work as in a shell; variables and patterns do not.

#include "runtime/words.h"

#include <algorithm>
#include <cctype>
#include <iterator>

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
                 std::string_view("\"\\$`").find(command[i + 1]) != std::string_view::npos) {
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

namespace {

// What may stand behind a '$' that a shell replaces: $HOME, $1, ${X}, $(date), $$, $?.
bool is_expanded(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) != 0 ||
         std::string_view("_{($?@#!-").find(c) != std::string_view::npos;
}

// Whether '~' before this is a home directory: ~, ~/bin.
bool is_home(std::string_view rest) {
  return rest.empty() || std::string_view("/ \t\n").find(rest.front()) != std::string_view::npos;
}

}  // namespace

std::string word_for_shell(std::string_view command) {
  static constexpr std::string_view kWords[] = {">",  ">>", "<",  "<<",  "<<<",  "|",  "||", "&",
                                                "&&", ";",  "2>", "2>>", "2>&1", "&>", ">&2"};
  constexpr std::string_view kBlanks = " \t\n";
  std::size_t begin = 0;
  char quote = '\0';
  bool is_replaced = false;  // the word has what stands for something else
  for (std::size_t i = 0; i <= command.size(); ++i) {
    const char c = i < command.size() ? command[i] : ' ';
    if (quote != '\0') {
      i += quote == '"' && c == '\\' ? 1 : 0;
      quote = c == quote ? '\0' : quote;
    } else if (c == '\\') {
      ++i;
    } else if (c == '\'' || c == '"') {
      quote = c;
    } else if (kBlanks.find(c) != std::string_view::npos) {
      const std::string_view word = command.substr(begin, i - begin);
      if (is_replaced ||
          std::find(std::begin(kWords), std::end(kWords), word) != std::end(kWords)) {
        return std::string(word);
      }
      begin = i + 1;
    } else {
      is_replaced = is_replaced || c == '*' || c == '`' ||
                    (c == '$' && i + 1 < command.size() && is_expanded(command[i + 1])) ||
                    (c == '~' && i == begin && is_home(command.substr(i + 1)));
    }
  }
  return {};
}

}  // namespace dt::runtime
