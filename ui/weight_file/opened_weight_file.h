// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/document/document.h"

#include <memory>

namespace vramscope {

struct WeightFile;

/// A weight file as a document of a tab.
[[nodiscard]] DocumentPointer opened(std::shared_ptr<const WeightFile> file);

} // namespace vramscope
