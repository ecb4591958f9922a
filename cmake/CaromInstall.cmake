# Installs the library so that another project can say find_package(carom) and link carom::carom.
include(CMakePackageConfigHelpers)
get_property(layers GLOBAL PROPERTY CAROM_LAYERS)
install(TARGETS carom carom_compiler ${layers} EXPORT carom_targets)
install(DIRECTORY "${PROJECT_SOURCE_DIR}/src/carom" DESTINATION "${CMAKE_INSTALL_INCLUDEDIR}" FILES_MATCHING PATTERN "*.hpp")
install(EXPORT carom_targets NAMESPACE carom:: FILE carom_targets.cmake DESTINATION "${CMAKE_INSTALL_LIBDIR}/cmake/carom")
configure_package_config_file("${CMAKE_CURRENT_LIST_DIR}/caromConfig.cmake.in" "${PROJECT_BINARY_DIR}/caromConfig.cmake"
                              INSTALL_DESTINATION "${CMAKE_INSTALL_LIBDIR}/cmake/carom")
write_basic_package_version_file("${PROJECT_BINARY_DIR}/caromConfigVersion.cmake" COMPATIBILITY SameMinorVersion)
install(FILES "${PROJECT_BINARY_DIR}/caromConfig.cmake" "${PROJECT_BINARY_DIR}/caromConfigVersion.cmake"
        DESTINATION "${CMAKE_INSTALL_LIBDIR}/cmake/carom")
if(TARGET carom_program)
  install(TARGETS carom_program)
endif()
