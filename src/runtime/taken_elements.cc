// See taken_elements.h.

#include "runtime/taken_elements.h"

#include <cstring>

namespace dt::runtime {

void TakenElements::add(std::span<const std::uint8_t> key, std::uint16_t cpu,
                        std::span<const std::uint64_t> words) {
  std::string whole(reinterpret_cast<const char*>(key.data()), key.size());
  whole.append(reinterpret_cast<const char*>(&cpu), sizeof cpu);
  const auto [at, is_new] = at_.try_emplace(std::move(whole), words_.size());
  if (is_new) {
    words_.insert(words_.end(), words.begin(), words.end());
  } else {
    record::add_words(layout_.func, std::span(words_).subspan(at->second, words.size()), words);
  }
}

void TakenElements::each(const record::AggregationSource::Visit& visit) const {
  for (const auto& [whole, at] : at_) {
    const std::size_t key_bytes = whole.size() - sizeof(std::uint16_t);
    std::uint16_t cpu = 0;
    std::memcpy(&cpu, whole.data() + key_bytes, sizeof cpu);
    visit({reinterpret_cast<const std::uint8_t*>(whole.data()), key_bytes}, cpu,
          std::span(words_).subspan(at, layout_.value_words));
  }
}

void TakenElements::clear() {
  at_.clear();
  words_.clear();
}

}  // namespace dt::runtime
