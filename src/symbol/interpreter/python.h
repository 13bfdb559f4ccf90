#pragma once
// Where CPython 3.11 keeps what its threads are doing, in the memory of a process that
// runs it: so that a probe can read the stacks of Python's functions (bpf/stack/python.h). The
// interpreter is in the program or in a library (libpython3.11.so.1.0).
//
// Places within its structures are those of Include/internal/pycore_*.h, which are the
// same in all releases of 3.11.

#include <cstdint>
#include <optional>

#include "symbol/elf/file.h"

namespace dt::symbol {

// Addresses relative to where the beginning of the file would be mapped, going by the
// mapping of its code.
struct PythonImage {
  std::int64_t runtime = 0;  // _PyRuntime
  // The types by which objects are known.
  std::int64_t code_type = 0, text_type = 0, bytes_type = 0;
  bool operator==(const PythonImage&) const = default;
};

// Nothing when the file is no CPython, one of another version than 3.11, or one whose
// objects are larger (built with Py_DEBUG or Py_TRACE_REFS).
std::optional<PythonImage> python_image(const ElfFile& elf);

namespace python {

// _PyRuntimeState, PyInterpreterState, PyThreadState
constexpr std::int32_t kRuntimeInterpreters = 40, kRuntimeCurrent = 576;
constexpr std::int32_t kInterpreterNext = 0, kInterpreterThreads = 16, kInterpreterBytes = 24;
constexpr std::int32_t kThreadNext = 8, kThreadCframe = 56, kThreadId = 152, kThreadBytes = 160;
// _PyCFrame: in the C frame of each call of _PyEval_EvalFrameDefault
constexpr std::int32_t kCframeCurrent = 8, kCframePrevious = 16, kCframeBytes = 24;
// _PyInterpreterFrame
constexpr std::int32_t kFrameCode = 32, kFramePrevious = 48, kFrameInstruction = 56;
constexpr std::int32_t kFrameIsEntry = 68, kFrameBytes = 72;
// PyCodeObject, PyASCIIObject, PyCompactUnicodeObject, PyBytesObject
constexpr std::int32_t kObjectType = 8;
constexpr std::int32_t kCodeFirstLine = 72, kCodeFile = 112, kCodeFunction = 128;
constexpr std::int32_t kCodeLines = 136, kCodeBytes = 144, kCodeInstructions = 184;
constexpr std::int32_t kTextLength = 16, kTextState = 32, kTextAscii = 48, kTextWide = 72;
constexpr std::int32_t kBytesLength = 16, kBytesData = 32;

}  // namespace python

}  // namespace dt::symbol
