// See speculations.h.

#include "stap/home/speculations.h"

#include <utility>

namespace dt::stap {

std::int64_t Speculations::begin() {
  waiting_[++last_];
  return last_;
}

void Speculations::put(WrittenText written) {
  for (front::OutcomeHistogram& one : written.histograms)
    run_.surroundings.histogram(std::move(one));
  run_.surroundings.write(written.text);
}

void Speculations::write(WrittenText written) {
  const auto found = waiting_.find(current_);
  if (found == waiting_.end()) return put(std::move(written));
  constexpr std::size_t kMost = 16 << 20;
  WrittenText& kept = found->second;
  if (kept.text.size() + written.text.size() > kMost) return;
  kept.text += written.text;
  for (front::OutcomeHistogram& one : written.histograms) {
    kept.histograms.push_back(std::move(one));
  }
}

void Speculations::act(Fn fn, std::int64_t number) {
  if (fn == Fn::speculate) {
    current_ = number;
    return;
  }
  if (current_ == number) current_ = 0;
  const auto found = waiting_.find(number);
  if (found == waiting_.end()) return;
  if (fn == Fn::commit) put(std::move(found->second));
  waiting_.erase(found);
}

}  // namespace dt::stap
