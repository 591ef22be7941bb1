// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "tests/support/training_story.h"

#include <span>
#include <string>

namespace vramscope::test {

/// `story` as torch.cuda.memory._dump_snapshot() of PyTorch 2.11 lays it out, in the pickle
/// protocol that Python 3.12 writes: shared objects once, lists and dictionaries in batches of
/// 1000.
[[nodiscard]] std::string snapshotOf(const Story &story);

/// An example that ships in resources/examples.
struct ExampleSnapshot
{
    std::string_view name; ///< of the file
    Story (*tell)();
};

[[nodiscard]] std::span<const ExampleSnapshot> exampleSnapshots();

} // namespace vramscope::test
