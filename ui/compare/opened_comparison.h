// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/document/document.h"

namespace vramscope {

struct ComparisonDocument;

/// Recordings that are compared in a tab.
[[nodiscard]] DocumentPointer opened(std::shared_ptr<const ComparisonDocument> comparison);

} // namespace vramscope
