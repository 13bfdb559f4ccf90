// The frames of a stack by name: symbols, what was inlined, and functions that an interpreter runs.

#include <fmt/core.h>

#include <utility>
#include <vector>

#include "consumer/value/value.h"
#include "symbol/process/process.h"

namespace dt::consumer {

std::string NamedFrame::text() const {
  if (symbol::is_source_frame(address)) return symbol::source_text(file, symbol.name, line);
  std::string out = symbol::text_of(symbol, address, true);
  if (is_inlined) out += " (inlined)";
  if (line != 0) out += fmt::format(" at {}:{}", symbol::object_name(file), line);
  return out;
}

// Where a stack says where it is called from, the code is that of the call; the
// innermost frame, and one that a signal has interrupted, stand where they were.
void FieldText::each_named_frame(const Value& stack, const std::function<void(NamedFrame&)>& each) {
  const bool is_of_user = is_user(stack.type->kind) && !is_kernel_stack(stack);
  const auto pid = is_of_user ? static_cast<std::int32_t>(load_u64(stack.bytes, 0)) : 0;
  bool is_return = false;
  each_frame(stack, [&](std::uint64_t address) {
    if (is_of_user && symbol::is_source_frame(address)) {
      add_source(pid, address, each);
      is_return = true;
    } else if (is_of_user && resolver_.shows_source()) {
      const bool is_signal = resolver_.is_signal_return(pid, UserAddr(address));
      add_named(pid, address, is_return && !is_signal, each);
      is_return = !is_signal;
    } else {
      NamedFrame frame;
      frame.address = address;
      if (is_of_user) {
        name_frame(pid, is_return, frame);
      } else if (!resolver_.kernel(KernelAddr(address), frame.symbol)) {
        frame.symbol = {};
      }
      is_return = true;
      each(frame);
    }
    report_notice();
  });
}

// Looks up the symbol of a frame. A function that ends in a call which never returns is called from
// before its end: the return address of that call (`is_return`) is the address behind the function,
// where the next one begins, and the name of the byte before it is the caller's. What signals
// return to begins a function, and is no caller.
void FieldText::name_frame(std::int32_t pid, bool is_return, NamedFrame& frame) {
  symbol::Symbol& symbol = frame.symbol;
  if (!resolver_.user(pid, UserAddr(frame.address), symbol)) {
    symbol = {};
    return;
  }
  const bool is_behind = symbol.name.empty() || (symbol.offset == 0 && resolver_.shows_source());
  symbol::Symbol caller;
  if (is_return && is_behind && resolver_.user(pid, UserAddr(frame.address - 1), caller) &&
      !caller.name.empty()) {
    symbol = std::move(caller);
    ++symbol.offset;
  }
}

// A function that an interpreter runs.
void FieldText::add_source(std::int32_t pid, std::uint64_t address,
                           const std::function<void(NamedFrame&)>& each) {
  NamedFrame frame;
  frame.address = address;
  if (resolver_.user(pid, UserAddr(address), frame.symbol)) {
    frame.file = std::exchange(frame.symbol.module, {});
    frame.line = frame.symbol.line;
  }
  each(frame);
}

void FieldText::add_named(std::int32_t pid, std::uint64_t address, bool is_return,
                          const std::function<void(NamedFrame&)>& each) {
  NamedFrame frame;
  frame.address = address;
  name_frame(pid, is_return, frame);
  std::vector<symbol::SourceFrame> source = resolver_.source(pid, UserAddr(address), is_return);
  for (std::size_t i = 0; i + 1 < source.size(); ++i) {
    NamedFrame inlined;
    inlined.address = address;
    inlined.symbol.module = frame.symbol.module;
    inlined.symbol.name = std::move(source[i].function);
    inlined.file = std::move(source[i].file);
    inlined.line = source[i].line;
    inlined.is_inlined = true;
    each(inlined);
  }
  if (!source.empty()) {
    frame.file = std::move(source.back().file);
    frame.line = source.back().line;
  }
  each(frame);
}

}  // namespace dt::consumer
