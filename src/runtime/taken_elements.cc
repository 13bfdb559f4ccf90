// See taken_elements.h.

#include "runtime/taken_elements.h"

#include <algorithm>
#include <string>
#include <unordered_map>
#include <utility>

namespace dt::runtime {

std::span<const std::uint8_t> TakenElements::key(std::size_t element) const {
  return std::span(keys_).subspan(element * layout_.key_bytes, layout_.key_bytes);
}

std::span<const std::uint64_t> TakenElements::words(std::size_t element) const {
  return std::span(words_).subspan(element * layout_.value_words, layout_.value_words);
}

void TakenElements::add(std::span<const std::uint8_t> key, std::uint16_t cpu,
                        std::span<const std::uint64_t> words) {
  cpus_.push_back(cpu);
  keys_.insert(keys_.end(), key.begin(), key.end());
  words_.insert(words_.end(), words.begin(), words.end());
  constexpr std::size_t kFew = 4096;
  if (cpus_.size() > 2 * std::max(merged_, kFew)) merge();
}

void TakenElements::merge() {
  TakenElements all(layout_);
  std::unordered_map<std::string, std::size_t> place;  // by the key and, behind it, the CPU
  for (std::size_t i = 0; i < cpus_.size(); ++i) {
    std::string whole(reinterpret_cast<const char*>(key(i).data()), layout_.key_bytes);
    whole.append(reinterpret_cast<const char*>(&cpus_[i]), sizeof cpus_[i]);
    const auto [at, is_new] = place.try_emplace(std::move(whole), all.cpus_.size());
    if (is_new) {
      all.cpus_.push_back(cpus_[i]);
      all.keys_.insert(all.keys_.end(), key(i).begin(), key(i).end());
      all.words_.insert(all.words_.end(), words(i).begin(), words(i).end());
    } else {
      record::add_words(
          layout_.func,
          std::span(all.words_).subspan(at->second * layout_.value_words, layout_.value_words),
          words(i));
    }
  }
  cpus_ = std::move(all.cpus_);
  keys_ = std::move(all.keys_);
  words_ = std::move(all.words_);
  merged_ = cpus_.size();
}

void TakenElements::each(const record::AggregationSource::Visit& visit) const {
  for (std::size_t i = 0; i < cpus_.size(); ++i) visit(key(i), cpus_[i], words(i));
}

void TakenElements::clear() {
  cpus_.clear();
  keys_.clear();
  words_.clear();
  merged_ = 0;
}

}  // namespace dt::runtime
