#pragma once
// @hist_log and @hist_linear as text, and their buckets by number.

#include <cstdint>
#include <string>
#include <vector>

#include "stap/home/variables.h"

namespace dt::stap {

struct HistogramRow {
  std::string label;
  std::int64_t count = 0;
};

// All rows that a histogram shows, from the lowest one.
std::vector<HistogramRow> logarithmic_rows(const Statistics& statistics);
std::vector<HistogramRow> linear_rows(const Statistics& statistics);
std::string draw(const std::vector<HistogramRow>& rows);
// The count of bucket `index`, from 0; of @hist_log 64 is that of 0.
std::int64_t bucket_count(const Statistics& statistics, bool is_linear, std::int64_t index);
std::int64_t buckets_of(const Statistics& statistics, bool is_linear);

}  // namespace dt::stap
