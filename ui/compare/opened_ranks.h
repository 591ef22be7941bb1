// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/document/document.h"

namespace vramscope {

struct RankFolder;

/// A folder with the ranks of a run as a tab shows it.
[[nodiscard]] DocumentPointer opened(std::shared_ptr<const RankFolder> folder);

} // namespace vramscope
