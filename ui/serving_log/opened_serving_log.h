// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/document/document.h"

#include <memory>

namespace vramscope {

struct ServingLogDocument;

/// The log of a serving engine as a document of a tab.
[[nodiscard]] DocumentPointer opened(std::shared_ptr<const ServingLogDocument> document);

} // namespace vramscope
