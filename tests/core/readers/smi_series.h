// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/readers/formats.h"
#include "tests/support/series_input.h"

#include <initializer_list>
#include <memory>
#include <vector>

namespace vramscope::test {

/// A log of nvidia-smi that has to be readable, read through a window of 64 bytes.
inline std::shared_ptr<const Series> readLog(const QByteArray &text)
{
    return readSeries(readSmiLog, text, 64).value();
}

/// Counts of MiB as bytes; kNoBytes stays.
inline std::vector<Bytes> mebibytes(std::initializer_list<Bytes> counts)
{
    std::vector<Bytes> bytes;
    for (const Bytes count : counts)
        bytes.push_back(count == kNoBytes ? kNoBytes : count * kMiB);
    return bytes;
}

} // namespace vramscope::test
