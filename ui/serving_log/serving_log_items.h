// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/format.h"
#include "ui/serving_log/serving_log_document.h"
#include "ui/stage/stage_item.h"

#include <memory>
#include <vector>

namespace vramscope {

/// What a presentation can show of a log: the answer over its budget, the figures beside those of
/// its plan, the diagnosis; every figure where it is chosen.
[[nodiscard]] std::vector<StageItem>
servingLogItems(const std::shared_ptr<const ServingLogDocument> &document, ByteUnit unit);

} // namespace vramscope
