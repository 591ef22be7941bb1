// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/document/document.h"

namespace vramscope {

struct RunStudy;

/// The ranks of a run as a tab shows them.
[[nodiscard]] DocumentPointer opened(std::shared_ptr<const RunStudy> study);

} // namespace vramscope
