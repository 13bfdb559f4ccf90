// A table: which function of string_subroutines.h each subroutine is.

#include "ir/interpret_call.h"

#include "support/check.h"

namespace dt::ir {

std::optional<record::Fault> interpret_call(Subroutine subroutine,
                                            std::span<const Operand> operands, Tokens& tokens,
                                            CallResult& result) {
  const auto text = [&](std::size_t i) { return operands[i].text; };
  const auto integer = [&](std::size_t i) { return operands[i].integer; };
  switch (subroutine) {
    case Subroutine::kStrlen:
      result.integer = static_cast<std::int64_t>(text(0).size());
      break;
    case Subroutine::kStrjoin:
      result.text = std::string(text(0)) + std::string(text(1));
      break;
    case Subroutine::kIndex:
      result.integer = index_of(text(0), text(1), integer(2));
      break;
    case Subroutine::kRindex:
      result.integer = last_index_of(text(0), text(1), integer(2));
      break;
    case Subroutine::kFindChar:
      result.integer = find_char(text(0), integer(1));
      break;
    case Subroutine::kFindLastChar:
      result.integer = find_last_char(text(0), integer(1));
      break;
    case Subroutine::kTail:
      result.text = tail(text(0), integer(1));
      break;
    case Subroutine::kSubstr:
      result.text = substring(text(0), integer(1), integer(2));
      break;
    case Subroutine::kTolower:
      result.text = to_lower(text(0));
      break;
    case Subroutine::kToupper:
      result.text = to_upper(text(0));
      break;
    case Subroutine::kBasename:
      result.text = base_name(text(0));
      break;
    case Subroutine::kDirname:
      result.text = directory_name(text(0));
      break;
    case Subroutine::kCleanpath:
      result.text = clean_path(text(0));
      break;
    case Subroutine::kLltostr:
      result.text = to_text(integer(0), integer(1));
      break;
    case Subroutine::kStrtoll:
      result.integer = to_number(text(0), integer(1));
      break;
    case Subroutine::kJson:
      result.integer = json_span(text(0), text(1));
      break;
    case Subroutine::kPart:
      result.text = part(text(0), integer(1));
      break;
    case Subroutine::kStrtok:
      start_tokens(tokens, text(0));
      result.text = next_token(tokens, text(1));
      break;
    case Subroutine::kStrtokNext:
      if (!tokens.has_text) return record::Fault::kBadAddress;
      result.text = next_token(tokens, text(0));
      break;
    case Subroutine::kMemstr:
    case Subroutine::kMemstrUser:
      DT_UNREACHABLE("memstr");
  }
  return std::nullopt;
}

}  // namespace dt::ir
