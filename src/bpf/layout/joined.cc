#include "bpf/layout/joined.h"

#include "record/action.h"
#include "record/aggregation.h"
#include "record/layout.h"

namespace dt::bpf {

void Joined::add(const std::vector<record::AggLayout>& aggregations,
                 const std::vector<record::Layout>& layouts) {
  for (const record::Layout& layout : layouts) {
    for (const record::Action& action : layout.actions) {
      if (action.kind != record::ActionKind::kPrinta || action.aggregations.size() < 2) continue;
      is_joined_.resize(aggregations.size());
      distances_.resize(aggregations.size());
      for (const std::uint32_t i : action.aggregations) {
        const record::AggLayout& one = aggregations[i];
        is_joined_[i] = one.drained;
        distances_[i] = one.drained && one.key_bytes == 0 ? (one.value_words + 1) * 8 : 0;
      }
    }
  }
}

}  // namespace dt::bpf
