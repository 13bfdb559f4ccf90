#pragma once
// The options that keep more than a flag, a number or a text: Special in options.def.

#include <string>
#include <string_view>

#include "api/options/options.h"
#include "support/result.h"

namespace dt::api {

// What pictures show.
Status add_view(Options& options, std::string_view value);

// What is given to the C preprocessor.
Status set_header_listing(Options& options, std::string_view value);
Status add_cpp_words(Options& options, std::string_view value);
Status add_definition(Options& options, std::string_view value);
Status add_undefinition(Options& options, std::string_view value);
Status add_include_directory(Options& options, std::string_view value);
Status set_c_dialect(Options& options, std::string_view value);

// Words of options that mean nothing here.
Status check_binding(Options& options, std::string_view value);
Status check_link_mode(Options& options, std::string_view value);
Status check_link_type(Options& options, std::string_view value);
Status check_locked_memory(Options& options, std::string_view value);

// What concerns the language.
Status set_version(Options& options, std::string_view value);
Status set_minimum(Options& options, std::string_view value);
std::string minimum_text(const Options& options);
Status add_library_directory(Options& options, std::string_view value);
Status set_tree(Options& options, std::string_view value);
Status set_machine(Options& options, std::string_view value);
std::string machine_text(const Options& options);

// The command of -c.
Status set_variable(Options& options, std::string_view value);
Status unset_variable(Options& options, std::string_view value);
Status set_evaluation_time(Options& options, std::string_view value);
std::string evaluation_time_text(const Options& options);

// Tracing and its output.
Status set_buffer_policy(Options& options, std::string_view value);
std::string buffer_policy_text(const Options& options);
Status set_buffer_resizing(Options& options, std::string_view value);
std::string buffer_resizing_text(const Options& options);
Status set_cpu(Options& options, std::string_view value);
std::string cpu_text(const Options& options);
Status set_compatibility(Options& options, std::string_view value);
std::string compatibility_text(const Options& options);
Status set_demangling(Options& options, std::string_view value);
Status set_encoding(Options& options, std::string_view value);
std::string encoding_text(const Options& options);
Status set_output_format(Options& options, std::string_view value);
std::string output_format_text(const Options& options);
Status set_listening(Options& options, std::string_view value);
Status set_push(Options& options, std::string_view value);
std::string push_text(const Options& options);
std::string listening_text(const Options& options);

}  // namespace dt::api
