// What tracing prints with: the consumer of records, and what handlers of the session are given.
// See live.h.

#include <memory>
#include <string>
#include <string_view>
#include <utility>

#include "api/input/process_names.h"
#include "api/output/effects.h"
#include "api/output/open_place.h"
#include "api/output/renderings.h"
#include "api/output/variable_pictures.h"
#include "api/run/compile.h"
#include "api/run/live.h"
#include "api/run/tape.h"
#include "consumer/consumer.h"
#include "consumer/output/output.h"
#include "runtime/session.h"

namespace dt::api {

void Live::make_consumer() {
  handler_output_.write_to(*output_);
  consumer::Options options = consumer_options(compiled_.options, effects_->is_to_terminal());
  options.csv_header = effects_->csv_header();
  const bool has_lines = handlers_.are_there() && !compiled_.options.oformat.empty();
  if (has_lines) options.form = consumer::Form::kPicture;  // records are for handlers alone
  consumer_ = std::make_unique<consumer::Consumer>(
      consumer::Connections{
          compiled_.plan.schema,
          compiled_.sources,
          *resolver_,
          tapes_records() ? tape_->source(session_->aggregations()) : session_->aggregations(),
          *output_,
          [this](std::string_view text) {
            if (handlers_.are_there()) return say(std::string(text));
            callbacks_.say(std::string(text));
          },
          effects_.get(),
          &values_,
      },
      std::move(options));
  const auto advise = [this](ProbeId probe, std::uint32_t argument) {
    return compiled_.front_end->advice(*compiled_.probes, probe, argument);
  };
  if (tapes_records()) {
    tape_->join(*consumer_, advise);
  } else {
    consumer_->advise_with(advise);
  }
  consumer_->give_up_when([this] {
    watched_.take();
    return interrupts_.ends_printing();
  });
  numbers_ = machine_variables(compiled_.program);
  consumer_->supply_with([this]() -> consumer::SupplyNumber {
    return [numbers = std::make_shared<MachineNumbers>(output_->descriptor())](
               record::Supply which) { return numbers->get(which); };
  });
  if (handlers_.are_there()) {
    consumer_->when_counted([this](std::span<const std::uint64_t> counters) {
      handler_output_.drops(counters);
      if (tape_ != nullptr) tape_->drops(counters);
      if (variables_ != nullptr) variables_->drops(counters);
    });
  }
  if (handlers_.are_there()) return make_variable_pictures();  // others are made at the end
  const Traced traced = this->traced();
  renderings_ = std::make_unique<Renderings>(traced, line_head(traced.title, traced.start_ns),
                                             compiled_.base, *consumer_, *output_, place_);
  watch_refreshes();
}

void Live::write_to(const Place& place) {
  renderings_.reset();
  consumer_.reset();
  output_->flush();
  effects_.reset();
  output_ = open_place(place);
  place_ = place;
  effects_ = std::make_unique<Effects>(compiled_.options, *output_, is_terminal(place));
  if (stage_ != Stage::kNew) {
    make_consumer();
  }
  if (stage_ == Stage::kGoing) {
    wait_as_asked();
  }
}

void Live::print(std::string_view text) {
  output_->write(support::shown_text(text));
  output_->flush();
}

Status Live::run_command(const std::string& command) { return effects_->run(command); }

// Text alone goes the shortest way.
front::Session::Outlet Live::make_outlet() {
  Lookups& lookups = lookups_.emplace(kernel_, *resolver_, callbacks_);
  front::Session::Outlet out = {
      [this](std::string_view text) { output_->write(text); },
      [this](std::string_view text) { callbacks_.say(std::string(text)); },
      [&lookups](std::uint64_t address) { return lookups.kernel_name(address); },
      [&lookups](std::int32_t pid, std::uint64_t address) {
        return lookups.user_name(pid, address);
      },
      [&lookups](std::int32_t pid, std::uint64_t address, bool is_return) {
        return lookups.user_line(pid, address, is_return);
      },
      [&lookups](std::uint64_t address, std::span<std::uint8_t> into) {
        return lookups.read_kernel(address, into);
      },
      [&lookups] { return lookups.current_task(); },
      {[this](std::uint32_t variable) { return session_->word(variable); },
       [this](std::uint32_t array, std::span<const std::uint8_t> key, bool is_there) {
         return session_->set_element(array, key, is_there);
       },
       [this](std::uint32_t aggregation) {
         return compiled_.plan.schema.aggregations[aggregation].value_words;
       },
       [this](const auto& wants, const auto& visit) {
         const Status done = session_->aggregations().take(
             wants, [&](auto aggregation, auto key, auto /*cpu*/, auto words) {
               visit(aggregation, key, words);
             });
         return done.ok() ? std::string() : done.error().text;
       }},
      [this](const std::string& command) {
        output_->flush();
        const Status done = effects_->run(command);
        return done.ok() ? std::string() : done.error().text;
      }};
  if (tape_ != nullptr || !compiled_.options.oformat.empty()) {
    out.tell = [this](const front::Outcome& outcome) { hear(outcome); };
  }
  if (variables_ != nullptr) {
    out.around = [this](std::uint32_t keeper, const std::function<void()>& handler) {
      variables_->around(keeper, handler);
    };
  }
  return out;
}

void Live::hear(const front::Outcome& outcome) {
  if (tape_ != nullptr) tape_->outcome(outcome);
  handler_output_.take(outcome);
}

}  // namespace dt::api
