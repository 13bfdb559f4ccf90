// The automaton, state by state.

#include "bpf/routine/json_table.h"

#include <string_view>

#include "support/check.h"

namespace dt::bpf {

namespace {

enum JsonState : std::uint8_t {
  kTop = kJsonTop,
  kKeyStart = kJsonKeyStart,
  kValue = kJsonValue,
  kAfter = kJsonAfter,  // behind a value
  kKey,                 // this and the next five: in a string, in an escape, in the digits of \u
  kKeyEscape,
  kKeyDigits,
  kColon = kKeyDigits + 4,
  kString,
  kStringEscape,
  kStringDigits,
  kSkipString = kStringDigits + 4,
  kSkipEscape,
  kSkipDigits,
  kSkip = kSkipDigits + 4,
  kMinus,
  kInteger,
  kPoint,
  kFraction,
  kExponent,
  kExponentSign,
  kExponentDigits,
  kTrue,  // behind the t; and so on, letter by letter
  kFalse = kTrue + 3,
  kNull = kFalse + 4,
  kWord = kNull + 3,  // behind a whole word
  kStates,
};
static_assert(kStates <= kJsonStates);

// Every byte with a meaning of its own; behind them, classes of several.
constexpr std::string_view kSingle = "{}[],:\"\\/-+.abeEflnrstu";
constexpr std::uint8_t kDigit = 24, kHex = 25, kBlank = 26, kNul = 27, kOther = 28;
static_assert(kSingle.size() <= kDigit && kOther < kJsonClasses);

class Table {
 public:
  Table() : bytes_(256 + std::size_t{kJsonStates} * kJsonClasses * 2) {
    for (std::uint32_t i = 0; i < 256; ++i) bytes_[i] = class_of(static_cast<char>(i));
    for (std::uint8_t state = 0; state < kJsonStates; ++state) {
      for (std::uint8_t c = 0; c < kJsonClasses; ++c) to(state, c, 0, JsonAction::kFail);
    }
  }

  void on(std::uint8_t state, std::string_view chars, std::uint8_t next,
          JsonAction action = JsonAction::kNone) {
    for (const char c : chars) to(state, class_of(c), next, action);
  }
  void on_any(std::uint8_t state, std::uint8_t next, JsonAction action) {
    for (std::uint8_t c = 0; c < kJsonClasses; ++c) {
      if (c != kNul) to(state, c, next, action);
    }
  }
  void skip_blanks(std::uint8_t state) { on(state, " ", state); }
  // Letter by letter; the last leads to kWord.
  void word(std::uint8_t state, std::string_view letters) {
    for (std::size_t i = 0; i < letters.size(); ++i) {
      const bool is_last = i + 1 == letters.size();
      on(static_cast<std::uint8_t>(state + i), letters.substr(i, 1),
         is_last ? std::uint8_t{kWord} : static_cast<std::uint8_t>(state + i + 1));
    }
  }
  // A string from behind its quote on; `inside` is done for every byte.
  void string(std::uint8_t state, std::uint8_t next, JsonAction inside, JsonAction end) {
    const auto escape = static_cast<std::uint8_t>(state + 1);
    on_any(state, state, inside);
    on(state, "\\", escape, inside);
    on(state, "\"", next, end);
    on(escape, "\"\\/bfnrt", state, inside);
    on(escape, "u", static_cast<std::uint8_t>(state + 2), inside);
    for (std::uint8_t i = 0; i < 4; ++i) {
      const auto digit = static_cast<std::uint8_t>(state + 2 + i);
      const bool is_last = i == 3;
      on(digit, "0abceEf", is_last ? state : static_cast<std::uint8_t>(digit + 1), inside);
    }
  }

  std::vector<std::uint8_t> take() { return std::move(bytes_); }

 private:
  static std::uint8_t class_of(char c) {
    if (c == '\0') return kNul;
    if (const std::size_t i = kSingle.find(c); i != std::string_view::npos) {
      return static_cast<std::uint8_t>(i);
    }
    if (c >= '0' && c <= '9') return kDigit;
    if (std::string_view("cdABCDF").find(c) != std::string_view::npos) return kHex;
    return std::string_view(" \t\n\r").find(c) != std::string_view::npos ? kBlank : kOther;
  }
  void to(std::uint8_t state, std::uint8_t c, std::uint8_t next, JsonAction action) {
    const std::size_t at = 256 + (std::size_t{state} * kJsonClasses + c) * 2;
    const auto entry = static_cast<std::uint32_t>(next) | static_cast<std::uint32_t>(action)
                                                              << kJsonActionShift;
    bytes_[at] = static_cast<std::uint8_t>(entry);
    bytes_[at + 1] = static_cast<std::uint8_t>(entry >> 8);
  }

  std::vector<std::uint8_t> bytes_;
};

void add_number(Table& table) {
  table.on(kMinus, "0", kInteger);
  table.on(kInteger, "0", kInteger);
  table.on(kInteger, ".", kPoint);
  table.on(kPoint, "0", kFraction);
  table.on(kFraction, "0", kFraction);
  for (const std::uint8_t state : {kInteger, kFraction}) table.on(state, "eE", kExponent);
  table.on(kExponent, "+-", kExponentSign);
  for (const std::uint8_t state : {kExponent, kExponentSign, kExponentDigits}) {
    table.on(state, "0", kExponentDigits);
  }
  for (const std::uint8_t state : {kInteger, kFraction, kExponentDigits, kWord}) {
    table.on(state, ",}] ", kAfter, JsonAction::kEndWord);
  }
}

}  // namespace

std::vector<std::uint8_t> json_table() {
  Table table;
  for (const std::uint8_t state : {kTop, kKeyStart, kColon, kValue, kAfter}) {
    table.skip_blanks(state);
  }
  table.on(kTop, "{[", kValue, JsonAction::kDescend);
  table.on(kKeyStart, "\"", kKey, JsonAction::kBeginKey);
  table.string(kKey, kColon, JsonAction::kKeyByte, JsonAction::kEndKey);
  table.on(kColon, ":", kValue);
  table.on(kValue, "\"", kString, JsonAction::kBegin);
  table.on(kValue, "-", kMinus, JsonAction::kBegin);
  table.on(kValue, "0", kInteger, JsonAction::kBegin);
  table.on(kValue, "t", kTrue, JsonAction::kBegin);
  table.on(kValue, "f", kFalse, JsonAction::kBegin);
  table.on(kValue, "n", kNull, JsonAction::kBegin);
  table.on(kValue, "{[", kSkip, JsonAction::kOpen);
  table.string(kString, kAfter, JsonAction::kNone, JsonAction::kEndString);
  table.word(kTrue, "rue");
  table.word(kFalse, "alse");
  table.word(kNull, "ull");
  add_number(table);
  table.on_any(kSkip, kSkip, JsonAction::kNone);
  table.on(kSkip, "\"", kSkipString);
  table.on(kSkip, "{[", kSkip, JsonAction::kDeeper);
  table.on(kSkip, "}]", kSkip, JsonAction::kShallower);
  table.string(kSkipString, kSkip, JsonAction::kNone, JsonAction::kNone);
  table.on(kAfter, ",", kValue, JsonAction::kNext);
  return table.take();
}

}  // namespace dt::bpf
