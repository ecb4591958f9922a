# carom_layer(NAME DEPENDS a b … LINK ext …): the static library carom_NAME from every .cpp of the calling folder and
# its sub-folders, and its unit tests from the *_test.cpp beside them. DEPENDS names other layers, LINK outside libraries
# seen in its headers, LINK_PRIVATE outside libraries that only its sources see.
function(carom_layer name)
  cmake_parse_arguments(arg "" "" "DEPENDS;LINK;LINK_PRIVATE" ${ARGN})
  file(GLOB_RECURSE sources CONFIGURE_DEPENDS "${CMAKE_CURRENT_SOURCE_DIR}/*.cpp")
  set(tests ${sources})
  list(FILTER tests INCLUDE REGEX "_test\\.cpp$")
  list(FILTER sources EXCLUDE REGEX "_test\\.cpp$")

  add_library(carom_${name} STATIC ${sources})
  add_library(carom::${name} ALIAS carom_${name})
  set_target_properties(carom_${name} PROPERTIES EXPORT_NAME ${name} POSITION_INDEPENDENT_CODE ON)
  target_include_directories(carom_${name} PUBLIC
    $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}/src> $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>)
  list(TRANSFORM arg_DEPENDS PREPEND carom::)
  target_link_libraries(carom_${name} PUBLIC carom_compiler ${arg_DEPENDS} ${arg_LINK}
                                      PRIVATE $<BUILD_INTERFACE:carom_warnings> ${arg_LINK_PRIVATE})
  set_property(GLOBAL APPEND PROPERTY CAROM_LAYERS carom_${name})

  if(CAROM_TESTS AND tests)
    carom_test(${name} SOURCES ${tests} LINK carom::${name})
  endif()
endfunction()
