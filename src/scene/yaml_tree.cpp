#include "scene/yaml_tree.hpp"

#include <condyle/error.hpp>

#include <fmt/format.h>
#include <yaml-cpp/eventhandler.h>
#include <yaml-cpp/exceptions.h>
#include <yaml-cpp/mark.h>
#include <yaml-cpp/parser.h>

#include <algorithm>
#include <map>
#include <sstream>
#include <unordered_set>

namespace condyle {
namespace {

constexpr std::size_t most_text = std::size_t{3} << 20;      // bytes: about a second of reading
constexpr std::size_t most_memory = std::size_t{128} << 20;  // bytes: what aliases may unfold to
constexpr std::size_t most_depth = 40;

/// Builds the tree from yaml-cpp's events. A map is filled as a flat list key, value, key, value.
class TreeMaker : public YAML::EventHandler {
 public:
  explicit TreeMaker(const std::string& file) : file_(file) {}

  YamlNode take() { return std::move(root_); }

  void OnDocumentStart(const YAML::Mark& mark) override {
    if (++documents_ > 1) fail(mark, "yaml-malformed", "a second document begins here", "keep one scene in a file");
  }
  void OnDocumentEnd() override {}

  void OnNull(const YAML::Mark& mark, YAML::anchor_t anchor) override { add(node(YamlNode::Kind::null, mark), anchor); }

  void OnAlias(const YAML::Mark& mark, YAML::anchor_t anchor) override {
    const auto found = anchors_.find(anchor);
    if (found == anchors_.end())
      fail(mark, "yaml-malformed", "an alias stands inside the value it names", "write the value out");
    spend(memory_of(found->second), mark.line + 1);
    add(YamlNode(found->second), 0);
  }

  void OnScalar(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor, const std::string& value) override {
    YamlNode out = node(YamlNode::Kind::scalar, mark);
    out.text = value;
    out.quoted = tag != "?";
    spend(value.size(), out.line);
    add(std::move(out), anchor);
  }

  void OnSequenceStart(const YAML::Mark& mark, const std::string&, YAML::anchor_t anchor,
                       YAML::EmitterStyle::value) override {
    open(node(YamlNode::Kind::sequence, mark), anchor, mark);
  }
  void OnSequenceEnd() override { close(); }

  void OnMapStart(const YAML::Mark& mark, const std::string&, YAML::anchor_t anchor, YAML::EmitterStyle::value) override {
    open(node(YamlNode::Kind::map, mark), anchor, mark);
  }
  void OnMapEnd() override { close(); }

 private:
  struct Open {
    YamlNode node;
    YAML::anchor_t anchor = 0;
    bool key_waits = false;  ///< of a map: the last key has no value yet
    std::unordered_set<std::string> seen;
  };

  [[noreturn]] void fail(const YAML::Mark& mark, const char* code, const std::string& reason,
                         const std::string& cure) const {
    throw Error(code, Place{file_, mark.line + 1, ""}, reason, cure);
  }

  YamlNode node(YamlNode::Kind kind, const YAML::Mark& mark) {
    YamlNode out;
    out.kind = kind;
    out.line = mark.line + 1;
    spend(sizeof(YamlNode), out.line);
    return out;
  }

  void spend(std::size_t bytes, int line) {
    memory_ += bytes;
    if (memory_ > most_memory)
      throw Error("yaml-too-large", Place{file_, line, ""}, "the file unfolds to more values than a scene may have",
                  "split it, or remove aliases of aliases");
  }

  static std::size_t memory_of(const YamlNode& node) {
    std::size_t sum = sizeof(YamlNode) + node.text.size();
    for (const std::string& key : node.keys) sum += sizeof(std::string) + key.size();
    for (const YamlNode& item : node.items) sum += memory_of(item);
    return sum;
  }

  void open(YamlNode&& node, YAML::anchor_t anchor, const YAML::Mark& mark) {
    if (stack_.size() >= most_depth)
      fail(mark, "yaml-malformed", fmt::format("values are nested deeper than {}", most_depth), "");
    if (in_key_position())
      fail(mark, "yaml-malformed", "a key must be a word, not a list or a map",
           "look for a missing key or a brace too many");
    stack_.push_back(Open{std::move(node), anchor, false, {}});
  }

  void close() {
    Open done = std::move(stack_.back());
    stack_.pop_back();
    add(std::move(done.node), done.anchor);
  }

  bool in_key_position() const {
    return !stack_.empty() && stack_.back().node.kind == YamlNode::Kind::map && !stack_.back().key_waits;
  }

  void add(YamlNode&& value, YAML::anchor_t anchor) {
    if (anchor != 0) {
      spend(memory_of(value), value.line);
      anchors_[anchor] = value;
    }
    if (stack_.empty()) {
      root_ = std::move(value);
      return;
    }
    Open& top = stack_.back();
    if (in_key_position()) {
      add_key(top, value);
      return;
    }
    top.key_waits = false;
    top.node.items.push_back(std::move(value));
  }

  void add_key(Open& map, const YamlNode& key) {
    const Place place{file_, key.line, key.text.substr(0, 60)};
    if (key.kind != YamlNode::Kind::scalar) throw Error("yaml-malformed", place, "a key must be a word", "");
    if (!map.seen.insert(key.text).second)
      throw Error("duplicate-key", place, "this key is given twice in the same map", "remove one of them");
    map.node.keys.push_back(key.text);
    map.node.key_lines.push_back(key.line);
    map.key_waits = true;
  }

  std::string file_;
  YamlNode root_;
  std::vector<Open> stack_;
  std::map<YAML::anchor_t, YamlNode> anchors_;
  std::size_t memory_ = 0;
  int documents_ = 0;
};

}  // namespace

YamlNode parse_yaml(const std::string& text, const std::string& file) {
  if (text.size() > most_text)
    throw Error("yaml-too-large", Place{file, 0, ""},
                fmt::format("the file has {} bytes; at most {} are read", text.size(), most_text), "split the scene");
  std::istringstream stream(text);
  TreeMaker maker(file);
  try {
    YAML::Parser parser(stream);
    while (parser.HandleNextDocument(maker)) {
    }
  } catch (const YAML::Exception& e) {
    throw Error("yaml-malformed", Place{file, std::max(0, e.mark.line + 1), ""}, e.msg, "correct the YAML around this line");
  }
  return maker.take();
}

}  // namespace condyle
