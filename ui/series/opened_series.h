// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/document/document.h"

namespace vramscope {

struct SeriesDocument;

/// A recording of curves over time as a tab shows it.
[[nodiscard]] DocumentPointer opened(std::shared_ptr<const SeriesDocument> series);

} // namespace vramscope
