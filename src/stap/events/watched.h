#pragma once
// Which global variables pictures show, and which handlers print or empty them.
//
// If pictures are drawn at the end only, these are the variables that are printed at the end, as no
// handler reads them. If pictures grow while the script runs, they are also those that a timer or
// the end reads and other handlers change. In both cases, those that --set view= names.

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
