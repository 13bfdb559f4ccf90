#pragma once
// Aggregations by stack, folded into trees of frames, for flame graphs and profiles.
//
//     @[execname, stack(), ustack(), tid]     keys before the first stack: outer frames
//                                             then user code, then the kernel that it called
//                                             keys behind it: inner frames
//
// What clear() and trunc() remove is kept, so that a tree has all that was counted in the run,
// before normalize().

#include <cstdint>
#include <string>
#include <vector>

#include "consumer/aggregation/aggregate.h"
#include "consumer/value/value.h"
#include "record/schema.h"
#include "view/frame_tree.h"

namespace dt::view {

// The frames of a stack, from the outermost to the innermost.
std::vector<Frame> frames_of(consumer::FieldText& fields, const consumer::Value& stack);
// The frames of a key with stacks, in the order that is shown above.
std::vector<Frame> frames_of_key(consumer::FieldText& fields, const record::AggLayout& layout,
                                 consumer::Bytes key);

struct Flame {
  std::string name;  // of the aggregation, without '@'
  record::AggFunc function = record::AggFunc::kCount;
  std::uint32_t index = 0;  // among those of the schema
  FrameTree tree;
  std::uint64_t negative = 0;  // elements that are not in it, as their sums are below 0
  std::string root = {};       // the function that it begins with, or ""
  std::int64_t outside = 0;    // what was counted where that is not among the frames
};

// "libc.so.6`read". Where the function is not known, "libc.so.6`+0x1234" is the place in the file,
// and "0x7f0012341234" an address of which not even the file is known. Not escaped.
std::string frame_name(const consumer::NamedFrame& frame);

// Whether a frame is the function `name`, which may be written with its module or without.
bool is_function(const Frame& frame, std::string_view name);

// Whether it has a stack among its keys, and values that add up: count(), sum(), and the number of
// values in a histogram.
bool is_flame(const record::AggLayout& layout);

class Flames {
 public:
  // `schema` must outlive this.
  explicit Flames(const record::Schema& schema);
  // Before the first element: that of an aggregation is to begin with the function `root`.
  void begin_with(std::uint32_t aggregation, const std::string& root);

  // Adds an element of an aggregation, as far as it is one of a flame.
  void add(consumer::FieldText& fields, consumer::Bytes key, const consumer::Aggregate& aggregate,
           std::uint32_t element);

  const std::vector<Flame>& all() const { return flames_; }

 private:
  const record::Schema& schema_;
  std::vector<Flame> flames_;
};

}  // namespace dt::view
