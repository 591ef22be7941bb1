// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/document/document.h"

namespace vramscope {

struct Validation;

/// The planner compared with the measured figures that ship, as a tab shows it.
[[nodiscard]] DocumentPointer opened(std::shared_ptr<const Validation> validation);

} // namespace vramscope
