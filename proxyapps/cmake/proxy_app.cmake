# What every app and every model shares.
#
# A model is a file cmake/models/<model>.cmake. Its first line is "# <Title>: <what it is>"; it defines
#   model_choose_compiler()  runs before project(): may set CMAKE_CXX_COMPILER if nobody else did
#   model_setup()            runs after project(): finds what the model needs, stops with one clear
#                            line if this cannot work, and sets for the model's sources
#     MODEL_LANGUAGE     CXX (default) or CUDA
#     MODEL_FLAGS        compile options, those of cmake/math.cmake and of the CPU included
#     MODEL_FAST_FLAGS   compile options behind them for fast math
#     MODEL_DEFINITIONS  preprocessor definitions
#     MODEL_LIBRARIES    targets and libraries, whose include folders count too
#     MODEL_LINK_FLAGS   options for linking
#     MODEL_COMPILER, MODEL_COMPILER_VERSION   for the record, where they are not those of CXX
#
# An app is a folder with an app.yaml, a problems.json, a main.cpp, and one source per model: the file
# whose stem, split at "_", holds the model's name (cuda_hip.cu is for cuda and for hip). If one of its
# problems has the parameter "math": "fast", that source is compiled a second time, with fast math and
# PROXY_MATH=fast, and the program has both.
include(math)

# PROXY_TARGET nvidia/sm_80 -> PROXY_VENDOR nvidia, PROXY_ARCHITECTURE sm_80
macro(proxy_read_target)
  if(NOT PROXY_TARGET MATCHES "^(cpu|nvidia/sm_[0-9]+[af]?|amd/gfx[0-9a-f]+|intel/[a-z0-9_-]+)$")
    message(FATAL_ERROR "PROXY_TARGET=${PROXY_TARGET}: expected cpu, nvidia/sm_80, amd/gfx90a or the like")
  endif()
  string(REGEX MATCH "^([a-z]+)/?(.*)$" matched ${PROXY_TARGET})
  set(PROXY_VENDOR ${CMAKE_MATCH_1})
  set(PROXY_ARCHITECTURE ${CMAKE_MATCH_2})
endmacro()

macro(proxy_include_model)
  set(model_file ${CMAKE_CURRENT_SOURCE_DIR}/cmake/models/${PROXY_MODEL}.cmake)
  if(NOT EXISTS ${model_file})
    file(GLOB models RELATIVE ${CMAKE_CURRENT_SOURCE_DIR}/cmake/models cmake/models/*.cmake)
    string(REPLACE ".cmake" "" models "${models}")
    string(REPLACE ";" ", " models "${models}")
    message(FATAL_ERROR "PROXY_MODEL=${PROXY_MODEL}: unknown model; there are: ${models}")
  endif()
  include(${model_file})
endmacro()

# Takes a compiler unless the user (or an earlier run) named one. Only before project().
macro(proxy_suggest_compiler compiler)
  if(NOT CMAKE_CXX_COMPILER AND NOT DEFINED ENV{CXX})
    set(CMAKE_CXX_COMPILER ${compiler} CACHE FILEPATH "C++ compiler, suggested by the model ${PROXY_MODEL}")
  endif()
endmacro()

# A folder named by a variable, by the environment variable of that name, or not at all (empty).
function(proxy_root name out)
  if(DEFINED ${name})
    set(${out} "${${name}}" PARENT_SCOPE)
  else()
    set(${out} "$ENV{${name}}" PARENT_SCOPE)
  endif()
endfunction()

# Finds a package below <name>_ROOT if that is set, and only there: one found elsewhere would be measured
# in its place.
macro(proxy_find_package name)
  proxy_root(${name}_ROOT package_root)
  if(package_root)
    find_package(${name} QUIET PATHS ${package_root} NO_DEFAULT_PATH)
  else()
    find_package(${name} QUIET)
  endif()
endmacro()

# Stops with a reason and a way out.
function(proxy_cannot why)
  message(FATAL_ERROR "${PROXY_MODEL} for ${PROXY_TARGET}: ${why}")
endfunction()

# HOST_FLAGS: for everything that the C++ compiler compiles.
macro(proxy_host_flags)
  proxy_math_flags(contract ${CMAKE_CXX_COMPILER_ID} HOST_FLAGS)
  if(PROXY_VENDOR STREQUAL "cpu" AND PROXY_CPU_ARCH)
    if(CMAKE_CXX_COMPILER_ID STREQUAL "NVHPC")
      list(APPEND HOST_FLAGS -tp=${PROXY_CPU_ARCH})
    else()
      list(APPEND HOST_FLAGS -march=${PROXY_CPU_ARCH})
    endif()
  endif()
  set(MODEL_LANGUAGE CXX)
  set(MODEL_FLAGS ${HOST_FLAGS})
  proxy_math_flags(fast ${CMAKE_CXX_COMPILER_ID} MODEL_FAST_FLAGS)
  set(names GNU gcc Clang clang AppleClang clang IntelLLVM icpx NVHPC nvc++)
  list(FIND names "${CMAKE_CXX_COMPILER_ID}" at)
  math(EXPR at "${at} + 1")
  list(GET names ${at} MODEL_COMPILER)
  set(MODEL_COMPILER_VERSION ${CMAKE_CXX_COMPILER_VERSION})
endmacro()

# The source in a folder that is for this model; empty if there is none.
function(proxy_model_source folder out)
  file(GLOB candidates CONFIGURE_DEPENDS ${folder}/*.cpp ${folder}/*.cu)
  set(${out} "" PARENT_SCOPE)
  foreach(candidate IN LISTS candidates)
    get_filename_component(stem ${candidate} NAME_WE)
    string(REPLACE "_" ";" words ${stem})
    if(PROXY_MODEL IN_LIST words)
      set(${out} ${candidate} PARENT_SCOPE)
    endif()
  endforeach()
endfunction()

# An object library of the model's sources.
function(proxy_add_model_objects name)
  add_library(${name} OBJECT ${ARGN})
  foreach(source IN LISTS ARGN)
    # only where the name says otherwise: acpp does not bear the -x that comes with the property
    get_filename_component(extension ${source} LAST_EXT)
    if(extension STREQUAL ".cu" OR NOT MODEL_LANGUAGE STREQUAL "CXX")
      set_source_files_properties(${source} PROPERTIES LANGUAGE ${MODEL_LANGUAGE})
    endif()
  endforeach()
  target_include_directories(${name} PRIVATE ${CMAKE_CURRENT_SOURCE_DIR} ${CMAKE_BINARY_DIR}/generated)
  target_compile_options(${name} PRIVATE ${MODEL_FLAGS})
  target_compile_definitions(${name} PRIVATE ${MODEL_DEFINITIONS})
  target_link_libraries(${name} PRIVATE ${MODEL_LIBRARIES})
  if(PROXY_FAULT)
    target_compile_definitions(${name} PRIVATE PROXY_FAULT="${PROXY_FAULT}")
  endif()
endfunction()

# An object library of sources that are the same for every model.
function(proxy_add_host_objects name)
  add_library(${name} OBJECT ${ARGN})
  target_include_directories(${name} PRIVATE ${CMAKE_CURRENT_SOURCE_DIR} ${CMAKE_BINARY_DIR}/generated)
  target_compile_options(${name} PRIVATE ${HOST_FLAGS})
endfunction()

# common/, and the record of what this tree builds.
function(proxy_add_common)
  string(TOUPPER ${CMAKE_BUILD_TYPE} type)
  set(flags ${CMAKE_${MODEL_LANGUAGE}_FLAGS} ${CMAKE_${MODEL_LANGUAGE}_FLAGS_${type}} ${MODEL_FLAGS}
      ${MODEL_RECORDED_FLAGS})
  foreach(definition IN LISTS MODEL_DEFINITIONS)
    list(APPEND flags -D${definition})
  endforeach()
  if(PROXY_FAULT)
    list(APPEND flags -DPROXY_FAULT=${PROXY_FAULT})
  endif()
  string(REPLACE "SHELL:" "" flags "${flags}")
  string(REPLACE ";" " " flags "${flags}")
  string(REGEX REPLACE "  +" " " flags "${flags}")
  string(REGEX REPLACE "[\"\\\\]" "'" PROXY_FLAGS_TEXT "${flags}")
  string(STRIP "${PROXY_FLAGS_TEXT}" PROXY_FLAGS_TEXT)
  string(REPLACE ";" " " PROXY_FAST_FLAGS_TEXT "${MODEL_FAST_FLAGS}")
  configure_file(common/build_info.hpp.in generated/build_info.hpp @ONLY)

  file(GLOB sources CONFIGURE_DEPENDS common/*.cpp)
  proxy_add_host_objects(proxy_common ${sources} common/devices/host.cpp common/devices/gpu_driver.cpp)
  proxy_model_source(${CMAKE_CURRENT_SOURCE_DIR}/common/devices source)
  if(NOT source)
    proxy_cannot("common/devices has no source for this model")
  endif()
  proxy_add_model_objects(proxy_device ${source})
endfunction()

# Folders of the apps that PROXY_APPS asks for.
function(proxy_list_apps out)
  set(folders "")
  if(PROXY_APPS)
    foreach(app IN LISTS PROXY_APPS)
      get_filename_component(folder ${app} ABSOLUTE BASE_DIR ${CMAKE_CURRENT_SOURCE_DIR})
      if(NOT EXISTS ${folder}/app.yaml)
        message(FATAL_ERROR "PROXY_APPS: ${app}: no such app (${folder}/app.yaml is missing)")
      endif()
      list(APPEND folders ${folder})
    endforeach()
  else()
    file(GLOB files CONFIGURE_DEPENDS ${CMAKE_CURRENT_SOURCE_DIR}/*/app.yaml)
    foreach(file IN LISTS files)
      get_filename_component(folder ${file} DIRECTORY)
      list(APPEND folders ${folder})
    endforeach()
  endif()
  set(${out} ${folders} PARENT_SCOPE)
endfunction()

# The value of a line "key: value" of a YAML file's top level, without quotes.
function(proxy_yaml_value file key out)
  file(STRINGS ${file} lines REGEX "^${key}: ")
  if(NOT lines)
    message(FATAL_ERROR "${file}: no line \"${key}: ...\" at its top level")
  endif()
  list(GET lines 0 line)
  string(REGEX REPLACE "^${key}: *\"?([^\"]*)\"? *$" "\\1" value "${line}")
  set(${out} "${value}" PARENT_SCOPE)
endfunction()

function(proxy_cpp_string text out)
  string(REGEX REPLACE "([\"\\\\])" "\\\\\\1" text "${text}")
  set(${out} "\"${text}\"" PARENT_SCOPE)
endfunction()

# problems.json and app.yaml as a C++ source that defines proxy::app_info().
function(proxy_write_app_info folder name file)
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${folder}/problems.json ${folder}/app.yaml)
  proxy_yaml_value(${folder}/app.yaml version version)
  proxy_yaml_value(${folder}/app.yaml summary summary)
  proxy_cpp_string("${summary}" summary)
  file(READ ${folder}/problems.json json)
  string(JSON count LENGTH "${json}" problems)
  set(entries "")
  math(EXPR last "${count} - 1")
  foreach(i RANGE ${last})
    string(JSON problem MEMBER "${json}" problems ${i})
    string(JSON description GET "${json}" problems ${problem} description)
    proxy_cpp_string("${description}" description)
    string(APPEND entries "    {\"${problem}\", ${description}, {\n")
    string(JSON parameters LENGTH "${json}" problems ${problem} parameters)
    math(EXPR last_parameter "${parameters} - 1")
    foreach(j RANGE ${last_parameter})
      string(JSON parameter MEMBER "${json}" problems ${problem} parameters ${j})
      string(JSON value GET "${json}" problems ${problem} parameters ${parameter})
      proxy_cpp_string("${value}" value)
      string(APPEND entries "        {\"${parameter}\", ${value}},\n")
    endforeach()
    string(APPEND entries "    }},\n")
  endforeach()
  file(CONFIGURE OUTPUT ${file} @ONLY CONTENT
"// Generated by CMake from app.yaml and problems.json.
#include \"common/options.hpp\"

const proxy::AppInfo& proxy::app_info() {
  static const AppInfo info = {\"@name@\", \"@version@\", @summary@, {
@entries@  }};
  return info;
}
")
endfunction()

# Everything an app needs, from its folder alone.
function(add_proxy_app folder)
  get_filename_component(app ${folder} NAME)
  proxy_model_source(${folder} source)
  if(NOT source)
    message(STATUS "${app}: no source for ${PROXY_MODEL}, skipped")
    return()
  endif()
  if(PROXY_FAULT)
    file(STRINGS ${source} lines REGEX "fault::${PROXY_FAULT}[^a-z_]")
    if(NOT lines)
      message(FATAL_ERROR "PROXY_FAULT=${PROXY_FAULT}: ${source} has no such fault; "
                          "those that it has are the names behind fault:: in it")
    endif()
  endif()

  set(info ${CMAKE_BINARY_DIR}/generated/${app}_info.cpp)
  proxy_write_app_info(${folder} ${app} ${info})
  proxy_add_model_objects(${app}_model ${source})
  set(objects $<TARGET_OBJECTS:${app}_model>)
  file(STRINGS ${folder}/problems.json fast REGEX "\"math\": *\"fast\"")
  if(fast)
    proxy_add_model_objects(${app}_model_fast ${source})
    target_compile_options(${app}_model_fast PRIVATE ${MODEL_FAST_FLAGS})
    target_compile_definitions(${app}_model_fast PRIVATE PROXY_MATH=fast)
    list(APPEND objects $<TARGET_OBJECTS:${app}_model_fast>)
  endif()
  proxy_add_host_objects(${app}_main ${folder}/main.cpp ${info})
  if(PROXY_OBJECTS_ONLY)
    return()
  endif()

  set(program ${app}-${PROXY_MODEL})
  add_executable(${program} $<TARGET_OBJECTS:${app}_main> ${objects}
                            $<TARGET_OBJECTS:proxy_device> $<TARGET_OBJECTS:proxy_common>)
  set_target_properties(${program} PROPERTIES LINKER_LANGUAGE ${MODEL_LANGUAGE})
  target_link_options(${program} PRIVATE ${MODEL_LINK_FLAGS})
  target_link_libraries(${program} PRIVATE ${MODEL_LIBRARIES} ${CMAKE_DL_LIBS})
endfunction()
