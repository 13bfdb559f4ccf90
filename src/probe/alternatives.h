#pragma once
// What a person may have meant by a description that matches nothing.

#include <string>
#include <string_view>
#include <vector>

#include "probe/probe.h"

namespace dt::probe {

// The same words in other fields, and words of other tracers in D's: `tcp::receive` is
// tcp:::receive, `sched:sched_switch` sdt:sched::sched_switch, `syscall::open:enter`
// syscall::open:entry. The likely ones first; none of them need match.
std::vector<Pattern> alternatives(const Pattern& pattern);

// Up to `count` descriptions to propose instead of `pattern`: the first alternative that
// matches, otherwise the names that are near, otherwise those that contain the name. Where the
// reason is known why nothing matches, near names of other providers are no answer, unless the
// provider's own is misspelt.
std::vector<Description> suggestions(const Catalog& probes, const Pattern& pattern,
                                     std::size_t count, bool is_reason_known = false);

// What serves here instead of a provider of other systems; "" if it is not one of them. The
// provider may be a pattern that begins with letters of its name: nfsv*.
std::string_view absent_provider(std::string_view provider);

// The same for a provider that only programs of a kind have, named with or without the number of a
// process: hotspot123, hotspot*.
std::string_view provider_of_programs(std::string_view provider);

// Whether the provider, or one that the pattern matches, has any probes now.
bool has_probes(const Catalog& probes, std::string_view provider);

}  // namespace dt::probe
