# carom_bullet: Debian's Bullet in double precision, the peer of the geometry tests. The library itself does not need it.
find_path(CAROM_BULLET_INCLUDE LinearMath/btVector3.h PATH_SUFFIXES bullet REQUIRED)
find_library(CAROM_BULLET_COLLISION BulletCollision-float64 REQUIRED)
find_library(CAROM_BULLET_MATH LinearMath-float64 REQUIRED)
add_library(carom_bullet INTERFACE)
target_include_directories(carom_bullet SYSTEM INTERFACE "${CAROM_BULLET_INCLUDE}")
target_compile_definitions(carom_bullet INTERFACE BT_USE_DOUBLE_PRECISION)
target_link_libraries(carom_bullet INTERFACE "${CAROM_BULLET_COLLISION}" "${CAROM_BULLET_MATH}")
