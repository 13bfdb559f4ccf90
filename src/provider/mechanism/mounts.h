#pragma once
// Where a file is that is known without its path: code of probes.

#include "bpf/asm/emitter.h"
#include "provider/mechanism/stable.h"

namespace dt::provider {

// The struct mount where a file system (struct super_block *) is mounted as a whole:
// the root of the first process, or the oldest that is found among some. 0 where
// there is none.
bpf::Reg mount_of(StableCode& code, bpf::Reg super);
// An inode's first name (struct dentry *). `is_there` becomes all ones, or 0 where it
// has none.
bpf::Reg dentry_of(StableCode& code, bpf::Reg inode, bpf::Reg is_there);

}  // namespace dt::provider
