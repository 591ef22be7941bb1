// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/trace/trace.h"
#include "ui/stage/stage_item.h"

#include <span>
#include <vector>

namespace vramscope {

/// What is wrong with a recording, a sentence each; `prefix` names it where there are several.
[[nodiscard]] QStringList problemTexts(std::span<const Problem> problems,
                                       const QString &prefix = {});

/// The items with the first problem of their recording above each headline, since it limits all
/// figures. `problems`: sentences.
[[nodiscard]] std::vector<StageItem> behindProblems(std::vector<StageItem> items,
                                                    const QStringList &problems);

} // namespace vramscope
