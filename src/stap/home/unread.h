#pragma once
// The global variables that a script writes and never reads, which are printed at the end.

#include <functional>
#include <vector>

#include "stap/home/variables.h"
#include "stap/syntax/tree.h"

namespace dt::stap {

bool is_unread(const Symbol& symbol);
// Called for each element of an array, those with the largest values first; and for a scalar,
// without keys.
using VisitUnread = std::function<void(const Symbol& symbol, const std::vector<Value>& keys,
                                       const Value& value, const Statistics& statistics)>;
void each_unread(const Script& script, const std::function<Global&(const Symbol&)>& global_of,
                 const VisitUnread& visit);

}  // namespace dt::stap
