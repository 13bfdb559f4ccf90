#pragma once
// The types of a probe's arguments, as a program names them: "int, const char *".

#include "usdt/made/image.h"

#ifdef __cplusplus
extern "C" {
#endif

// Sets the probe's operands, types and number of arguments, which free() takes back.
// EINVAL for a type whose size is not known, E2BIG for more arguments than a probe
// has, ENAMETOOLONG, ENOMEM.
int made_types(const char* list, struct made_probe* probe);

#ifdef __cplusplus
}
#endif
