#pragma once
// How output looks.

#include <cstdint>
#include <string>

#include "consumer/output/json_dress.h"

namespace dt::consumer {

// What output looks like: DTrace's text, one JSON object on each line, FreeBSD's JSON document, or
// tables of CSV; nothing, where a picture is made of aggregations at the end (exports/).
enum class Form : std::uint8_t { kText, kJsonLines, kJson, kCsv, kPicture };

struct Options {
  Form form = Form::kText;
  JsonDress::Form dress = JsonDress::Form::kAsItIs;  // of kJson
  std::string csv_header;  // of the last table of a file that is appended to
  bool quiet = false;
  bool flow_indent = false;
  bool bare = false;  // rows without the columns of the CPU and the probe's id
  std::uint32_t stack_indent = 14;
  bool raw_bytes = false;
  bool agg_sort_key = false;
  bool agg_sort_rev = false;
  std::uint32_t agg_sort_pos = 0;
  std::uint32_t agg_sort_key_pos = 0;
  bool agg_zoom = false;
  bool agg_hist = false;
  bool agg_pack = false;
  bool agg_per_cpu = false;
  bool agg_nonzero = false;  // rows whose values are all 0 are left out
  bool refresh = false;      // on a terminal, a report begins on an empty screen
  bool utf8 = false;         // bars and packed histograms of block characters
  bool drop_tags = false;
  std::uint64_t speculation_bytes = 32 << 10;  // what one speculation may hold
  // Strings that were recorded: control characters (but newline and tab) and invalid UTF-8 are
  // escaped, as a terminal would obey them.
  bool to_terminal = false;
  // Names (of symbols, types, files and probes) are always escaped, and wholly, unless this is set:
  // where they are part of JSON, which has escapes of its own, of a command, or of a file's name.
  bool exact_names = false;
  // The name of a native system call, or nullptr; nullptr here: they have none.
  const char* (*syscall_name)(std::int64_t number) = nullptr;
};

}  // namespace dt::consumer
