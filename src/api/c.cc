// The interface for C over dtrace::Tracer. Handles are pointers to the values of C++. Errors are
// values in both, and nothing throws, so that no exception reaches a caller in C; running out of
// memory ends the program.

#include <algorithm>
#include <chrono>
#include <cstring>
#include <memory>
#include <new>
#include <string>
#include <utility>

#include "dtrace/dtrace.h"
#include "dtrace/tracer.h"
#include "support/result.h"

struct dtrace_tracer {
  dtrace::Tracer tracer;
  dtrace::Error error;         // of the last call
  std::string language = "d";  // of the programs to come

  // 0 or -1; what is wrong with programs is shown by their lines.
  int status(const dtrace::Status& result) {
    error = result.ok() ? dtrace::Error() : result.error();
    if (!result.ok() && error.excerpt.empty()) {
      for (const dtrace::Diagnostic& diagnostic : tracer.diagnostics()) {
        error.excerpt += diagnostic.excerpt;
      }
    }
    return result.ok() ? 0 : -1;
  }
  int add(dtrace::Program::Kind kind, const char* text) {
    dtrace::Program program = {kind, text};
    program.language = language;
    return status(tracer.add(std::move(program)));
  }
};

namespace {

template <typename To, typename Handle>
const To& at(const Handle* handle) {
  return *reinterpret_cast<const To*>(handle);
}
const dtrace::Probe& of(const dtrace_probe* probe) { return at<dtrace::Probe>(probe); }
const dtrace::Record& of(const dtrace_record* record) { return at<dtrace::Record>(record); }
const dtrace::Row& of(const dtrace_row* row) { return at<dtrace::Row>(row); }
const dtrace::Value& of(const dtrace_value* value) { return at<dtrace::Value>(value); }
const dtrace::Frame& of(const dtrace_frame* frame) { return at<dtrace::Frame>(frame); }

const dtrace_value* handle(const dtrace::Value& value) {
  return reinterpret_cast<const dtrace_value*>(&value);
}

const std::vector<dtrace::Value>* parts_of(const dtrace::Value& value) {
  if (const auto* const structure = std::get_if<dtrace::Structure>(&value.data)) {
    return &structure->members;
  }
  const auto* const array = std::get_if<dtrace::Array>(&value.data);
  return array != nullptr ? &array->elements : nullptr;
}

// The n-th of the alternatives of Value::data, as the header numbers them.
template <int kNumber, typename T>
constexpr bool kIsNumber =
    std::is_same_v<std::variant_alternative_t<kNumber, decltype(dtrace::Value::data)>, T>;
static_assert(kIsNumber<DTRACE_INTEGER, std::int64_t> && kIsNumber<DTRACE_UNSIGNED, std::uint64_t>);
static_assert(kIsNumber<DTRACE_REAL, long double> && kIsNumber<DTRACE_TEXT, std::string>);
static_assert(kIsNumber<DTRACE_BYTES, dtrace::Bytes> && kIsNumber<DTRACE_STACK, dtrace::Stack>);
static_assert(kIsNumber<DTRACE_STRUCTURE, dtrace::Structure> &&
              kIsNumber<DTRACE_ARRAY, dtrace::Array>);

// A text that was left out is empty, which the function then refuses in its own words.
const char* text_or_empty(const char* text) { return text != nullptr ? text : ""; }

}  // namespace

extern "C" {

unsigned dtrace_abi_version(void) { return DTRACE_ABI_VERSION; }

dtrace_tracer* dtrace_new(void) { return new (std::nothrow) dtrace_tracer; }
void dtrace_free(dtrace_tracer* tracer) { delete tracer; }

const char* dtrace_error(const dtrace_tracer* tracer) { return tracer->error.text.c_str(); }
const char* dtrace_error_hint(const dtrace_tracer* tracer) { return tracer->error.remedy.c_str(); }
const char* dtrace_error_excerpt(const dtrace_tracer* tracer) {
  return tracer->error.excerpt.c_str();
}
const char* dtrace_error_log(const dtrace_tracer* tracer) { return tracer->error.log.c_str(); }

int dtrace_set_option(dtrace_tracer* tracer, const char* name, const char* value) {
  return tracer->status(tracer->tracer.set_option(text_or_empty(name), text_or_empty(value)));
}
void dtrace_set_language(dtrace_tracer* tracer, const char* language) {
  tracer->language = text_or_empty(language);
}
int dtrace_add_program(dtrace_tracer* tracer, const char* text) {
  return tracer->add(dtrace::Program::Kind::kName, text_or_empty(text));
}
int dtrace_add_script(dtrace_tracer* tracer, const char* path) {
  return tracer->add(dtrace::Program::Kind::kScript, text_or_empty(path));
}
int dtrace_add_named_argument(dtrace_tracer* tracer, const char* name, const char* text) {
  return tracer->status(tracer->tracer.add_argument(text_or_empty(name), text_or_empty(text)));
}
int dtrace_add_argument(dtrace_tracer* tracer, const char* text) {
  return tracer->status(tracer->tracer.add_argument(text_or_empty(text)));
}
int dtrace_add_command(dtrace_tracer* tracer, const char* command) {
  return tracer->status(tracer->tracer.add_command(text_or_empty(command)));
}
int dtrace_add_process(dtrace_tracer* tracer, int32_t pid) {
  return tracer->status(tracer->tracer.add_process(pid));
}

void dtrace_on_record(dtrace_tracer* tracer, dtrace_record_fn* callback, void* data) {
  if (callback == nullptr) {
    return tracer->tracer.on_record({});
  }
  tracer->tracer.on_record([callback, data](const dtrace::Record& record) {
    callback(data, reinterpret_cast<const dtrace_record*>(&record));
  });
}
void dtrace_on_message(dtrace_tracer* tracer, dtrace_message_fn* callback, void* data) {
  if (callback == nullptr) {
    return tracer->tracer.on_message({});
  }
  tracer->tracer.on_message(
      [callback, data](const dtrace::Message& message) { callback(data, message.text.c_str()); });
}
void dtrace_write_to(dtrace_tracer* tracer, int fd) { tracer->tracer.write_to(fd, "<output>"); }

int dtrace_compile(dtrace_tracer* tracer) { return tracer->status(tracer->tracer.compile()); }
int dtrace_go(dtrace_tracer* tracer) { return tracer->status(tracer->tracer.go()); }
int dtrace_poll(dtrace_tracer* tracer, int milliseconds) {
  const dtrace::Result<bool> result = tracer->tracer.poll(std::chrono::milliseconds(milliseconds));
  const int status =
      tracer->status(result.ok() ? dtrace::Status() : dtrace::Status(result.error()));
  return status == 0 && *result ? 1 : status;
}
int dtrace_stop(dtrace_tracer* tracer) { return tracer->status(tracer->tracer.stop()); }
int dtrace_exit_status(const dtrace_tracer* tracer) { return tracer->tracer.exit_status(); }
void dtrace_interrupt(dtrace_tracer* tracer) { tracer->tracer.interrupt(); }
int dtrace_end_on_signals(dtrace_tracer* tracer) {
  return tracer->status(tracer->tracer.end_on_signals());
}

size_t dtrace_match(dtrace_tracer* tracer, const char* description, dtrace_probe_fn* callback,
                    void* data) {
  const std::vector<dtrace::Probe> probes = tracer->tracer.match(text_or_empty(description));
  for (const dtrace::Probe& probe : probes) {
    if (callback != nullptr) {
      callback(data, reinterpret_cast<const dtrace_probe*>(&probe));
    }
  }
  return probes.size();
}
uint32_t dtrace_probe_id(const dtrace_probe* probe) { return of(probe).id; }
const char* dtrace_probe_provider(const dtrace_probe* probe) { return of(probe).provider.c_str(); }
const char* dtrace_probe_module(const dtrace_probe* probe) { return of(probe).module.c_str(); }
const char* dtrace_probe_function(const dtrace_probe* probe) { return of(probe).function.c_str(); }
const char* dtrace_probe_name(const dtrace_probe* probe) { return of(probe).name.c_str(); }

int64_t dtrace_record_time(const dtrace_record* record) { return of(record).time_ns; }
uint32_t dtrace_record_cpu(const dtrace_record* record) { return of(record).cpu; }
const dtrace_probe* dtrace_record_probe(const dtrace_record* record) {
  return reinterpret_cast<const dtrace_probe*>(&of(record).probe);
}
size_t dtrace_record_actions(const dtrace_record* record) { return of(record).actions.size(); }
const char* dtrace_record_action(const dtrace_record* record, size_t i) {
  return i < of(record).actions.size() ? of(record).actions[i].name.c_str() : "";
}
const char* dtrace_record_text(const dtrace_record* record, size_t i) {
  return i < of(record).actions.size() ? of(record).actions[i].text.c_str() : "";
}
size_t dtrace_record_values(const dtrace_record* record, size_t i) {
  return i < of(record).actions.size() ? of(record).actions[i].values.size() : 0;
}
const dtrace_value* dtrace_record_value(const dtrace_record* record, size_t i, size_t j) {
  return j < dtrace_record_values(record, i) ? handle(of(record).actions[i].values[j]) : nullptr;
}

int dtrace_read(dtrace_tracer* tracer, const char* aggregation, dtrace_row_fn* callback,
                void* data) {
  const dtrace::Status result =
      tracer->tracer.read(text_or_empty(aggregation), [&](const dtrace::Row& row) {
        if (callback != nullptr) {
          callback(data, reinterpret_cast<const dtrace_row*>(&row));
        }
      });
  return tracer->status(result);
}
size_t dtrace_row_keys(const dtrace_row* row) { return of(row).keys.size(); }
const dtrace_value* dtrace_row_key(const dtrace_row* row, size_t i) {
  return i < of(row).keys.size() ? handle(of(row).keys[i]) : nullptr;
}
int64_t dtrace_row_value(const dtrace_row* row) { return of(row).value; }
size_t dtrace_row_buckets(const dtrace_row* row) { return of(row).buckets.size(); }
int64_t dtrace_bucket_low(const dtrace_row* row, size_t i) {
  return i < of(row).buckets.size() ? of(row).buckets[i].low : 0;
}
int64_t dtrace_bucket_high(const dtrace_row* row, size_t i) {
  return i < of(row).buckets.size() ? of(row).buckets[i].high : 0;
}
int64_t dtrace_bucket_count(const dtrace_row* row, size_t i) {
  return i < of(row).buckets.size() ? of(row).buckets[i].count : 0;
}

int dtrace_value_kind(const dtrace_value* value) {
  return static_cast<int>(of(value).data.index());
}
const char* dtrace_value_name(const dtrace_value* value) { return of(value).name.c_str(); }
const char* dtrace_value_type(const dtrace_value* value) { return of(value).type.c_str(); }
int64_t dtrace_value_integer(const dtrace_value* value) {
  if (const auto* const bits = std::get_if<std::uint64_t>(&of(value).data)) {
    return static_cast<std::int64_t>(*bits);
  }
  const auto* const number = std::get_if<std::int64_t>(&of(value).data);
  return number != nullptr ? *number : 0;
}
double dtrace_value_real(const dtrace_value* value) {
  const auto* const real = std::get_if<long double>(&of(value).data);
  return real != nullptr ? static_cast<double>(*real) : 0;
}
size_t dtrace_value_size(const dtrace_value* value) {
  if (const auto* const text = std::get_if<std::string>(&of(value).data)) {
    return text->size();
  }
  if (const auto* const bytes = std::get_if<dtrace::Bytes>(&of(value).data)) {
    return bytes->size();
  }
  if (const auto* const stack = std::get_if<dtrace::Stack>(&of(value).data)) {
    return stack->frames.size();
  }
  const std::vector<dtrace::Value>* const parts = parts_of(of(value));
  return parts != nullptr ? parts->size() : 0;
}
const uint8_t* dtrace_value_bytes(const dtrace_value* value) {
  if (const auto* const text = std::get_if<std::string>(&of(value).data)) {
    return reinterpret_cast<const uint8_t*>(text->c_str());
  }
  const auto* const bytes = std::get_if<dtrace::Bytes>(&of(value).data);
  return bytes != nullptr ? bytes->data() : nullptr;
}
const dtrace_frame* dtrace_value_frame(const dtrace_value* value, size_t i) {
  const auto* const stack = std::get_if<dtrace::Stack>(&of(value).data);
  return stack != nullptr && i < stack->frames.size()
             ? reinterpret_cast<const dtrace_frame*>(&stack->frames[i])
             : nullptr;
}
const dtrace_value* dtrace_value_member(const dtrace_value* value, size_t i) {
  const std::vector<dtrace::Value>* const parts = parts_of(of(value));
  return parts != nullptr && i < parts->size() ? handle((*parts)[i]) : nullptr;
}
size_t dtrace_value_text(const dtrace_value* value, char* text, size_t size) {
  const std::string whole = dtrace::to_text(of(value));
  if (size > 0) {
    const std::size_t length = std::min(whole.size(), size - 1);
    std::memcpy(text, whole.data(), length);
    text[length] = '\0';
  }
  return whole.size();
}
uint64_t dtrace_frame_address(const dtrace_frame* frame) { return of(frame).address; }
const char* dtrace_frame_module(const dtrace_frame* frame) { return of(frame).module.c_str(); }
const char* dtrace_frame_symbol(const dtrace_frame* frame) { return of(frame).symbol.c_str(); }
uint64_t dtrace_frame_offset(const dtrace_frame* frame) { return of(frame).offset; }
const char* dtrace_frame_file(const dtrace_frame* frame) { return of(frame).file.c_str(); }
unsigned dtrace_frame_line(const dtrace_frame* frame) { return of(frame).line; }
int dtrace_frame_is_inlined(const dtrace_frame* frame) { return of(frame).is_inlined ? 1 : 0; }

}  // extern "C"
