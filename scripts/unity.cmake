# DT_UNITY: compiles the sources of the directories in a few large units instead of one by one. Most of
# the time of a compilation goes into headers and templates, which the sources of a unit share: a clean
# build takes about half as long. A change of one source compiles its whole unit again, about ten sources.
#
# The tests are compiled so, too, and become one program.
#
# A unit has sources of one directory of src/, sub-directories included, as these need the same headers. Each
# directory has its own namespace, and all that its sources hide in anonymous namespaces has different names
# (scripts/check-hidden). Where that is not so, in the directories of DT_SPARSE and in tests, a unit has at most one
# source of each directory. The sources of later directories come first in a unit: then nothing of a directory's
# namespace follows its source, in which that source's using-directives could make a name ambiguous.
#
# A unit names its sources from src/ on. So units are the same in all directories that the project is checked out
# to, __FILE__ in them too, and ccache has them for all once they were compiled in one.
set(DT_SPARSE provider)

# dt_unite(<target> <libraries> <sources...>): the sources go into the units, with the target's own
# directories of headers and its libraries from elsewhere; the target then links the units.
function(dt_unite target libraries)
  list(FILTER libraries EXCLUDE REGEX "^dt_")
  set_property(GLOBAL APPEND PROPERTY DT_UNITED_TARGETS ${target})
  set_property(GLOBAL APPEND PROPERTY DT_UNITED_LIBRARIES ${libraries})
  foreach(source ${ARGN})
    file(RELATIVE_PATH path ${CMAKE_SOURCE_DIR}/src ${source})
    string(REGEX REPLACE "/.*" "" room ${path})
    set_property(GLOBAL APPEND PROPERTY DT_UNITED_ROOMS ${room})
    set_property(GLOBAL APPEND PROPERTY DT_UNITED_ROOMS_${room} ${source})
  endforeach()
  target_link_libraries(${target} PUBLIC dt_united)
endfunction()

# dt_units(<result> <prefix> <property> <sparse...>): writes units/<prefix>_N.cc, which together include the
# sources of the rooms that the global property <property> lists, <property>_<room>; <result> is their paths.
# Of the sparse rooms, or of all if that is ALL, a unit has at most one source.
function(dt_units result prefix property)
  set(most_of_room 12)
  get_property(rooms GLOBAL PROPERTY ${property})
  list(REMOVE_DUPLICATES rooms)
  set(count 0)
  set(most_sparse 0)
  foreach(room ${rooms})
    get_property(sources_of_${room} GLOBAL PROPERTY ${property}_${room})
    list(LENGTH sources_of_${room} length)
    if(room IN_LIST ARGN OR "ALL" IN_LIST ARGN)
      set(units_of_${room} ALL)
      if(length GREATER most_sparse)
        set(most_sparse ${length})
      endif()
    else()
      # Two places of a full unit are left free, so that a source that comes changes one unit only.
      math(EXPR own "(${length} + ${most_of_room} - 3) / (${most_of_room} - 2)")
      set(first_of_${room} ${count})
      set(units_of_${room} ${own})
      math(EXPR count "${count} + ${own}")
    endif()
  endforeach()
  if(most_sparse GREATER count)
    set(count ${most_sparse})
  endif()
  math(EXPR last "${count} - 1")
  foreach(unit RANGE ${last})
    set(text_${unit} "")
  endforeach()
  # The name of a source chooses its unit, or the next one with room for it. So a unit does not change when other
  # sources grow or come: they are compiled alone, and ccache has the others.
  foreach(room ${rooms})
    set(first 0)
    set(own ${count})
    set(most 1)
    if(NOT units_of_${room} STREQUAL "ALL")
      set(first ${first_of_${room}})
      set(own ${units_of_${room}})
      set(most ${most_of_room})
    endif()
    foreach(unit RANGE ${last})
      set(left_${unit} ${most})
    endforeach()
    foreach(source ${sources_of_${room}})
      file(RELATIVE_PATH path ${CMAKE_SOURCE_DIR}/src ${source})
      string(MD5 digest ${path})
      string(SUBSTRING ${digest} 0 7 digits)
      math(EXPR at "0x${digits} % ${own}")
      math(EXPR unit "${first} + ${at}")
      while(left_${unit} EQUAL 0)
        math(EXPR at "(${at} + 1) % ${own}")
        math(EXPR unit "${first} + ${at}")
      endwhile()
      math(EXPR left_${unit} "${left_${unit}} - 1")
      string(PREPEND text_${unit} "#include \"${path}\"\n")
    endforeach()
  endforeach()
  set(units)
  foreach(unit RANGE ${last})
    set(path ${CMAKE_CURRENT_BINARY_DIR}/units/${prefix}_${unit}.cc)
    file(CONFIGURE OUTPUT ${path} CONTENT "${text_${unit}}" @ONLY)
    list(APPEND units ${path})
  endforeach()
  set(${result} ${units} PARENT_SCOPE)
endfunction()

# dt_unite_tests(<room> <sources...>): the sources go into the units of the program dt_test, which
# links dt_<room>_tests. ctest lists the tests as <room>/<suite>.<test>.
function(dt_unite_tests room)
  set_property(GLOBAL APPEND PROPERTY DT_UNITED_TESTS ${room})
  set_property(GLOBAL APPEND PROPERTY DT_UNITED_TESTS_${room} ${ARGN})
endfunction()

# The program dt_test, of what dt_unite_tests() was called with; after all directories.
function(dt_add_test_units)
  get_property(rooms GLOBAL PROPERTY DT_UNITED_TESTS)
  if(NOT rooms)
    return()
  endif()
  dt_units(units test DT_UNITED_TESTS ALL)
  add_executable(dt_test ${units})
  target_link_libraries(dt_test PRIVATE dt_test_flags GTest::gtest_main)
  target_compile_options(dt_test PRIVATE $<$<CXX_COMPILER_ID:GNU>:-Wno-subobject-linkage>)
  dt_precompile(dt_test dt_test_headers)
  foreach(room ${rooms})
    target_link_libraries(dt_test PRIVATE dt_${room}_tests)
    # The program does not know which of its tests are whose.
    get_property(sources GLOBAL PROPERTY DT_UNITED_TESTS_${room})
    set(suites)
    foreach(source ${sources})
      file(STRINGS ${source} lines REGEX "^TEST(_F|_P)?\\(")
      foreach(line ${lines})
        string(REGEX REPLACE "^TEST[_FP]*\\(([A-Za-z0-9_]+),.*" "\\1" suite ${line})
        list(APPEND suites ${suite})
      endforeach()
    endforeach()
    list(REMOVE_DUPLICATES suites)
    set(filter)
    foreach(suite ${suites})
      if(DEFINED owner_${suite})
        message(FATAL_ERROR "The suite ${suite} is in tests of ${owner_${suite}} and of ${room}: one program cannot have both")
      endif()
      set(owner_${suite} ${room})
      list(APPEND filter "${suite}.*" "*/${suite}.*")
    endforeach()
    list(JOIN filter ":" filter)
    gtest_discover_tests(dt_test TEST_PREFIX "${room}/" TEST_FILTER "${filter}" DISCOVERY_TIMEOUT 60)
  endforeach()
endfunction()

# The library dt_united, of what dt_unite() was called with; after all directories.
function(dt_add_units)
  get_property(targets GLOBAL PROPERTY DT_UNITED_TARGETS)
  get_property(libraries GLOBAL PROPERTY DT_UNITED_LIBRARIES)
  dt_units(units unit DT_UNITED_ROOMS ${DT_SPARSE})
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
