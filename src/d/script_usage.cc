// See script_usage.h.

#include "d/script_usage.h"

#include <algorithm>

#include "d/syntax/characters.h"
#include "d/syntax/script_declaration.h"

namespace dt::d {
namespace {

using front::ScriptOption;
using front::ScriptUsage;

constexpr std::size_t kMostPositional = 9999;

// Goes over the text once, as far as comments, texts in quotes and directives make a difference.
class UsageReader {
 public:
  explicit UsageReader(std::string_view text) : text_(text) {}

  ScriptUsage read() {
    bool line_start = true;
    while (at_ < text_.size()) {
      const char c = text_[at_];
      if (c == '#' && line_start) {
        directive();
      } else if (text_.substr(at_, 2) == "/*") {
        comment();
      } else if (c == '"' || c == '\'') {
        quoted(c);
      } else if (c == '$') {
        macro();
      } else if (is_name_start(c)) {
        word();
      } else {
        depth_ += c == '{' ? 1 : c == '}' ? -1 : 0;
        ++at_;
      }
      line_start = at_ > 0 && at_ <= text_.size() &&
                   (text_[at_ - 1] == '\n' || (line_start && is_blank(text_[at_ - 1])));
    }
    return std::move(usage_);
  }

 private:
  void directive() {
    std::size_t end = at_;
    while (end < text_.size() && text_[end] != '\n') {
      end += text_[end] == '\\' ? 2 : 1;
    }
    end = std::min(end, text_.size());
    const std::string line = squeeze(text_.substr(at_ + 1, end - at_ - 1));
    at_ = std::min(end + 1, text_.size());
    std::string_view rest = line;
    for (const std::string_view word : {"pragma ", "D "}) {
      if (!rest.starts_with(word)) {
        return;
      }
      rest.remove_prefix(word.size());
    }
    const std::size_t blank = std::min(rest.find(' '), rest.size());
    const std::string_view kind = rest.substr(0, blank);
    rest.remove_prefix(std::min(blank + 1, rest.size()));
    if (kind == "flag" || kind == "argument") {
      if (Result<ScriptOption> option = parse_script_option(rest, kind == "flag"); option.ok()) {
        (kind == "flag" ? usage_.flags : usage_.arguments).push_back(std::move(*option));
      }
    } else if (kind == "summary") {
      usage_.summary = rest;
    } else if (kind == "example") {
      const std::size_t dashes = rest.find(" -- ");
      usage_.examples.push_back(
          {std::string(rest.substr(0, dashes)),
           std::string(dashes == std::string_view::npos ? std::string_view()
                                                        : rest.substr(dashes + 4))});
    }
  }

  void comment() {
    const std::size_t end = std::min(text_.find("*/", at_ + 2), text_.size());
    if (usage_.comment.empty()) {
      // Stars at the beginning of lines are decoration.
      for (std::size_t i = at_ + 2; i < end; ++i) {
        const bool is_mark = text_[i] == '*' || is_blank(text_[i]);
        if (!is_mark) {
          usage_.comment += text_[i];
        } else if (!usage_.comment.empty() && usage_.comment.back() != ' ') {
          usage_.comment += text_[i] == '*' && i > 0 && !is_blank(text_[i - 1]) ? '*' : ' ';
        }
      }
      while (usage_.comment.ends_with(' ')) {
        usage_.comment.pop_back();
      }
    }
    at_ = std::min(end + 2, text_.size());
  }

  void quoted(char mark) {
    for (++at_; at_ < text_.size() && text_[at_] != mark && text_[at_] != '\n'; ++at_) {
      at_ += text_[at_] == '\\' ? 1 : 0;
    }
    at_ = std::min(at_ + 1, text_.size());
  }

  // A provider is defined outside of clauses.
  void word() {
    const std::size_t begin = at_;
    while (at_ < text_.size() && is_name(text_[at_])) {
      ++at_;
    }
    const bool is_provider = text_.substr(begin, at_ - begin) == "provider";
    usage_.has_providers |=
        is_provider && depth_ == 0 && at_ < text_.size() && is_blank(text_[at_]);
  }

  void macro() {
    at_ += text_.substr(at_, 2) == "$$" ? 2 : 1;
    constexpr std::string_view kTarget = "target";
    usage_.uses_target |=
        text_.substr(at_).starts_with(kTarget) &&
        (at_ + kTarget.size() == text_.size() || !is_name(text_[at_ + kTarget.size()]));
    std::size_t number = 0;
    for (; at_ < text_.size() && is_digit(text_[at_]); ++at_) {
      number = std::min(number * 10 + static_cast<std::size_t>(text_[at_] - '0'), kMostPositional);
    }
    usage_.positional = std::max(usage_.positional, number);
  }

  std::string_view text_;
  std::size_t at_ = 0;
  int depth_ = 0;  // of braces
  ScriptUsage usage_;
};

}  // namespace

// A program's file, and other bytes that are no text, say nothing.
front::ScriptUsage read_script_usage(std::string_view text) {
  return text.find('\0') == std::string_view::npos ? UsageReader(text).read() : ScriptUsage();
}

}  // namespace dt::d
