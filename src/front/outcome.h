#pragma once
// Outcomes: what handlers of a session (session.h) have done that others see. The text of a run,
// its lines of JSON, its pictures and its recording are made of them, while tracing and later: an
// outcome is written as fields with tags (support/tagged.h) and read again.

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace dt::front {

// The handler that an outcome is of.
struct Origin {
  std::string point;         // with what its wildcards stand for; empty: of no handler
  std::int64_t time_ns = 0;  // since 1970: of the firing, or of now
  // Where it fired; set if the handler is that of a firing.
  std::optional<std::int64_t> cpu, pid, tid;
  bool operator==(const Origin&) const = default;
};

// A function in a stack. `offset`: of the address from where it begins; without a function, from
// where the module does, and without a module the address.
struct OutcomeFrame {
  std::string module, function;
  std::uint64_t offset = 0;
  bool operator==(const OutcomeFrame&) const = default;
};

// A number or a text. A text that is a stack has its frames besides, from the innermost on.
struct OutcomeValue {
  bool is_text = false;
  std::int64_t number = 0;
  std::string text;
  std::vector<OutcomeFrame> frames = {};
  bool is_kernel = false;  // the frames
  bool operator==(const OutcomeValue&) const = default;
};

struct OutcomeStatistics {
  std::int64_t count = 0, sum = 0, min = 0, max = 0, average = 0;
  bool operator==(const OutcomeStatistics&) const = default;
};

// Values from `value` on, to where the next bucket of the histogram begins; negative ones are those
// of its magnitude. `is_below`: those below `value`. `is_above`: all from there on.
struct OutcomeBucket {
  std::int64_t value = 0, count = 0;
  bool is_below = false, is_above = false;
  bool operator==(const OutcomeBucket&) const = default;
};

// What @hist_log or @hist_linear shows of a variable or an element. Empty buckets are left out.
struct OutcomeHistogram {
  std::string name;  // of the variable
  std::vector<OutcomeValue> keys;
  bool is_linear = false;
  std::int64_t low = 0, high = 0, width = 0;  // of @hist_linear
  std::vector<OutcomeBucket> buckets;         // in the order of their values
  bool operator==(const OutcomeHistogram&) const = default;
};

struct Outcome {
  enum class Kind : std::uint8_t {
    kText = 1,      // what a handler has printed in one run of it, or a part of that
    kMessage = 2,   // a warning or an error: what it is stands at its begin ("WARNING: ")
    kVariable = 3,  // a global variable, or the element of one, that is shown at the end
    kCommand = 4,   // a command that a handler has run
  };
  Kind kind = Kind::kText;
  Origin by;
  std::string text;                          // of a variable, its name
  bool goes_on = false;                      // of a text: the next outcome is the rest of it
  std::vector<OutcomeHistogram> histograms;  // in a text, in its order; of a statistic, its own
  // kVariable: its value is `statistics`, if it has some, and otherwise `value`.
  std::vector<OutcomeValue> keys;
  OutcomeValue value;
  std::optional<OutcomeStatistics> statistics;
  bool is_counted = false;  // nothing but ++, += and <<< changes it
  bool is_asked = false;    // it is there for pictures alone
  bool operator==(const Outcome&) const = default;
};

std::string encoded(const Outcome& outcome);
// Keys of a variable and frames of all its texts; histograms of a part of a text, which is about a
// megabyte long, with their keys and buckets. No script has nearly so many.
constexpr std::size_t kMostParts = 1 << 16;
// nullopt: it is damaged, has more than kMostParts, or is of a kind that a later version has.
std::optional<Outcome> decoded(std::string_view bytes);

// A variable as text: `x=5`, `a["k",1]=2`, `s @count=1 @min=2 @max=2 @sum=2 @avg=2`, and a newline.
std::string variable_text(const Outcome& variable);
// In double quotes, with the escapes of C.
std::string in_quotes(std::string_view text);

}  // namespace dt::front
