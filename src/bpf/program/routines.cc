// The dispatcher to all routines.

#include "bpf/program/routines.h"

#include <algorithm>

#include "bpf/routine/string_code.h"
#include "bpf/routine/unit.h"
#include "bpf/routine/user_memory.h"
#include "bpf/stack/python.h"
#include "bpf/stack/ruby.h"
#include "bpf/stack/unwind.h"
#include "support/check.h"

namespace dt::bpf {

namespace {

// Those that find the frames of user stacks, compare stacks, and look at processes.
void emit_stack_routine(Unit& unit, Label name, const Routine& routine) {
  switch (routine.kind) {
    case Routine::Kind::kFramesHash:
      return emit_frames_hash(unit, name, routine.first);
    case Routine::Kind::kSameFrames:
      return emit_same_frames(unit, name, routine.first);
    case Routine::Kind::kUnwind:
      return emit_unwind(unit, name, routine.first);
    case Routine::Kind::kUnwindBegin:
      return emit_unwind_begin(unit, name);
    case Routine::Kind::kUnwindFrame:
      return emit_unwind_frame(unit, name);
    case Routine::Kind::kUnwindCode:
      return emit_unwind_code(unit, name);
    case Routine::Kind::kUnwindNode:
      return emit_unwind_node(unit, name);
    case Routine::Kind::kUnwindReturn:
      return emit_unwind_return(unit, name);
    case Routine::Kind::kUnwindSources:
      return emit_unwind_sources(unit, name, routine.first);
    case Routine::Kind::kPythonStack:
      return emit_python(unit, name, routine.first);
    case Routine::Kind::kPythonThread:
      return emit_python_thread(unit, name);
    case Routine::Kind::kPythonStep:
      return emit_python_step(unit, name);
    case Routine::Kind::kPythonFrame:
      return emit_python_frame(unit, name);
    case Routine::Kind::kPythonLine:
      return emit_python_line(unit, name);
    case Routine::Kind::kPythonWindow:
      return emit_python_window(unit, name);
    case Routine::Kind::kPythonName:
      return emit_python_name(unit, name);
    case Routine::Kind::kRubyStack:
      return emit_ruby(unit, name, routine.first);
    case Routine::Kind::kRubyThread:
      return emit_ruby_thread(unit, name);
    case Routine::Kind::kRubyTag:
      return emit_ruby_tag(unit, name);
    case Routine::Kind::kRubyBalance:
      return emit_ruby_balance(unit, name);
    case Routine::Kind::kRubyStep:
      return emit_ruby_step(unit, name);
    case Routine::Kind::kRubyFrame:
      return emit_ruby_frame(unit, name);
    case Routine::Kind::kRubyLine:
      return emit_ruby_line(unit, name);
    case Routine::Kind::kRubyName:
      return emit_ruby_name(unit, name);
    case Routine::Kind::kRubyMethod:
      return emit_ruby_method(unit, name);
    case Routine::Kind::kNumber:
      return emit_number(unit, name);
    case Routine::Kind::kProgeny:
      return emit_progeny(unit, name);
    default:
      DT_UNREACHABLE();
  }
}

// Those of numbers and addresses.
void emit_text_routine(Unit& unit, Label name, const Routine& routine) {
  switch (routine.kind) {
    case Routine::Kind::kToText:
      return emit_to_text(unit, name);
    case Routine::Kind::kToNumber:
      return emit_to_number(unit, name, routine.first);
    case Routine::Kind::kBlankRun:
      return emit_blank_run(unit, name, routine.first);
    case Routine::Kind::kDigitRun:
      return emit_digit_run(unit, name, routine.first);
    case Routine::Kind::kDigitSum:
      return emit_digit_sum(unit, name, routine.first);
    case Routine::Kind::kInetText:
      return emit_inet_text(unit, name);
    case Routine::Kind::kInet6Text:
      return emit_inet6_text(unit, name);
    default:
      return emit_stack_routine(unit, name, routine);
  }
}

// A table: who writes the routines of strings, user memory and time.
void emit_plain_routine(Unit& unit, Label name, const Routine& routine) {
  switch (routine.kind) {
    case Routine::Kind::kFindChar:
      return emit_find_char(unit, name, routine.first);
    case Routine::Kind::kFindLastChar:
      return emit_find_last_char(unit, name, routine.first);
    case Routine::Kind::kIndexWord:
      return emit_index_word(unit, name, routine.first);
    case Routine::Kind::kRindexWord:
      return emit_rindex_word(unit, name, routine.first);
    case Routine::Kind::kRindexFrom:
      return emit_rindex_from(unit, name, routine.first);
    case Routine::Kind::kIndex:
    case Routine::Kind::kRindex:
      return emit_index(unit, name, routine);
    case Routine::Kind::kIndexTries:
    case Routine::Kind::kRindexTries:
      return emit_index_tries(unit, name, routine);
    case Routine::Kind::kMatch:
      return emit_match(unit, name, routine);
    case Routine::Kind::kLower:
    case Routine::Kind::kUpper:
      return emit_change_case(unit, name, routine);
    case Routine::Kind::kChill:
    case Routine::Kind::kChillMany:
    case Routine::Kind::kChillSome:
      return emit_chill(unit, name, routine);
    case Routine::Kind::kBringIn:
    case Routine::Kind::kBringInString:
      return emit_bring_in(unit, name, routine);
    case Routine::Kind::kDifference:
      return emit_difference(unit, name, routine.first);
    case Routine::Kind::kBasename:
    case Routine::Kind::kDirname:
      return emit_path_part(unit, name, routine);
    case Routine::Kind::kBack:
      return emit_back(unit, name, routine.first);
    case Routine::Kind::kSubstr:
      return emit_substr(unit, name);
    case Routine::Kind::kCleanPath:
    case Routine::Kind::kCleanPathSteps:
    case Routine::Kind::kCleanPathMany:
      return emit_cleaning(unit, name, routine);
    case Routine::Kind::kByteSet:
    case Routine::Kind::kByteSetMore:
      return emit_byte_set(unit, name, routine);
    case Routine::Kind::kToken:
      return emit_token(unit, name, routine.first);
    case Routine::Kind::kTokenRun:
      return emit_token_run(unit, name, routine.first);
    case Routine::Kind::kCut:
      return emit_cut(unit, name, routine.first);
    case Routine::Kind::kZeroRest:
      return emit_zero_rest(unit, name, routine.first);
    case Routine::Kind::kFillNuls:
      return emit_fill_nuls(unit, name, routine.first);
    case Routine::Kind::kJson:
    case Routine::Kind::kJsonSteps:
    case Routine::Kind::kJsonStepsMany:
    case Routine::Kind::kJsonName:
      return emit_json(unit, name, routine);
    case Routine::Kind::kPathSteps:
      return emit_path_steps(unit, name);
    case Routine::Kind::kPartingRun:
    case Routine::Kind::kNameRun:
      return emit_name_run(unit, name, routine);
    default:
      return emit_text_routine(unit, name, routine);
  }
}

// Of strings that are longer than a window; true when it was one of these.
bool emit_wide_routine(Unit& unit, Label name, const Routine& routine) {
  switch (routine.kind) {
    case Routine::Kind::kFindChar:
    case Routine::Kind::kFindLastChar:
      if (!is_wide(routine.first)) return false;
      emit_find_char_wide(unit, name, routine);
      return true;
    case Routine::Kind::kIndexWord:
      if (!is_wide(routine.first)) return false;
      emit_index_word_wide(unit, name, routine.first);
      return true;
    case Routine::Kind::kRindexWord:
      if (!is_wide(routine.first)) return false;
      emit_rindex_word_wide(unit, name, routine.first);
      return true;
    case Routine::Kind::kMatch:
      if (!is_wide(routine.second - 8)) return false;
      emit_match_wide(unit, name, routine);
      return true;
    case Routine::Kind::kLower:
    case Routine::Kind::kUpper:
      if (!is_wide(std::min(routine.first, routine.second))) return false;
      emit_change_case_wide(unit, name, routine);
      return true;
    case Routine::Kind::kByteSet:
      if (!is_wide(routine.first)) return false;
      emit_byte_set_wide(unit, name, routine);
      return true;
    case Routine::Kind::kFillNuls:
      if (!is_wide(routine.first)) return false;
      emit_fill_nuls_wide(unit, name, routine.first);
      return true;
    default:
      return false;
  }
}

}  // namespace

void emit_routines(Unit& unit) {
  unit.e.at({});
  for (std::size_t i = 0; i < unit.routines.size(); ++i) {
    const auto [routine, label] = unit.routines[i];
    if (!emit_wide_routine(unit, label, routine)) emit_plain_routine(unit, label, routine);
  }
}

}  // namespace dt::bpf
