#pragma once
// What handlers write, at once or when its speculation is committed.

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "front/outcome.h"
#include "stap/home/execution.h"
#include "stap/meaning/functions.h"

namespace dt::stap {

struct WrittenText {
  std::string text;
  std::vector<front::OutcomeHistogram> histograms = {};
};

class Speculations {
 public:
  // `run` must outlive this.
  explicit Speculations(const Execution& run) : run_(run) {}

  // A handler begins, outside of speculations.
  void enter() { current_ = 0; }
  // speculation(): a new one.
  std::int64_t begin();
  // speculate(id), commit(id), discard(id): what a firing prints behind the first waits for one of
  // the others.
  void act(Fn fn, std::int64_t number);
  // Through the speculation of this firing, if it has one.
  void write(WrittenText written);

 private:
  void put(WrittenText written);

  const Execution& run_;
  std::map<std::int64_t, WrittenText> waiting_;
  std::int64_t last_ = 0, current_ = 0;  // 0: none
};

}  // namespace dt::stap
