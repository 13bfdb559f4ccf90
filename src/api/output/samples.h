#pragma once
// -x oformat=perfscript: samples of the records with stacks, as they come.

#include <cstdint>
#include <span>

#include "api/options/options.h"
#include "consumer/consumer.h"
#include "consumer/output/output.h"
#include "record/schema.h"
#include "support/result.h"
#include "support/source.h"

namespace dt::api {

bool is_samples(const Options& options);
// An error where no record has a stack.
Status check_samples(const Options& options, const record::Schema& schema);

// Writes each to the output from now on. All references must outlive the consumer.
void write_samples(consumer::Consumer& consumer, consumer::FileOutput& output,
                   const record::Schema& schema, const Sources& sources);
// At the end: what is missing, with `drops` as Session gives them.
std::string missing_samples(std::span<const std::uint64_t> drops);

}  // namespace dt::api
