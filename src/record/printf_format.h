#pragma once
// The one parser of printf() and printa() formats. The compiler asks it which values a format
// takes, and the consumer prints by the same pieces.
//
//   %[flags][@][{modifier}][flags][width][.precision][@][size]letter     flags are - + blank 0 # '
//
// The modifier says what is shown of a number: of %Y, a pattern of strftime(3); of %d, %i, %u and
// %f, the unit in which it is shown ("ms", "KiB", "1000"), and of a histogram which number ("p99",
// "count"), both separated by a comma. Some modifiers take no value of the script: "load1" is a
// number of the machine. With "fit", %s and %S are cut where the line of a terminal ends.

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace dt::record {

// A number of the machine, read when the record is consumed; in a recording, it is in the record.
enum class Supply : std::uint8_t {
  kNone,
  kColumns,  // of the terminal that is printed to; 0 where it is none
  kCpus,     // online
  kLines,
  kLoad1,  // load averages, in hundredths
  kLoad5,
  kLoad15,
  kMemAvailable,  // bytes
  kMemFree,
  kMemTotal,
  kRunning,  // threads that run or could run
  kSwapFree,
  kSwapTotal,
  kThreads,
  kUptime,  // ns since the boot
};

// Text before a conversion, and the conversion. The last piece of a format may
// have text only (conversion 0).
struct FormatPiece {
  std::string text;
  char conversion = 0;               // the letter: 'd', 's', 'Y', ...; never '%'
  std::string size;                  // "", "h", "l", "ll", "L" or "w"
  std::uint32_t begin = 0, end = 0;  // in the format: from '%' to behind the letter
  bool left = false, plus = false, blank = false, zero = false, alternate = false;
  bool aggregation = false;     // %@
  bool width_argument = false;  // *
  bool precision_argument = false;
  std::int32_t width = 0;
  std::int32_t precision = -1;  // -1: not given
  std::string modifier;
  std::uint64_t divisor = 0;     // how many make one of the unit; 0: there is no unit
  std::int32_t percentile = -1;  // thousandths of a percent; -1: none is asked for
  bool total = false;            // the count of all buckets
  Supply supply = Supply::kNone;
  bool fit = false;

  // Whether a number of a histogram is asked for, instead of the picture.
  bool of_histogram() const { return percentile >= 0 || total; }
  // What it converts: "d", "lld".
  std::string name() const { return size + conversion; }
};

// The first conversion that could not be read.
struct FormatError {
  enum class Kind : std::uint8_t {
    kIncomplete,
    kUnknown,
    kModifier,
    kNumber,  // a number of the machine with a letter that shows none
  } kind = Kind::kUnknown;
  std::uint32_t begin = 0, end = 0;  // in the format
};

// What cannot be read is text of the pieces, and the rest of the format is read on.
struct ParsedFormat {
  std::vector<FormatPiece> pieces;
  std::optional<FormatError> error;
};

ParsedFormat parse_format(std::string_view format);

// The number of this name, of those that do not depend on who prints; kNone when there is none.
Supply supply_of_machine(std::string_view name);

constexpr std::size_t kMaxModifier = 128;
// In thousandths of a percent.
constexpr std::int32_t kWholePercentile = 100'000;

// A width or precision may come from the traced system through '*'.
constexpr std::int32_t kMaxWidth = 1 << 24;

}  // namespace dt::record
