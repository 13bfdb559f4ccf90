#include "d/lower/string_values.h"

#include <algorithm>

#include "d/lower/capacities.h"
#include "d/meaning/type_meaning.h"
#include "d/syntax/ast.h"
#include "ir/builder.h"

namespace dt::d::lowering {

using ir::ValueId;

ValueId StringValues::literal(const std::string& text) {
  const std::string kept =
      text.substr(0, std::min<std::size_t>(text.find('\0'), program_.string_size - 1));
  const auto [found, fresh] =
      strings_.emplace(kept, static_cast<std::uint32_t>(program_.strings.size()));
  if (fresh) {
    program_.strings.push_back(kept);
  }
  return b_->string(found->second, ir::Type::string(capacities_.rounded(kept.size() + 1)));
}

// A string of exactly this capacity, as the arms of ?: need it.
ValueId StringValues::fit(ValueId string, std::uint32_t size) {
  if (b_->type_of(string).size == size) {
    return string;
  }
  return b_->unary(ir::Op::kToString, string, ir::Type::string(size));
}

// The string that a char array or a pointer (or an integer: an address) denotes.
ValueId StringValues::at(const Expr* pointer, std::uint32_t size) {
  if (const Expr* copied = constant_copyin(pointer)) {
    const auto length = static_cast<std::uint32_t>(copied->args[1]->int_value);
    const ValueId bytes = memory_bytes(value(copied->args[0]), length, Whose::kUser);
    return b_->unary(ir::Op::kToString, bytes, ir::Type::string(size));
  }
  if (const std::uint32_t length = rules_.size(pointer->type);
      rules_.is_char_array(pointer->type) && length != 0 && length < program_.string_size) {
    // The bytes behind an array do not belong to its string.
    const ValueId start = value(pointer);
    b_->at(pointer->span);
    return read(start, ir::Type::string(size), whose_target(pointer), [&](bool user) {
      if (user) {  // where memory may end behind the string
        return operation(ir::Op::kCopyinstr, ir::Type::string(size), {start, b_->constant(length)});
      }
      const ValueId bytes = memory_bytes(start, length, Whose::kKernel);
      return b_->unary(ir::Op::kToString, bytes, ir::Type::string(size));
    });
  }
  const ValueId at = value(pointer);
  b_->at(pointer->span);
  return memory_string(at, size, whose_target(pointer));
}

}  // namespace dt::d::lowering
