// The makers of each type of workload.
#pragma once

#include "workload.h"

namespace load {

/// Needs the CPU. num_cycles: turns of an empty loop.
std::unique_ptr<Workload> make_busy_wait(const nlohmann::json& params, unsigned workers);

/// Opens files of a directory. root_dir: the directory; created_files: how many files, named 1, 2,
/// ..., exist in the beginning; file: the number of the file to open; create: whether to create it
/// if it does not exist.
std::unique_ptr<Workload> make_file_opener(const nlohmann::json& params, unsigned workers);

/// Reads or writes a file. path; file_size in bytes; rw: read or write; sync: whether a write waits
/// for the disk; block_size in bytes; offset in blocks, modulo the size. The file is made, and is
/// not in the page cache when requests begin.
std::unique_ptr<Workload> make_fileio(const nlohmann::json& params, unsigned workers);

/// Gets pages of a server. server: an IPv4 address; port; uri.
std::unique_ptr<Workload> make_http(const nlohmann::json& params, unsigned workers);

/// Holds a lock. mutexes: how many; mutex: the number of one; hold_us: for how many microseconds.
std::unique_ptr<Workload> make_mutex(const nlohmann::json& params, unsigned workers);

/// Types commands into a shell, one shell for each worker. shell: its path; command.
std::unique_ptr<Workload> make_proc_starter(const nlohmann::json& params, unsigned workers);

}  // namespace load
