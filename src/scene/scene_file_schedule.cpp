#include "scene/scene_file.hpp"

namespace condyle {

namespace {

std::vector<double> read_numbers(const YamlView& list) {
  std::vector<double> out;
  for (const YamlView& item : list.items()) out.push_back(item.number());
  return out;
}

}  // namespace

Schedule read_schedule(const YamlView& value) {
  value.allow_keys({"times", "values", "period", "interpolation"});
  Schedule out;
  const YamlView times = value.at("times", "in s, one for each value"), values = value.at("values", "one for each time");
  out.times = read_numbers(times);
  out.values = read_numbers(values);
  const auto period = value.find("period");
  if (period) out.period = period->number(range::positive);
  if (const auto word = value.find("interpolation")) {
    using Interpolation = Schedule::Interpolation;
    const std::string name = word->word({"linear", "hold", "smooth"});
    for (const Interpolation known : {Interpolation::linear, Interpolation::hold, Interpolation::smooth})
      if (name == to_string(known)) out.interpolation = known;
  }
  if (const auto fault = find_fault(out)) {
    const YamlView& list = fault->field == "values" ? values : times;
    const std::vector<YamlView> items = list.items();
    const YamlView where = fault->field == "period"                                                  ? *period
                           : out.times.size() == out.values.size() && fault->keyframe < items.size() ? items[fault->keyframe]
                                                                                                     : list;
    where.fail("bad-schedule", fault->reason, fault->cure);
  }
  return out;
}

void read_number_or_schedule(const YamlView& value, double& number, Schedule& schedule) {
  if (value.is_map())
    schedule = read_schedule(value);
  else
    number = value.number();
}

}  // namespace condyle
