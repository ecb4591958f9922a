# carom_siconos: Debian's Siconos numerics, for cross tests and benchmarks only. Empty when it is not installed.
find_path(CAROM_SICONOS_INCLUDE numerics/NonSmoothDrivers.h PATH_SUFFIXES siconos)
find_library(CAROM_SICONOS_NUMERICS siconos_numerics)
add_library(carom_siconos INTERFACE)
if(CAROM_SICONOS_INCLUDE AND CAROM_SICONOS_NUMERICS)
  target_include_directories(carom_siconos SYSTEM INTERFACE "${CAROM_SICONOS_INCLUDE}" "${CAROM_SICONOS_INCLUDE}/numerics")
  target_link_libraries(carom_siconos INTERFACE "${CAROM_SICONOS_NUMERICS}")
  target_compile_definitions(carom_siconos INTERFACE CAROM_WITH_SICONOS)
endif()
