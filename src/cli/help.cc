// See help.h.

#include "cli/help.h"

namespace dt::cli {

std::string usage_line() {
  return "Usage: dtrace [-aABCFGhHlOqSvVwZe] [-b bufsz] [-c cmd] [-D name[=def]] [-I path] [-L "
         "path]\n"
         "\t[-o output] [-p pid] [-r recording] [-U name] [-X a|c|s|t] [-x opt[=val]] [-n name [[ "
         "predicate ] "
         "action ]]\n"
         "\t[-P provider [[ predicate ] action ]] [-m [ provider: ] module [[ predicate ] action "
         "]]\n"
         "\t[-f [[ provider: ] module: ] func [[ predicate ] action ]]\n"
         "\t[-i probe-id [[ predicate ] action ]] [-s script] [ args ... ]\n";
}

std::string first_steps() {
  return R"(
To begin:
  dtrace -n 'syscall:::entry { @[execname] = count(); }'    which programs make system calls, until Ctrl-C
  dtrace --tools file       scripts about files that are installed; dtrace -s opensnoop runs one of them
  dtrace --tools who opens  what answers a question that has these words
  dtrace -l tcp             which probes there are
  dtrace --help             all options; man dtrace, man dtrace-tools and man dtrace-d say more
)";
}

std::string help_text() {
  return R"(dtrace answers questions about the running system, in one line of D or with a script.

examples
  dtrace -n 'syscall:::entry { @[execname] = count(); }'    which programs make system calls
  dtrace -n 'syscall::read:entry { @[execname] = quantize(arg2); }' -c 'make'    sizes of reads, of a command
  dtrace -s opensnoop -x                                    a tool: files that cannot be opened
  dtrace -l 'tcp:::'                                        which probes there are
  Ctrl-C ends tracing and prints the aggregations.

what to trace
  -n TEXT           a program, or the description of a probe: PROVIDER:MODULE:FUNCTION:NAME /PREDICATE/ { ACTIONS }
  -s SCRIPT         a file ('-' is standard input), or a tool by its name; $1, $2, ... are the arguments behind it.
                    -h behind the script prints how it is used
  -P -m -f -i WHAT  probes by provider, module, function or id; a predicate and actions may follow
  -c COMMAND        run a command and trace until it ends; its pid is $target
  -p PID            trace until this process ends; its pid is $target
  -x cgroup=NAME    only threads of this control group, such as nginx.service
  -x zone=NAME      only threads of this container: its name, its number, a process in it
  -Z                allow descriptions that match no probes
  -w                allow destructive actions

what there is
  -l [WORD]         list probes instead of tracing; with -v their arguments and stability
  --tools [WORD]    list the scripts that are installed with dtrace, and the questions that they answer
  --self-test       print which features this kernel has, and whether each provider fires
  --version, -V     print the version of dtrace, of the D language

output
  -q                only what the program prints
  -o FILE           append the output, or the list of -l, to a file
  -F                show calls by indentation
  -B                print every record immediately
  -x oformat=jsonl  JSON lines, for other programs (csv: tables; json, xml: FreeBSD's documents)
  -x record=FILE    also record the run; '-' records to standard output instead of printing
  -r FILE           replay a recording in any form, without tracing ('-' is standard input)
  -l -r FILE        list what is in a recording
  -x oformat=svg    a flame graph or other pictures (also folded, pprof, speedscope; term: in a terminal)
  -x oformat=html   all pictures of a program as one page (-o FILE.html)
  -x listen         the same page while tracing; its address is printed on standard error
  -v                print more about probes and failures

settings
  -x NAME[=VALUE]   set an option (man dtrace)
  -b SIZE           buffer size per CPU (4m)
  -C                run the C preprocessor over scripts; -D NAME[=TEXT], -U NAME and -I PATH are passed to it
  -L PATH           a directory of D libraries
  -A, -a, -ae       save the enabling, to trace it from the next boot on; print its records; print and end it

probes in your own programs
  -h -s PROVIDER.d  make the C and C++ header with their macros (-o PROVIDER.h)
  -G -s PROVIDER.d [OBJECT ...]    make the object file to link with (-o PROVIDER.o)

looking inside
  -e                compile only;  -S  print the BPF code
  -xdump=STAGE,... -xstop=STAGE  (tokens ast typed ir ir-opt ecbs views bpf raw records)
  -xstats           the cost of each stage;  -xexplain=PROBE  how a probe is served
)";
}

}  // namespace dt::cli
