#pragma once
// The kinds of action that a clause records, and what holds for each wherever
// it is met.

#include <cstdint>

namespace dt::record {

enum class ActionKind : std::uint8_t {
  kTrace,     // one field, default format
  kTracemem,  // one kBytes field, optionally a second kInt: the dynamic size
  kPrint,     // one field of any kind; Action::shape tells its type
  kPrintm,    // one kBytes field
  kPcap,    // a packet: kBytes, and kInts: how many of them count, its length, ns since 1970, link
            // type
  kPrintf,  // format string, fields are its arguments
  kPrintrow,     // columns (record/columns.h) as its format, fields are their values
  kPrinta,       // aggregations (+ format); no fields
  kStack,        // one kStack field
  kUstack,       // one kUstack field
  kSym,          // one kSym/kMod/kUaddr/kUsym/kUmod field
  kExit,         // one kInt field: the status
  kClear,        // aggregation; no fields
  kTrunc,        // aggregation, optionally one kInt field: how many
  kNormalize,    // aggregation, one kInt field: the factor (unsigned)
  kDenormalize,  // aggregation
  kSetopt,       // one or two kString fields: the option, its value
  kFreopen,      // format string, fields are its arguments: where output goes from now on
  kFtruncate,    // nothing: empties the file that output goes to
  kSystem,       // format string, fields are its arguments: a command for the shell
  kSpeculate,    // one kInt field: the speculation that the record belongs to; -1: to none
  kCommit,       // one kInt field: the speculation
  kDiscard,      // one kInt field: the speculation
  kDefault,      // an empty clause: only the row is printed
};

struct ActionTraits {
  const char* name;        // as in dumps and structured output
  bool prints;             // does nothing but print
  bool uses_aggregations;  // prints or changes aggregations as they are when it is met
  bool is_urgent;          // the consumer must act on the record at once
};
const ActionTraits& traits(ActionKind kind);

inline const char* action_name(ActionKind kind) { return traits(kind).name; }

}  // namespace dt::record
