# DT_UNITY: compiles the sources of the directories in a few large units instead of one by one. Most of
# the time of a compilation goes into headers and templates, which the sources of a unit share: a clean
# build takes about half as long. A change of one source compiles its whole unit again, four to six sources.
#
# A unit has at most one source of a directory of src/, sub-directories included. Each directory has
# its own namespace, so what two sources hide in anonymous namespaces cannot collide. The sources of later
# directories come first in a unit: then nothing of a directory's namespace follows its source, in which
# that source's using-directives could make a name ambiguous.

# dt_unite(<target> <libraries> <sources...>): the sources go into the units, with the target's own
# directories of headers and its libraries from elsewhere; the target then links the units.
function(dt_unite target libraries)
  list(FILTER libraries EXCLUDE REGEX "^dt_")
  set_property(GLOBAL APPEND PROPERTY DT_UNITED_TARGETS ${target})
  set_property(GLOBAL APPEND PROPERTY DT_UNITED_LIBRARIES ${libraries})
  set_property(GLOBAL APPEND PROPERTY DT_UNITED_SOURCES ${ARGN})
  target_link_libraries(${target} PUBLIC dt_united)
endfunction()

# The library dt_united, of what dt_unite() was called with; after all directories.
function(dt_add_units)
  get_property(sources GLOBAL PROPERTY DT_UNITED_SOURCES)
  get_property(targets GLOBAL PROPERTY DT_UNITED_TARGETS)
  get_property(libraries GLOBAL PROPERTY DT_UNITED_LIBRARIES)
  set(rooms)
  foreach(source ${sources})
    file(RELATIVE_PATH path ${CMAKE_CURRENT_SOURCE_DIR} ${source})
    string(REGEX REPLACE "/.*" "" room ${path})
    list(APPEND rooms ${room})
    list(APPEND sources_of_${room} ${source})
  endforeach()
  list(REMOVE_DUPLICATES rooms)
  set(count 0)
  foreach(room ${rooms})
    list(LENGTH sources_of_${room} length)
    if(length GREATER count)
      set(count ${length})
    endif()
  endforeach()
  math(EXPR last "${count} - 1")
  foreach(unit RANGE ${last})
    set(size_${unit} 0)
    set(text_${unit} "")
  endforeach()
  # Each source goes to the unit that is the smallest so far, of those without a source of its room.
  foreach(room ${rooms})
    set(free)
    foreach(unit RANGE ${last})
      list(APPEND free ${unit})
    endforeach()
    foreach(source ${sources_of_${room}})
      set(least -1)
      foreach(unit ${free})
        if(least LESS 0 OR size_${unit} LESS size_${least})
          set(least ${unit})
        endif()
      endforeach()
      list(REMOVE_ITEM free ${least})
      file(SIZE ${source} size)
      math(EXPR size_${least} "${size_${least}} + ${size}")
      string(PREPEND text_${least} "#include \"${source}\"\n")
    endforeach()
  endforeach()
  set(units)
  foreach(unit RANGE ${last})
    set(path ${CMAKE_CURRENT_BINARY_DIR}/units/unit_${unit}.cc)
    file(CONFIGURE OUTPUT ${path} CONTENT "${text_${unit}}" @ONLY)
    list(APPEND units ${path})
  endforeach()
  # libfmt.so contains this function template as g++ 12 instantiates it. clang 14 gives the instantiation another name.
  if(CMAKE_CXX_COMPILER_ID STREQUAL Clang)
    file(CONFIGURE OUTPUT ${CMAKE_CURRENT_BINARY_DIR}/units/fmt.cc CONTENT "#define FMT_HEADER_ONLY
#include <fmt/format.h>
template void fmt::detail::vformat_to<char>(fmt::detail::buffer<char>&, fmt::string_view, fmt::format_args, fmt::detail::locale_ref);
")
    list(APPEND units ${CMAKE_CURRENT_BINARY_DIR}/units/fmt.cc)
    set_source_files_properties(${CMAKE_CURRENT_BINARY_DIR}/units/fmt.cc PROPERTIES SKIP_PRECOMPILE_HEADERS ON)
  endif()
  add_library(dt_united STATIC ${units})
  list(REMOVE_DUPLICATES libraries)
  target_link_libraries(dt_united PUBLIC dt_flags fmt::fmt ${libraries})
  foreach(target ${targets})
    get_target_property(own ${target} INCLUDE_DIRECTORIES)
    if(own)
      target_include_directories(dt_united SYSTEM PRIVATE ${own})
    endif()
  endforeach()
  # Of a member whose type is hidden in the source that includes it, this says that it may collide.
  target_compile_options(dt_united PRIVATE $<$<CXX_COMPILER_ID:GNU>:-Wno-subobject-linkage>)
  dt_precompile(dt_united dt_headers)
endfunction()
