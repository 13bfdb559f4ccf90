#pragma once
// @hist_log and @hist_linear as text, and their buckets by number.

#include <cstdint>
#include <string>
#include <vector>

#include "front/outcome.h"
#include "stap/home/variables.h"

namespace dt::stap {

// The whole of it, with an empty line behind. Of a run of empty rows, so many are shown before and
// behind those that are not empty (-D HIST_ELISION=N); below 0: all.
std::string draw(const Statistics& statistics, bool is_linear, std::int64_t elision);
// The count of bucket `index`, from 0; of @hist_log 64 is that of 0.
std::int64_t bucket_count(const Statistics& statistics, bool is_linear, std::int64_t index);
// Its kind and its buckets.
front::OutcomeHistogram histogram_of(const Statistics& statistics, bool is_linear);
std::int64_t buckets_of(const Statistics& statistics, bool is_linear);

}  // namespace dt::stap
