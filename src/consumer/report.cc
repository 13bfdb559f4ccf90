// What comes between records and after the last one: drops, aggregations that nothing has printed,
// and the end of the output.

#include <string>
#include <vector>

#include "consumer/consumer.h"
#include "consumer/state.h"
#include "record/drop.h"

namespace dt::consumer {

void Consumer::print_aggregations() {
  State& state = *state_;
  if (!state.prints()) {
    return;
  }
  switch (state.options.form) {
    case Form::kText:
      state.page.text += '\n';
      state.aggregation_text.print_rest(state.page);
      break;
    case Form::kJsonLines:
      state.aggregation_json.print_rest_lines(state.page);
      break;
    case Form::kCsv:
      state.aggregation_csv.print_rest(state.page, state.csv);
      break;
    case Form::kJson:
      if (const auto rest = state.aggregations.unprinted(); !rest.empty()) {
        state.document.append_aggregations(state.page.text, [&](support::Json& output) {
          state.aggregation_json.write_objects(output, rest);
        });
      }
      break;
    case Form::kPicture:
      break;
  }
  state.page.hand_over();
}

bool Consumer::has_failed() const { return state_->aggregations.has_failed(); }

void Consumer::print_end(std::int32_t status) {
  State& state = *state_;
  if (state.options.form == Form::kJsonLines) {
    append_end_line(state.page.text, status);
  } else if (state.options.form == Form::kJson) {
    state.document.append_end(state.page.text);
  } else if (state.options.form == Form::kCsv) {
    state.csv.append_lost(state.page.text);
  }
  state.page.hand_over();
}

void Consumer::report_drops(std::span<const std::uint64_t> counters) {
  State& state = *state_;
  if (state.receiver == nullptr || !state.receiver->wants_faults()) {
    state.repeated.report(state.error);
  }
  if (state.tap != nullptr) {
    state.tap->drops(counters);
  }
  std::vector<std::uint64_t> all(counters.begin(), counters.end());
  constexpr auto kSpeculative = static_cast<std::size_t>(record::Drop::kSpeculative);
  if (all.size() > kSpeculative) {
    all[kSpeculative] += state.speculations.drops();
  }
  for (const auto& counted : state.counted) {
    counted(all);
  }
  state.drops.each(all, [&state](const Loss& loss) {
    const std::string text = tagged(loss, state.options.drop_tags);
    if (state.receiver != nullptr) {
      state.receiver->drop(loss, text);
    } else {
      state.error(text);
    }
    if (state.options.form == Form::kJsonLines) {
      append_drop_line(state.page.text, loss);
    } else if (state.options.form == Form::kJson) {
      state.document.append_drop(state.page.text, loss);
    } else if (state.options.form == Form::kCsv) {
      state.csv.lost(loss.count);
    }
    state.page.hand_over();
  });
}

}  // namespace dt::consumer
