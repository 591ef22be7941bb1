// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "tests/support/pickle_writer.h"

#include <string>

namespace vramscope::test {

/// The parts of a small snapshot, to put together or to spoil.
[[nodiscard]] Py sampleFrame(const char *name, int line);
/// A block of PyTorch 2.1 and later.
[[nodiscard]] Py sampleBlock(std::int64_t address, int size, int requested, const char *state,
                             Py frames);
/// A segment of PyTorch 2.1 and later at 0x7f0000000000.
[[nodiscard]] Py sampleSegment(int totalSize, Py blocks);
/// An event with a time, as PyTorch 2.2 writes it.
[[nodiscard]] Py sampleEvent(const char *action, std::int64_t address, int size, std::int64_t time,
                             Py frames);
/// A snapshot with a segment of two blocks and five events in the layout of PyTorch 2.11.
[[nodiscard]] Py sampleSnapshot();

} // namespace vramscope::test
