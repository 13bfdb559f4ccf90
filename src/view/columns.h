#pragma once
// What was added to an aggregation between two moments: the columns of a heat map or a line.
//
// The moments are the records that act on it. A record is met twice, before its actions and
// behind them, so that what a clear() or a trunc() removes is counted, and not counted again:
//
//     count        0 ... 7 | clear() | 0 ... 5 | printa() | 5 ... 9 |
//     added              7           |       5            |       4

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "consumer/aggregate.h"
#include "record/aggregation.h"

namespace dt::view {

// The bytes of a key.
std::string key_text(consumer::Bytes key);

class Columns {
 public:
  using Words = std::vector<std::uint64_t>;

  // Of functions whose words add up: count(), sum() and histograms.
  explicit Columns(const record::AggLayout& layout) : words_(layout.value_words) {}

  // Each element as it is before the actions.
  void found(consumer::Bytes key, consumer::Aggregate::Words words);
  // Behind them: begin_left(), and each element that is there.
  void begin_left();
  void left(consumer::Bytes key, consumer::Aggregate::Words words);

  // By key, what was added since this was called last; keys to which nothing was added are not
  // there.
  std::map<std::string, Words> take();

 private:
  struct Element {
    Words base, added;
  };
  Element& element(consumer::Bytes key);

  std::size_t words_;
  std::map<std::string, Element> elements_;
};

}  // namespace dt::view
