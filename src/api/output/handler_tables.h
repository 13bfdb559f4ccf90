#pragma once
// The variables that a session shows at its end (front/outcome.h), as tables and pictures: as
// aggregations of D (api/output/variable_tables.h) they are given to the same code, in every form
// that shows aggregations.

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "api/options/request.h"
#include "consumer/output/output.h"
#include "front/outcome.h"
#include "front/session.h"
#include "support/result.h"

namespace dt::api {

// Whether a form of output shows tables of variables.
bool shows_variables(std::string_view oformat);
// Whether the form of output is made of variables while handlers run
// (api/output/variable_pictures.h), and whether that or a page is.
bool is_live_form(const Options& options);
bool are_live(const Options& options);

// An error where a script has no variable that the form of output or a page can show, or none that
// -x view names.
Status check_variables(const Options& options, const front::Session& session);

// What is known of the run when it has ended.
struct Shown {
  std::string title, host, kernel;
  std::int64_t start_ns = 0, end_ns = 0;  // since 1970
  std::span<const std::uint64_t> drops = {};
  std::int32_t status = 0;
  // A page was made while it ran; the hints of -x view are those of the script.
  bool has_page = false, are_hints_checked = false;
};

// An error where the form has nothing to show of such variables.
Status show_variables(const std::vector<front::Outcome>& variables, const Shown& run,
                      const Options& options, const Callbacks& callbacks, const Place& place,
                      consumer::FileOutput& output);

}  // namespace dt::api
