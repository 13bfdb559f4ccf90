/* What the shared library exports. */
#ifndef DTRACE_VISIBILITY_H
#define DTRACE_VISIBILITY_H

#if defined(__GNUC__)
#define DTRACE_API __attribute__((visibility("default")))
#else
#define DTRACE_API
#endif

#endif
