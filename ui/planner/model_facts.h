// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/catalog/architecture.h"

#include <QString>

namespace vramscope {

/// The numbers of an architecture in a few lines; empty where nothing is known of it.
[[nodiscard]] QString modelFacts(const Architecture &architecture);

} // namespace vramscope
