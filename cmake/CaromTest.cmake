include(GoogleTest)

# carom_test(NAME SOURCES … LINK …): one GoogleTest program test_NAME, every case of it a CTest test.
function(carom_test name)
  cmake_parse_arguments(arg "" "" "SOURCES;LINK" ${ARGN})
  add_executable(test_${name} ${arg_SOURCES})
  target_include_directories(test_${name} PRIVATE "${PROJECT_SOURCE_DIR}/tests")
  target_compile_definitions(test_${name} PRIVATE CAROM_SOURCE_DIR="${PROJECT_SOURCE_DIR}")
  target_link_libraries(test_${name} PRIVATE ${arg_LINK} carom_warnings GTest::gtest_main rapidcheck)
  set_property(TARGET test_${name} PROPERTY CXX_CLANG_TIDY "")
  gtest_discover_tests(test_${name} TEST_PREFIX "${name}/" DISCOVERY_MODE PRE_TEST PROPERTIES TIMEOUT 900)
endfunction()
