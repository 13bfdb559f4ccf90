#pragma once
// Variables as handlers at home see them: values, statistics, arrays in the order of insertion.

#include <cstdint>
#include <list>
#include <map>
#include <string>
#include <unordered_map>
#include <vector>

#include "stap/meaning/program.h"

namespace dt::stap {

// The value of a variable: a long has a number, a string a text.
struct Value {
  std::int64_t number = 0;
  std::string text;
  // The script has written this text itself: its control characters go to the terminal as they
  // are. Those of a text that was recorded are shown (support/shown.h).
  bool is_own = false;
  bool has_only_own() const { return is_own || text.empty(); }
};

// What <<< has added. Variance is exact: the sum of squares has 128 bits.
class Statistics {
 public:
  void add(std::int64_t value);
  // What was added elsewhere.
  void merge(const Statistics& other);
  // The sum and the sum of squares, of 128 bits each.
  void set_wide(std::uint64_t sum, std::uint64_t sum_high, std::uint64_t squares,
                std::uint64_t squares_high);

  std::int64_t count = 0, sum = 0, min = 0, max = 0;
  std::int64_t average() const { return sum / count; }
  // The sample variance; 0 for fewer than two values. It is exact, so the second argument of
  // @variance(x, bits), a number of fraction bits for the calculation, makes no difference.
  std::int64_t variance() const;
  // What a histogram is made of: how often each value was added, as far as @hist_log or
  // @hist_linear need it. Keys are bounds of buckets.
  std::map<std::int64_t, std::int64_t> logarithmic;
  std::map<std::int64_t, std::int64_t> linear;  // by the number of the bucket
  std::vector<std::int64_t> bounds;             // low, high, width of @hist_linear; may be empty

 private:
  __extension__ using Wide = __int128;
  Wide wide_sum_ = 0, squares_ = 0;
};

// The lower bound of the bucket of @hist_log: 0, 1, 2, 4, ... and their negatives.
std::int64_t log_bucket(std::int64_t value);

struct Element {
  std::string key;  // by which it is found
  std::vector<Value> keys;
  Value value;
  Statistics statistics;
};

class Array {
 public:
  using Elements = std::list<Element>;
  static std::string key_of(const std::vector<Value>& keys, const std::vector<Type>& types);

  Element* find(const std::string& key);
  // Makes it if it is not there; null where there is no room. With `wraps`, the oldest one goes.
  Element* make(const std::string& key, std::vector<Value> keys, std::size_t most, bool wraps);
  void erase(const std::string& key);
  void clear();
  std::size_t size() const { return elements_.size(); }
  Elements& elements() { return elements_; }

 private:
  Elements elements_;  // in the order in which they were made
  std::unordered_map<std::string, Elements::iterator> places_;
};

// A global variable.
struct Global {
  Value value;
  Statistics statistics;
  Array array;
};

}  // namespace dt::stap
