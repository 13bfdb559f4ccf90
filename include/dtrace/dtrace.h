/* The library for C and for languages that call C; dtrace/tracer.h says more of
   each step.

     dtrace_tracer *tracer = dtrace_new();
     dtrace_add_program(tracer, "syscall::openat:entry { trace(copyinstr(arg1)); }");
     dtrace_on_record(tracer, print_record, NULL);
     if (dtrace_go(tracer) != 0)
       fprintf(stderr, "%s\n", dtrace_error(tracer));
     while (dtrace_poll(tracer, 1000) > 0)
       ;
     dtrace_stop(tracer);
     dtrace_free(tracer);

   Functions that return int give 0 when all is well and -1 when not; then
   dtrace_error() says why. Texts are NUL-terminated and belong to what they
   were asked of: those of a tracer are good until the next call with it, those of
   a record, row, value or frame as long as it is. Nothing is given back to free()
   but a tracer to dtrace_free(). A tracer belongs to one thread. */
#ifndef DTRACE_DTRACE_H
#define DTRACE_DTRACE_H

#include <stddef.h>
#include <stdint.h>

#include "dtrace/visibility.h"

#ifdef __cplusplus
extern "C" {
#endif

/* What this header describes. A library of another number is another one;
   within a number, functions are added and none is taken away. */
#define DTRACE_ABI_VERSION 1
DTRACE_API unsigned dtrace_abi_version(void);

typedef struct dtrace_tracer dtrace_tracer;
typedef struct dtrace_probe dtrace_probe;
typedef struct dtrace_record dtrace_record;
typedef struct dtrace_row dtrace_row;
typedef struct dtrace_value dtrace_value;
typedef struct dtrace_frame dtrace_frame;

/* NULL when there is no memory. */
DTRACE_API dtrace_tracer* dtrace_new(void);
/* Ends tracing; with NULL, does nothing. */
DTRACE_API void dtrace_free(dtrace_tracer* tracer);

/* Why the last call failed: "" when it did not. The hint, the excerpt of the
   program and the kernel's log that belong to it may be "". */
DTRACE_API const char* dtrace_error(const dtrace_tracer* tracer);
DTRACE_API const char* dtrace_error_hint(const dtrace_tracer* tracer);
DTRACE_API const char* dtrace_error_excerpt(const dtrace_tracer* tracer);
DTRACE_API const char* dtrace_error_log(const dtrace_tracer* tracer);

/* ---- What to trace; before dtrace_compile() ---- */

/* An option of -x; value may be NULL. */
DTRACE_API int dtrace_set_option(dtrace_tracer* tracer, const char* name, const char* value);
/* The language of the programs and scripts that are added from now on: "d", which is D, if this
   is not called. All programs of a tracer are in one language; to add a program in a language
   that does not exist is an error. */
DTRACE_API void dtrace_set_language(dtrace_tracer* tracer, const char* language);
DTRACE_API int dtrace_add_program(dtrace_tracer* tracer, const char* text);
DTRACE_API int dtrace_add_script(dtrace_tracer* tracer, const char* path);
DTRACE_API int dtrace_add_argument(dtrace_tracer* tracer, const char* text); /* $1, $2, ... */
/* An option that the script declares by `#pragma D flag` or `#pragma D argument`. */
DTRACE_API int dtrace_add_named_argument(dtrace_tracer* tracer, const char* name, const char* text);
DTRACE_API int dtrace_add_command(dtrace_tracer* tracer, const char* command); /* -c */
DTRACE_API int dtrace_add_process(dtrace_tracer* tracer, int32_t pid);         /* -p */

/* ---- Who is told what; before dtrace_compile() ---- */

typedef void dtrace_record_fn(void* data, const dtrace_record* record);
typedef void dtrace_message_fn(void* data, const char* text);
DTRACE_API void dtrace_on_record(dtrace_tracer* tracer, dtrace_record_fn* told, void* data);
/* Drops and faults are messages, too. */
DTRACE_API void dtrace_on_message(dtrace_tracer* tracer, dtrace_message_fn* told, void* data);
/* What dtrace would print goes to this descriptor. */
DTRACE_API void dtrace_write_to(dtrace_tracer* tracer, int fd);

/* ---- Tracing; each step does those before it that were not done ---- */

DTRACE_API int dtrace_compile(dtrace_tracer* tracer);
DTRACE_API int dtrace_go(dtrace_tracer* tracer);
/* 1 while tracing goes on, 0 once dtrace_stop() is due, -1 for an error. */
DTRACE_API int dtrace_poll(dtrace_tracer* tracer, int milliseconds);
DTRACE_API int dtrace_stop(dtrace_tracer* tracer);
/* What exit() was given; 1 when something has failed. */
DTRACE_API int dtrace_exit_status(const dtrace_tracer* tracer);
/* Tracing is to end. */
DTRACE_API void dtrace_interrupt(dtrace_tracer* tracer);
/* SIGINT, SIGTERM and SIGHUP end it from now on. */
DTRACE_API int dtrace_end_on_signals(dtrace_tracer* tracer);

/* ---- Probes ---- */

/* Tells of each probe that the description matches; how many there are. */
typedef void dtrace_probe_fn(void* data, const dtrace_probe* probe);
DTRACE_API size_t dtrace_match(dtrace_tracer* tracer, const char* description,
                               dtrace_probe_fn* told, void* data);
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
/* Of action i: "printf", its text when it is formatted, and its values. */
DTRACE_API const char* dtrace_record_action(const dtrace_record* record, size_t i);
DTRACE_API const char* dtrace_record_text(const dtrace_record* record, size_t i);
DTRACE_API size_t dtrace_record_values(const dtrace_record* record, size_t i);
/* NULL when there is none. */
DTRACE_API const dtrace_value* dtrace_record_value(const dtrace_record* record, size_t i, size_t j);

/* ---- Aggregations: once tracing goes, also after it has stopped ---- */

/* Tells of each key and its value now, in the order in which they are printed. */
typedef void dtrace_row_fn(void* data, const dtrace_row* row);
DTRACE_API int dtrace_read(dtrace_tracer* tracer, const char* aggregation, dtrace_row_fn* told,
                           void* data);
DTRACE_API size_t dtrace_row_keys(const dtrace_row* row);
DTRACE_API const dtrace_value* dtrace_row_key(const dtrace_row* row, size_t i);
DTRACE_API int64_t dtrace_row_value(const dtrace_row* row);
/* Buckets of a histogram that are not empty: values from low to high. */
DTRACE_API size_t dtrace_row_buckets(const dtrace_row* row);
DTRACE_API int64_t dtrace_bucket_low(const dtrace_row* row, size_t i);
DTRACE_API int64_t dtrace_bucket_high(const dtrace_row* row, size_t i);
DTRACE_API int64_t dtrace_bucket_count(const dtrace_row* row, size_t i);

/* ---- Values ---- */

enum {
  DTRACE_INTEGER = 0,   /* dtrace_value_integer() */
  DTRACE_UNSIGNED = 1,  /* the same, to be taken as uint64_t */
  DTRACE_REAL = 2,      /* dtrace_value_real() */
  DTRACE_TEXT = 3,      /* dtrace_value_bytes(), for it may hold any bytes */
  DTRACE_BYTES = 4,     /* the same */
  DTRACE_STACK = 5,     /* dtrace_value_size() frames */
  DTRACE_STRUCTURE = 6, /* so many members with names */
  DTRACE_ARRAY = 7      /* so many without */
};
DTRACE_API int dtrace_value_kind(const dtrace_value* value);
/* Its expression in the program, or the member's name. */
DTRACE_API const char* dtrace_value_name(const dtrace_value* value);
DTRACE_API const char* dtrace_value_type(const dtrace_value* value);
DTRACE_API int64_t dtrace_value_integer(const dtrace_value* value);
DTRACE_API double dtrace_value_real(const dtrace_value* value);
/* Bytes, frames, members or elements. */
DTRACE_API size_t dtrace_value_size(const dtrace_value* value);
DTRACE_API const uint8_t* dtrace_value_bytes(const dtrace_value* value);
/* NULL when there is none. */
DTRACE_API const dtrace_frame* dtrace_value_frame(const dtrace_value* value, size_t i);
DTRACE_API const dtrace_value* dtrace_value_member(const dtrace_value* value, size_t i);
/* The value on one line, whatever it is: into `text`, of which `size` bytes are
   there, cut and NUL-terminated; how long it is as a whole. */
DTRACE_API size_t dtrace_value_text(const dtrace_value* value, char* text, size_t size);
DTRACE_API uint64_t dtrace_frame_address(const dtrace_frame* frame);
DTRACE_API const char* dtrace_frame_module(const dtrace_frame* frame);
DTRACE_API const char* dtrace_frame_symbol(const dtrace_frame* frame);
DTRACE_API uint64_t dtrace_frame_offset(const dtrace_frame* frame);
/* With -x lines: the source file, "" when it is not known, and the line in it. */
DTRACE_API const char* dtrace_frame_file(const dtrace_frame* frame);
DTRACE_API unsigned dtrace_frame_line(const dtrace_frame* frame);
/* With -x inlines: 1 when the function was inlined into that of the next frame. */
DTRACE_API int dtrace_frame_is_inlined(const dtrace_frame* frame);

#ifdef __cplusplus
}
#endif

#endif
