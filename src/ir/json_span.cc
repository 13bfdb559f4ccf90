// json(): a walk over the text, from the outermost element inwards.

#include <cctype>

#include "ir/string_subroutines.h"
#include "support/whole_number.h"

namespace dt::ir {

namespace {

constexpr std::string_view kBlanks = " \t\n\r";
constexpr std::string_view kParting = ".[]";

class JsonWalk {
 public:
  JsonWalk(std::string_view text, std::string_view selector) : text_(text), selector_(selector) {}

  std::int64_t run() {
    if (!next_name()) return -1;
    blanks();
    const char open = take();
    if (open != '{' && open != '[') return -1;
    bool is_object = open == '{';
    while (find(is_object)) {
      const std::size_t start = at_;
      const char first = peek();
      if (!next_name()) {
        if (!value()) return -1;
        const bool is_string = first == '"';
        return make_span(start + is_string, at_ - start - 2 * std::size_t{is_string});
      }
      if (first != '{' && first != '[') return -1;
      is_object = first == '{';
      ++at_;
    }
    return -1;
  }

 private:
  char peek() const { return at_ < text_.size() ? text_[at_] : '\0'; }
  char take() { return at_ < text_.size() ? text_[at_++] : '\0'; }
  bool take(char wanted) {
    if (peek() != wanted) return false;
    ++at_;
    return true;
  }
  void blanks() {
    while (peek() != '\0' && kBlanks.find(peek()) != std::string_view::npos) ++at_;
  }
  bool digits() {
    const std::size_t start = at_;
    while (peek() >= '0' && peek() <= '9') ++at_;
    return at_ > start;
  }

  // Makes the selector's next name the wanted one.
  bool next_name() {
    const std::size_t start = selector_.find_first_not_of(kParting);
    if (start == std::string_view::npos) return false;
    const std::size_t end = std::min(selector_.find_first_of(kParting, start), selector_.size());
    name_ = selector_.substr(start, end - start);
    selector_.remove_prefix(end);
    return true;
  }

  // Behind an opening bracket: goes to the value of the wanted element.
  bool find(bool is_object) {
    std::uint64_t wanted = 0;
    if (!is_object) {
      const auto number = support::whole_number<std::uint64_t>(name_);
      if (name_.size() > 9 || !number) return false;
      wanted = *number;
    }
    for (std::uint64_t i = 0;; ++i) {
      blanks();
      bool is_wanted = i == wanted;
      if (is_object) {
        const std::size_t start = at_ + 1;
        if (!string()) return false;
        is_wanted = text_.substr(start, at_ - 1 - start) == name_;
        blanks();
        if (!take(':')) return false;
        blanks();
      }
      if (is_wanted) return true;
      if (!value()) return false;
      blanks();
      if (!take(',')) return false;
    }
  }

  bool value() {
    const char first = peek();
    if (first == '"') return string();
    if (first == '{' || first == '[') return brackets();
    for (const std::string_view word : {"true", "false", "null"}) {
      if (text_.substr(at_).starts_with(word)) {
        at_ += word.size();
        return is_ended();
      }
    }
    return number() && is_ended();
  }

  // What has no end of its own must be followed by something.
  bool is_ended() const {
    return peek() != '\0' && (std::string_view(",}]").find(peek()) != std::string_view::npos ||
                              kBlanks.find(peek()) != std::string_view::npos);
  }

  bool number() {
    take('-');
    if (!digits()) return false;
    if (take('.') && !digits()) return false;
    if (!take('e') && !take('E')) return true;
    if (!take('-')) take('+');
    return digits();
  }

  bool string() {
    if (!take('"')) return false;
    for (char c = take(); c != '"'; c = take()) {
      if (c == '\0' || (c == '\\' && !escape())) return false;
    }
    return true;
  }

  bool escape() {
    const char c = take();
    if (c != 'u')
      return c != '\0' && std::string_view("\"\\/bfnrt").find(c) != std::string_view::npos;
    for (int i = 0; i < 4; ++i) {
      if (std::isxdigit(static_cast<unsigned char>(take())) == 0) return false;
    }
    return true;
  }

  bool brackets() {
    std::uint32_t depth = 0;
    do {
      const char c = peek();
      if (c == '\0') return false;
      if (c == '"') {
        if (!string()) return false;
        continue;
      }
      ++at_;
      if (c == '{' || c == '[') ++depth;
      if (c == '}' || c == ']') --depth;
    } while (depth > 0);
    return true;
  }

  std::string_view text_;
  std::string_view selector_;
  std::string_view name_;
  std::size_t at_ = 0;
};

}  // namespace

std::int64_t json_span(std::string_view text, std::string_view selector) {
  return JsonWalk(text, selector).run();
}

}  // namespace dt::ir
