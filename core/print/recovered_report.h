// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/format.h"
#include "core/reconcile/recovered_plan.h"

#include <string>
#include <string_view>

namespace vramscope {

/// "Model: Llama 3 8B", and what says so, one paragraph a field.
[[nodiscard]] std::string recoveredFieldsText(const RecoveredPlan &recovered);

/// What `vramscope-cli plan-from` says: the fields, and how far the plan is from the recording.
[[nodiscard]] std::string recoveredText(const RecoveredPlan &recovered, std::string_view file,
                                        int device, ByteUnit unit = ByteUnit::Binary);

/// The same as one line of JSON: {"trace","device","plan":{…},"fields":[{"subject","value",
/// "certainty","how","settings":{…}}],"compared":{"moment","predicted","recorded","unexplained"}};
/// "compared" is null where the model is not determined.
[[nodiscard]] std::string recoveredJson(const RecoveredPlan &recovered, std::string_view file,
                                        int device);

} // namespace vramscope
