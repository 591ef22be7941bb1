// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "tests/support/pickle_writer.h"

#include <string>

namespace vramscope::test {

/// `value` as JSON; a tuple is a list there, and what is shared is written out.
[[nodiscard]] std::string json(const Py &value);

} // namespace vramscope::test
