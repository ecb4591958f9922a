# carom_siconos: Debian's Siconos numerics, for cross tests and benchmarks only.
find_path(CAROM_SICONOS_INCLUDE numerics/NonSmoothDrivers.h PATH_SUFFIXES siconos REQUIRED)
find_library(CAROM_SICONOS_NUMERICS siconos_numerics REQUIRED)
add_library(carom_siconos INTERFACE)
target_include_directories(carom_siconos SYSTEM INTERFACE "${CAROM_SICONOS_INCLUDE}" "${CAROM_SICONOS_INCLUDE}/numerics")
target_link_libraries(carom_siconos INTERFACE "${CAROM_SICONOS_NUMERICS}")
