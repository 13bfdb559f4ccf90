// Values as text.

#include "consumer/value/text.h"

#include <fmt/format.h>

#include "dtrace/record.h"
#include "dtrace/tracer.h"
#include "symbol/interpreter/source_frame.h"
#include "symbol/process/process.h"

namespace dtrace {
namespace {

namespace symbol = dt::symbol;

void append(std::string& out, const Value& value);

void append_list(std::string& out, const std::vector<Value>& values, bool with_names) {
  bool is_first = true;
  for (const Value& value : values) {
    out += is_first ? "" : ", ";
    is_first = false;
    if (with_names) {
      out += value.name + " = ";
    }
    append(out, value);
  }
}

void append(std::string& out, const Frame& frame) {
  if (symbol::is_source_frame(frame.address)) {
    out += symbol::source_text(frame.file, frame.symbol, frame.line);
  } else if (frame.module.empty()) {
    out += fmt::format("0x{:x}", frame.address);
  } else if (frame.symbol.empty()) {
    out += fmt::format("{}`0x{:x}", frame.module, frame.address);
  } else {
    out += fmt::format("{}`{}", frame.module, frame.symbol);
    if (frame.offset != 0) {
      out += fmt::format("+0x{:x}", frame.offset);
    }
    out += frame.is_inlined ? " (inlined)" : "";
    if (frame.line != 0) {
      out += fmt::format(" at {}:{}", symbol::object_name(frame.file), frame.line);
    }
  }
}

void append(std::string& out, const Value& value) {
  if (const auto* const number = std::get_if<std::int64_t>(&value.data)) {
    out += std::to_string(*number);
  } else if (const auto* const bits = std::get_if<std::uint64_t>(&value.data)) {
    out += std::to_string(*bits);
  } else if (const auto* const real = std::get_if<long double>(&value.data)) {
    out += fmt::format("{}", *real);
  } else if (const auto* const text = std::get_if<std::string>(&value.data)) {
    out += *text;
  } else if (const auto* const bytes = std::get_if<Bytes>(&value.data)) {
    for (const std::uint8_t byte : *bytes) {
      out += fmt::format("{:02x}", byte);
    }
  } else if (const auto* const stack = std::get_if<Stack>(&value.data)) {
    bool is_first = true;
    for (const Frame& frame : stack->frames) {
      out += is_first ? "" : " ";
      is_first = false;
      append(out, frame);
    }
  } else if (const auto* const structure = std::get_if<Structure>(&value.data)) {
    out += "{";
    append_list(out, structure->members, true);
    out += "}";
  } else if (const auto* const array = std::get_if<Array>(&value.data)) {
    out += "[";
    append_list(out, array->elements, false);
    out += "]";
  }
}

}  // namespace

std::string to_text(const Probe& probe) {
  return fmt::format("{}:{}:{}:{}", probe.provider, probe.module, probe.function, probe.name);
}

std::string to_text(const Value& value) {
  std::string out;
  append(out, value);
  return out;
}

const Value* Record::find(std::string_view name) const {
  for (const Action& action : actions) {
    for (const Value& value : action.values) {
      if (value.name == name) {
        return &value;
      }
    }
  }
  return nullptr;
}

std::string escape_for_terminal(std::string_view text) { return dt::support::shown_text(text); }

}  // namespace dtrace
