// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/document/document.h"

namespace vramscope {

struct ReconcileDocument;

/// A recording as a tab shows it that compares a plan with it. The plan is that of another tab, and
/// changes.
[[nodiscard]] DocumentPointer opened(std::shared_ptr<const ReconcileDocument> recording);

} // namespace vramscope
