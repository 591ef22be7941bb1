// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "tests/support/pickle_writer.h"

namespace vramscope::test {

/// A snapshot of any version's fields, the same for a seed: keys that are missing, unknown or of
/// the wrong type here and there, stacks and events that are shared, lists longer than a batch. It
/// holds nothing that JSON cannot, and no dict that continues after it was used.
[[nodiscard]] Py randomSnapshot(unsigned seed);

} // namespace vramscope::test
