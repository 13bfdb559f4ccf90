#pragma once
// Which name was most likely meant.

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace dt::support {

// How many insertions, deletions, replacements and swaps of neighbours turn one text
// into the other; above `limit` any number above it. Texts of more than 128 bytes are
// only near when they are the same.
std::size_t edit_distance(std::string_view a, std::string_view b, std::size_t limit);

// The name in `candidates` that `name` most likely meant, or "" when none is near (edit distance at
// most a third of the length, and at most 3). A suggestion that is wrong is worse than none, hence
// the low limits. Of candidates that are equally near, the first one counts: put the likelier ones
// first.
std::string nearest(std::string_view name, const std::vector<std::string_view>& candidates);

// "did you mean 'meant'?", the hint of an error; "" when `meant` is empty, as nearest() may leave
// it.
std::string did_you_mean(std::string_view meant);

}  // namespace dt::support
