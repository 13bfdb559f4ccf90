/* The library for C and for languages that call C; dtrace/tracer.h documents each
   step in detail.

     dtrace_tracer *tracer = dtrace_new();
     dtrace_add_program(tracer, "syscall::openat:entry { trace(copyinstr(arg1)); }");
     dtrace_on_record(tracer, print_record, NULL);
     if (dtrace_go(tracer) != 0)
       fprintf(stderr, "%s\n", dtrace_error(tracer));
     while (dtrace_poll(tracer, 1000) > 0)
       ;
     dtrace_stop(tracer);
     dtrace_free(tracer);

   Functions that return int return 0 for success and -1 for an error, whose text
   dtrace_error() returns. Strings are NUL-terminated. A string of a tracer is valid
   until the next call with that tracer; a string of a record, row, value or frame is
   valid as long as its owner, which is valid during the callback only. The caller
   frees nothing but the tracer. A tracer belongs to one thread. */
#ifndef DTRACE_DTRACE_H
#define DTRACE_DTRACE_H

#include <stddef.h>
#include <stdint.h>

#include "dtrace/visibility.h"

#ifdef __cplusplus
extern "C" {
#endif

/* The version of this interface. Within a version, functions are added, and none is
   changed or removed. dtrace_abi_version() returns the version of the library. */
#define DTRACE_ABI_VERSION 1
DTRACE_API unsigned dtrace_abi_version(void);

typedef struct dtrace_tracer dtrace_tracer;
typedef struct dtrace_probe dtrace_probe;
typedef struct dtrace_record dtrace_record;
typedef struct dtrace_row dtrace_row;
typedef struct dtrace_value dtrace_value;
typedef struct dtrace_frame dtrace_frame;

/* NULL when memory is exhausted. */
DTRACE_API dtrace_tracer* dtrace_new(void);
/* Ends tracing and frees the tracer; NULL is permitted. */
DTRACE_API void dtrace_free(dtrace_tracer* tracer);

/* The error of the last call, "" when it succeeded: its text, what can be done about
   it, the lines of the program that it is about, and the kernel's log. All but the
   text may be "". */
DTRACE_API const char* dtrace_error(const dtrace_tracer* tracer);
DTRACE_API const char* dtrace_error_hint(const dtrace_tracer* tracer);
DTRACE_API const char* dtrace_error_excerpt(const dtrace_tracer* tracer);
DTRACE_API const char* dtrace_error_log(const dtrace_tracer* tracer);

/* ---- What to trace; before dtrace_compile() ---- */

/* An option of -x; value may be NULL. */
DTRACE_API int dtrace_set_option(dtrace_tracer* tracer, const char* name, const char* value);
/* The language of the programs and scripts that are added from now on: "d" for D, which is the
   default, or "stap" for the SystemTap language. All programs of a tracer are in one language;
   adding a program in a language that does not exist is an error. */
DTRACE_API void dtrace_set_language(dtrace_tracer* tracer, const char* language);
DTRACE_API int dtrace_add_program(dtrace_tracer* tracer, const char* text);
DTRACE_API int dtrace_add_script(dtrace_tracer* tracer, const char* path);
DTRACE_API int dtrace_add_argument(dtrace_tracer* tracer, const char* text); /* $1, $2, ... */
/* An option that the script declares by `#pragma D flag` or `#pragma D argument`. */
DTRACE_API int dtrace_add_named_argument(dtrace_tracer* tracer, const char* name, const char* text);
DTRACE_API int dtrace_add_command(dtrace_tracer* tracer, const char* command); /* -c */
DTRACE_API int dtrace_add_process(dtrace_tracer* tracer, int32_t pid);         /* -p */

/* ---- Callbacks, called with `data`; set them before dtrace_compile() ---- */

typedef void dtrace_record_fn(void* data, const dtrace_record* record);
typedef void dtrace_message_fn(void* data, const char* text);
DTRACE_API void dtrace_on_record(dtrace_tracer* tracer, dtrace_record_fn* callback, void* data);
/* Drops and faults are messages, too. */
DTRACE_API void dtrace_on_message(dtrace_tracer* tracer, dtrace_message_fn* callback, void* data);
/* Writes the output of dtrace to this descriptor. */
DTRACE_API void dtrace_write_to(dtrace_tracer* tracer, int fd);

/* ---- Tracing; a step first takes the steps before it that were not taken ---- */

DTRACE_API int dtrace_compile(dtrace_tracer* tracer);
DTRACE_API int dtrace_go(dtrace_tracer* tracer);
/* Reads records for at most so long: 1 while tracing continues, 0 when dtrace_stop() is due, -1 for
   an error. */
DTRACE_API int dtrace_poll(dtrace_tracer* tracer, int milliseconds);
DTRACE_API int dtrace_stop(dtrace_tracer* tracer);
/* The argument of exit(); 1 when tracing failed. */
DTRACE_API int dtrace_exit_status(const dtrace_tracer* tracer);
/* Makes dtrace_poll() return 0. */
DTRACE_API void dtrace_interrupt(dtrace_tracer* tracer);
/* From now on, SIGINT, SIGTERM and SIGHUP do the same. */
DTRACE_API int dtrace_end_on_signals(dtrace_tracer* tracer);

/* ---- Probes ---- */

/* Calls the callback with each probe that the description matches; returns their number. */
typedef void dtrace_probe_fn(void* data, const dtrace_probe* probe);
DTRACE_API size_t dtrace_match(dtrace_tracer* tracer, const char* description,
                               dtrace_probe_fn* callback, void* data);
DTRACE_API uint32_t dtrace_probe_id(const dtrace_probe* probe);
DTRACE_API const char* dtrace_probe_provider(const dtrace_probe* probe);
DTRACE_API const char* dtrace_probe_module(const dtrace_probe* probe);
DTRACE_API const char* dtrace_probe_function(const dtrace_probe* probe);
DTRACE_API const char* dtrace_probe_name(const dtrace_probe* probe);

/* ---- Records ---- */

DTRACE_API int64_t dtrace_record_time(const dtrace_record* record); /* ns since 1970 */
DTRACE_API uint32_t dtrace_record_cpu(const dtrace_record* record);
DTRACE_API const dtrace_probe* dtrace_record_probe(const dtrace_record* record);
DTRACE_API size_t dtrace_record_actions(const dtrace_record* record);
/* Of action i: its name ("printf"), its formatted text if it has one, and the number of its values.
 */
DTRACE_API const char* dtrace_record_action(const dtrace_record* record, size_t i);
DTRACE_API const char* dtrace_record_text(const dtrace_record* record, size_t i);
DTRACE_API size_t dtrace_record_values(const dtrace_record* record, size_t i);
/* Value j of action i; NULL when there is none. */
DTRACE_API const dtrace_value* dtrace_record_value(const dtrace_record* record, size_t i, size_t j);

/* ---- Aggregations: from dtrace_go() on, also after dtrace_stop() ---- */

/* Calls the callback with each key and its present value, in the order of printing. */
typedef void dtrace_row_fn(void* data, const dtrace_row* row);
DTRACE_API int dtrace_read(dtrace_tracer* tracer, const char* aggregation, dtrace_row_fn* callback,
                           void* data);
DTRACE_API size_t dtrace_row_keys(const dtrace_row* row);
DTRACE_API const dtrace_value* dtrace_row_key(const dtrace_row* row, size_t i);
DTRACE_API int64_t dtrace_row_value(const dtrace_row* row);
/* The number of buckets of a histogram that are not empty; bucket i counts values from low to high,
   both included. */
DTRACE_API size_t dtrace_row_buckets(const dtrace_row* row);
DTRACE_API int64_t dtrace_bucket_low(const dtrace_row* row, size_t i);
DTRACE_API int64_t dtrace_bucket_high(const dtrace_row* row, size_t i);
DTRACE_API int64_t dtrace_bucket_count(const dtrace_row* row, size_t i);

/* ---- Values ---- */

enum {
  DTRACE_INTEGER = 0,   /* dtrace_value_integer() */
  DTRACE_UNSIGNED = 1,  /* the same, converted to uint64_t */
  DTRACE_REAL = 2,      /* dtrace_value_real() */
  DTRACE_TEXT = 3,      /* dtrace_value_bytes(), as it may contain any bytes */
  DTRACE_BYTES = 4,     /* the same */
  DTRACE_STACK = 5,     /* dtrace_value_size() frames */
  DTRACE_STRUCTURE = 6, /* dtrace_value_size() members with names */
  DTRACE_ARRAY = 7      /* dtrace_value_size() elements without names */
};
DTRACE_API int dtrace_value_kind(const dtrace_value* value);
/* The text of its expression in the program, or the name of the member. */
DTRACE_API const char* dtrace_value_name(const dtrace_value* value);
DTRACE_API const char* dtrace_value_type(const dtrace_value* value);
DTRACE_API int64_t dtrace_value_integer(const dtrace_value* value);
DTRACE_API double dtrace_value_real(const dtrace_value* value);
/* The number of bytes, frames, members or elements. */
DTRACE_API size_t dtrace_value_size(const dtrace_value* value);
DTRACE_API const uint8_t* dtrace_value_bytes(const dtrace_value* value);
/* NULL when there is none. */
DTRACE_API const dtrace_frame* dtrace_value_frame(const dtrace_value* value, size_t i);
DTRACE_API const dtrace_value* dtrace_value_member(const dtrace_value* value, size_t i);
/* Writes a value of any kind as one line to `text`, which has `size` bytes: truncated and
   NUL-terminated. Returns the length of the whole line. */
DTRACE_API size_t dtrace_value_text(const dtrace_value* value, char* text, size_t size);
DTRACE_API uint64_t dtrace_frame_address(const dtrace_frame* frame);
DTRACE_API const char* dtrace_frame_module(const dtrace_frame* frame);
DTRACE_API const char* dtrace_frame_symbol(const dtrace_frame* frame);
DTRACE_API uint64_t dtrace_frame_offset(const dtrace_frame* frame);
/* With -x lines: the source file, "" when it is not known, and the line number. */
DTRACE_API const char* dtrace_frame_file(const dtrace_frame* frame);
DTRACE_API unsigned dtrace_frame_line(const dtrace_frame* frame);
/* With -x inlines: 1 when the function was inlined into the function of the next frame. */
DTRACE_API int dtrace_frame_is_inlined(const dtrace_frame* frame);

#ifdef __cplusplus
}
#endif

#endif
