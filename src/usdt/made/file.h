#pragma once
// Where the image of some probes is: in a file that all processes of a user with the same probes
// share, or in memory.

#include "usdt/made/image.h"

#ifdef __cplusplus
extern "C" {
#endif

// /tmp/dtrace-probes-UID/server.so.1f2e3d4c5b6a7988: the number is that of the content,
// which is compared. A descriptor for reading, or -1 if the file cannot be made: then use
// made_file_in_memory().
int made_file_kept(const char* provider, const struct made_image* image);

// /memfd:server.so.1f2e3d4c5b6a7988 in /proc/PID/maps. A descriptor, or -1 and errno.
int made_file_in_memory(const char* provider, const struct made_image* image);

#ifdef __cplusplus
}
#endif
