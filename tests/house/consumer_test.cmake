# Installs Condyle into a fresh folder, builds the consumer against it with find_package, and runs it from elsewhere.
function(must)
  execute_process(COMMAND ${ARGN} RESULT_VARIABLE code)
  if(NOT code EQUAL 0)
    message(FATAL_ERROR "failed (${code}): ${ARGN}")
  endif()
endfunction()

file(REMOVE_RECURSE ${WORK})
must(${CMAKE_COMMAND} --install ${BUILD} --prefix ${WORK}/prefix)
must(${CMAKE_COMMAND} -S ${SOURCE} -B ${WORK}/build -G Ninja "-DCMAKE_PREFIX_PATH=${WORK}/prefix" "-DEigen3_ROOT=${PREFIX}" -DCMAKE_BUILD_TYPE=Release
     "-DCMAKE_CXX_FLAGS=${FLAGS}")
must(${CMAKE_COMMAND} --build ${WORK}/build)
must(${CMAKE_COMMAND} -E chdir / ${WORK}/build/consumer)
must(${CMAKE_COMMAND} -E chdir / ${WORK}/prefix/bin/condyle check)
must(${CMAKE_COMMAND} -E chdir / ${WORK}/prefix/bin/condyle run pendulum --quiet)
