// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/result.h"
#include "core/catalog/architecture.h"
#include "core/plan/plan.h"

#include <string>
#include <string_view>
#include <vector>

namespace vramscope {

/// The architecture that a config.json describes, without the plan's own values. An error names the
/// key at fault. For a model of several parts it is the text part. `keysRead` receives the
/// requested keys, where it is not null.
[[nodiscard]] Result<Architecture> shapeOfConfig(const std::string &config, const PlanModel &model,
                                                 std::vector<std::string> *keysRead = nullptr);

} // namespace vramscope
