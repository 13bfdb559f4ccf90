// See renderings.h.

#include "api/output/renderings.h"

#include <utility>

#include "api/output/pictures.h"
#include "api/output/samples.h"

namespace dt::api {

Renderings::~Renderings() = default;

Renderings::Renderings(const Traced& traced, view::LineHead head, const view::Flames* base,
                       consumer::Consumer& consumer, consumer::FileOutput& output,
                       const Place& place)
    : options_(traced.options), consumer_(consumer), output_(output), place_(place) {
  if (is_export(options_)) {
    export_ = make_export(traced);
    export_->watch(consumer_, output_);
    export_->write_to(place_);
  }
  if (is_samples(options_)) {
    write_samples(consumer_, output_, traced.schema, traced.sources);
  }
  if (wants_views(options_, traced.callbacks)) {
    views_ = std::make_unique<Views>(traced.callbacks, options_, traced.schema, traced.sources,
                                     traced.views, std::move(head), output_);
    views_->watch(consumer_, base);
  }
  if (is_picture(options_)) {
    pictures_ = std::make_unique<Pictures>(traced);
    pictures_->compare_with(base);
    pictures_->watch(consumer_, output_);
  }
}

bool Renderings::wants_refresh() const {
  return views_ != nullptr || (export_ != nullptr && export_->wants_refresh());
}

void Renderings::refresh(std::int64_t time_ns) {
  if (export_ != nullptr && export_->wants_refresh()) export_->refresh(consumer_, time_ns);
  if (views_ != nullptr) views_->refresh(consumer_, time_ns);
}

void Renderings::drops(std::span<const std::uint64_t> counters) {
  if (views_ != nullptr) views_->drops(counters);
}

Status Renderings::print_aggregations(std::span<const std::uint64_t> drops, std::int64_t time_ns) {
  if (is_samples(options_)) output_.write(missing_samples(drops));
  const End end{drops, time_ns, place_};
  if (export_ != nullptr) return export_->finish(consumer_, output_, end);
  if (pictures_ != nullptr) return pictures_->draw(consumer_, output_, end);
  consumer_.print_aggregations();
  return {};
}

Status Renderings::finish_views(std::span<const std::uint64_t> drops, std::int64_t time_ns,
                                std::int32_t status) {
  if (views_ == nullptr) return {};
  return views_->finish(consumer_, time_ns, drops, status, place_);
}

}  // namespace dt::api
