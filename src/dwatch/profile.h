#pragma once
// Profiles: files that say which probes to watch, and what an event shows.
//
//   # a comment
//   summary: files that programs open
//   argument: least int=0 only files of at least so many bytes
//   probe: syscall::open:return, syscall::openat:return
//   variant: open-failed /errno/
//   filter: self->path
//   before:
//   	syscall::openat:entry { self->path = arg1; }
//   details:
//   	printf("%S", copyinstr(self->path));
//   after:
//   	syscall::openat:return { self->path = 0; }
//
// A value goes on in the lines below that begin with a tab. `argument` declares what `#pragma D
// argument` does (docs/d-language.md). `variant` is another name for the profile: with fewer probes
// if its text is a list of descriptions, or with one more filter behind a `/`. A name that
// ends in `*` is any name that begins so; `$*` in the filter is what it has there. `line: no`
// leaves the begin of each line, date and process, to the profile, which then prints what it wants.

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "support/result.h"

namespace dt::dwatch {

struct Variant {
  std::string name;
  std::string probes;  // instead of the profile's; or empty
  std::string filter;  // besides the profile's; or empty
};

struct Profile {
  std::string name;
  std::string summary;
  std::string probes;
  std::string filter, before, details, after;
  std::vector<std::string> arguments;  // "least int=0 only ..."
  std::vector<Variant> variants;
  bool has_line = true;
  // Whether the command line of the process is known at all probes: not at sched:::on-cpu.
  bool has_arguments = true;
};

// A profile from its text; an error says the line.
Result<Profile> parse_profile(const std::string& name, std::string_view text);

// What the profile is under the name of one of its variants; `profile` itself under its own name.
Profile under_name(const Profile& profile, const std::string& name);

// Where profiles are: the directories of $DWATCH_PROFILES_PATH, then those that belong to this
// program.
std::vector<std::string> profile_directories();

Result<Profile> load_profile(const std::vector<std::string>& directories, const std::string& name);

// Names with summaries, of variants, too, in the order of the alphabet. A file with an error has it
// as its summary.
std::vector<std::pair<std::string, std::string>> list_profiles(
    const std::vector<std::string>& directories);

}  // namespace dt::dwatch
