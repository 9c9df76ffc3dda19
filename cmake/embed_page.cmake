# Turns an HTML file into a C++ file with a function that returns its text: cmake -DIN= -DOUT= -DNAME= -P embed_page.cmake
# Raw strings of 12 000 bytes: a byte array would take ten times as long to compile.
file(READ "${IN}" _text)
string(FIND "${_text}" ")condyle\"" _clash)
if(NOT _clash EQUAL -1)
  message(FATAL_ERROR "${IN} contains the end of a raw string")
endif()
string(LENGTH "${_text}" _length)
set(_pieces "")
set(_at 0)
while(_at LESS _length)
  string(SUBSTRING "${_text}" ${_at} 12000 _piece)
  string(APPEND _pieces "    R\"condyle(${_piece})condyle\",\n")
  math(EXPR _at "${_at} + 12000")
endwhile()
file(WRITE "${OUT}" "// Made from ${NAME} by cmake/embed_page.cmake.
#include \"record/replay_template.hpp\"

#include <string_view>

namespace condyle::record {

std::string ${NAME}_template() {
  static constexpr std::string_view pieces[] = {
${_pieces}  };
  std::string out;
  for (const std::string_view piece : pieces) out += piece;
  return out;
}

}  // namespace condyle::record
")
