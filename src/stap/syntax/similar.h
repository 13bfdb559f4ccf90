#pragma once
// Which names are like one that is not known, in the order in which SystemTap lists them.

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace dt::stap {

// Two for each character that is inserted, left out or replaced; but one for each that is left out,
// or inserted, at the beginning of a name. Hence "get_time" is nearer to
// "ctime" than to "getpid".
std::size_t name_distance(std::string_view a, std::string_view b);

// The names that are most like `name`, the nearest first, and of equally near ones in the order of
// characters. None is farther than `farthest`.
constexpr std::size_t kMostSimilar = 5;
std::vector<std::string_view> similar_names(std::string_view name,
                                            std::vector<std::string_view> candidates,
                                            std::size_t farthest = ~std::size_t{0});

// " (similar: begin, end)"; or "", without any.
std::string similar(std::string_view name, std::vector<std::string_view> candidates,
                    std::size_t farthest = ~std::size_t{0});

}  // namespace dt::stap
