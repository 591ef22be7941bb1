// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/document/document.h"

namespace vramscope {

struct SpeedValidation;
struct Validation;

/// The planner compared with the measured figures and the published speeds that ship, as a tab
/// shows it.
[[nodiscard]] DocumentPointer opened(std::shared_ptr<const Validation> validation,
                                     std::shared_ptr<const SpeedValidation> speeds);

} // namespace vramscope
