# How every carom target is compiled: C++20, strict warnings, reproducible floating point.
option(CAROM_SANITIZE "Address and undefined-behaviour sanitizers" OFF)
option(CAROM_TIDY "Run clang-tidy with the build" OFF)

set(CMAKE_CXX_STANDARD 20)
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_CXX_EXTENSIONS OFF)
set(CMAKE_EXPORT_COMPILE_COMMANDS ON)

find_program(CAROM_CCACHE ccache)
if(CAROM_CCACHE)
  # Paths relative to the source tree, so that clones and work trees share what one of them has built.
  set(CMAKE_CXX_COMPILER_LAUNCHER env "CCACHE_BASEDIR=${PROJECT_SOURCE_DIR}" CCACHE_NOHASHDIR=1 "${CAROM_CCACHE}")
endif()

add_library(carom_compiler INTERFACE)
target_compile_features(carom_compiler INTERFACE cxx_std_20)
# No fused multiply-add behind our back: the same source gives the same bits at every optimisation level.
target_compile_options(carom_compiler INTERFACE -ffp-contract=off)

add_library(carom_warnings INTERFACE)
target_compile_options(carom_warnings INTERFACE
  -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wno-sign-conversion -Wold-style-cast -Wnon-virtual-dtor -Werror)

if(CAROM_SANITIZE)
  target_compile_options(carom_compiler INTERFACE -fsanitize=address,undefined -fno-sanitize-recover=all -fno-omit-frame-pointer)
  target_link_options(carom_compiler INTERFACE -fsanitize=address,undefined)
endif()

if(CAROM_TIDY)
  find_program(CAROM_CLANG_TIDY clang-tidy REQUIRED)
  set(CMAKE_CXX_CLANG_TIDY "${CAROM_CLANG_TIDY};--quiet;--warnings-as-errors=*")
endif()
