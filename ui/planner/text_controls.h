// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/planner/field_control.h"

namespace vramscope {

/// The input of a field that is written: free text, several texts, several whole numbers, or a
/// whole object such as a config.json.
[[nodiscard]] FieldControl *makeTextControl(const Field &field, QWidget *parent);

} // namespace vramscope
