# Our own code compiles without a warning; third-party headers are SYSTEM everywhere.
add_library(condyle_warnings INTERFACE)
target_compile_options(condyle_warnings INTERFACE -Wall -Wextra -Wpedantic -Wshadow -Wnon-virtual-dtor -Wcast-align
                                                  -Woverloaded-virtual)
if(CONDYLE_WERROR)
  target_compile_options(condyle_warnings INTERFACE -Werror)
endif()
