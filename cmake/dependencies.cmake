# Everything Condyle is built on. Pinocchio's wheel decides Eigen, Boost and urdfdom, so it comes first, and nothing of
# the wheel prefix may be found anywhere else: two Eigens in one program crash in a destructor.
set(Boost_NO_WARN_NEW_VERSIONS ON)  # FindBoost of CMake 3.25 does not know 1.90
set(CMAKE_INSTALL_RPATH_USE_LINK_PATH TRUE)

find_package(pinocchio 4.1.0 EXACT REQUIRED CONFIG)
find_package(coal 3.0.3 REQUIRED CONFIG)
foreach(_dependency pinocchio coal Eigen3 urdfdom urdfdom_headers octomap)
  if(NOT "${${_dependency}_DIR}" MATCHES "cmeel\\.prefix")
    message(FATAL_ERROR "${_dependency} was found in '${${_dependency}_DIR}', not in the wheel prefix: run scripts/setup "
                        "and configure with a preset (cmake --preset release)")
  endif()
endforeach()
find_package(console_bridge REQUIRED CONFIG)
find_package(tinyxml2 REQUIRED CONFIG)

get_filename_component(CONDYLE_PREFIX "${pinocchio_DIR}/../../.." ABSOLUTE)
find_library(CONDYLE_ASSIMP_LIBRARY assimp PATHS ${CONDYLE_PREFIX}/lib NO_DEFAULT_PATH REQUIRED)
add_library(condyle_assimp INTERFACE)  # its own config file drags in zlib targets that the wheel does not ship
target_include_directories(condyle_assimp SYSTEM INTERFACE ${CONDYLE_PREFIX}/include)
target_link_libraries(condyle_assimp INTERFACE ${CONDYLE_ASSIMP_LIBRARY})

find_package(yaml-cpp REQUIRED)
find_package(fmt REQUIRED)
find_package(nlohmann_json REQUIRED)
find_package(CLI11 REQUIRED)
find_package(HDF5 REQUIRED COMPONENTS C)
add_library(condyle_hdf5 INTERFACE)
target_include_directories(condyle_hdf5 SYSTEM INTERFACE ${HDF5_C_INCLUDE_DIRS})
target_link_libraries(condyle_hdf5 INTERFACE ${HDF5_C_LIBRARIES})
find_package(ZLIB REQUIRED)  # numpy's archives

# SuiteSparse: AMD (BSD) orders bodies; CHOLMOD (LGPL, its supernodal module GPL) is one of the factorizations.
option(CONDYLE_CHOLMOD_SUPERNODAL "Use CHOLMOD's supernodal module, which is under the GPL" ON)
find_path(CONDYLE_SUITESPARSE_INCLUDE_DIR cholmod.h PATH_SUFFIXES suitesparse REQUIRED)  # Debian has no config file for it
find_library(CONDYLE_AMD_LIBRARY amd REQUIRED)
find_library(CONDYLE_CHOLMOD_LIBRARY cholmod REQUIRED)
add_library(condyle_suitesparse INTERFACE)  # its headers are for two files alone: src/CMakeLists.txt
target_link_libraries(condyle_suitesparse INTERFACE ${CONDYLE_AMD_LIBRARY} ${CONDYLE_CHOLMOD_LIBRARY})
