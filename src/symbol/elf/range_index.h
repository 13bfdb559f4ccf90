#pragma once
// Ranges of addresses that are nested, as those of functions and of what
// was inlined into them: which is the innermost one that holds an address?

#include <cstdint>
#include <optional>
#include <vector>

namespace dt::symbol {

class RangeIndex {
 public:
  // From `begin` to before `end`; nothing when that is empty. Of two equal ones the one
  // that was added later is within the other.
  void add(std::uint64_t begin, std::uint64_t end, std::uint32_t value);
  // After the last add().
  void order();
  // The value of the innermost one.
  std::optional<std::uint32_t> find(std::uint64_t address) const;

  std::size_t size() const { return ranges_.size(); }
  std::size_t bytes() const { return ranges_.capacity() * sizeof(Range); }

 private:
  static constexpr std::uint32_t kNone = ~std::uint32_t{0};
  struct Range {
    std::uint64_t begin = 0, end = 0;
    std::uint32_t value = 0;
    std::uint32_t outer = kNone;  // the next one to look at, which begins before
  };
  std::vector<Range> ranges_;
};

}  // namespace dt::symbol
