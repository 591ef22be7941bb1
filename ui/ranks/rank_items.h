// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/format.h"
#include "core/ranks/run_study.h"
#include "ui/stage/stage_item.h"

#include <vector>

namespace vramscope {

/// What can be shown of the ranks of a run: how far apart they peak, all of them in one picture, by
/// number and by peak, and what fills the memory of the one that tells most.
[[nodiscard]] std::vector<StageItem> rankItems(const RunStudyPointer &study, ByteUnit unit);

} // namespace vramscope
