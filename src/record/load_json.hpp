#pragma once
#include "record/load_audit.hpp"

namespace condyle {

/// The JSON object of `condyle load`; the keys are a contract. Limits that do not exist are null.
std::string load_json(const LoadedModel& loaded);

/// The same for a file that was refused: why, and what had been found until then.
std::string refused_json(const std::string& file, const Error& error, const LoadReport& report);

}  // namespace condyle
