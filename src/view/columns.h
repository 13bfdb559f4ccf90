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

#include "consumer/aggregation/aggregate.h"
#include "record/aggregation.h"

namespace dt::view {

// The bytes of a key.
std::string key_text(consumer::Bytes key);

class Columns {
 public:
  using Words = std::vector<std::uint64_t>;

  // `layout` has a function whose words add up: count(), sum() or a histogram.
  explicit Columns(const record::AggLayout& layout) : words_(layout.value_words) {}

  // Each element as it is before the actions. A key that is met for the first time is in the next
  // column also if nothing was added to it: sum(0) is an element, too.
  void found(consumer::Bytes key, consumer::Aggregate::Words words, bool is_new);
  // Behind them: begin_left(), and each element that is there.
  void begin_left();
  void left(consumer::Bytes key, consumer::Aggregate::Words words);

  // By key, what was added since this was called last; keys to which nothing was added are not
  // there, but for new ones.
  std::map<std::string, Words> take();

 private:
  struct Element {
    Words base, added;
    bool is_new = false;
  };
  Element& element(consumer::Bytes key);

  std::size_t words_;
  std::map<std::string, Element> elements_;
};

// Which firings of a tick only make up for others. Where dtrace was late, a tick fires as often as
// it should have, all at once: the first column has everything, and the others have nothing. These
// are no moments at which nothing happened, so they are no columns:
//
//     firings   |         |         |                       ||||     |
//     added     7         5         6                       31 0 0 0  4
class CatchUp {
 public:
  // Whether the firing came at once behind the last one, measured by the time between firings
  // before. 0 is a time that is not known.
  bool is_at_once(std::int64_t time_ns);

 private:
  std::int64_t last_ns_ = 0, length_ns_ = 0;
};

}  // namespace dt::view
