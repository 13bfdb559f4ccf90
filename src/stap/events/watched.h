#pragma once
// Which global variables pictures show, and which handlers print or empty them.
//
// Of a script that is only to end with pictures, those that are printed at the end, as no handler
// reads them. Of one whose pictures grow while it runs, also those that a timer or the end reads,
// and others change. And those that --set view= names.

#include <map>
#include <set>
#include <string>
#include <vector>

#include "front/session.h"
#include "stap/meaning/program.h"

namespace dt::stap {

struct Watched {
  std::vector<const Symbol*> symbols;  // by variable
  std::vector<bool> is_asked;          // by variable: handlers read it, and --set view= names it
  std::vector<front::Session::Variable> variables;
  std::vector<const Handler*> handlers;  // by keeper
  std::vector<front::Session::Keeper> keepers;
};
Watched find_watched(const Program& program);

// What handlers, the end and pictures ask of statistics: "@count", "@hist_log".
std::map<const Symbol*, std::set<std::string>> statistics_asked(const Program& program);

}  // namespace dt::stap
