// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/readers/read_trace.h"

#include "core/readers/byte_source.h"
#include "core/readers/detect_format.h"
#include "core/readers/snapshot_reader.h"

#include <algorithm>

namespace vramscope {

namespace {

Result<std::shared_ptr<const Trace>> readSource(ByteSource &source, const Progress &progress)
{
    ByteWindow window(source);
    const auto wanted = std::min<std::int64_t>(source.size(), kDetectionBytes);
    if (!window.ensure(static_cast<std::size_t>(wanted)))
        return window.status().error();
    const auto format =
        detectFormat({window.cursor(), std::min(window.available(), kDetectionBytes)});
    if (!format.ok())
        return format.error();
    auto trace = readSnapshot(window, progress);
    // A file that is still being written looks damaged; what it is comes first.
    const bool cancelled = !trace.ok() && trace.error().code == ErrorCode::Cancelled;
    if (const auto verified = source.verify(); !cancelled && !verified.ok())
        return verified.error();
    return trace;
}

} // namespace

Result<std::shared_ptr<const Trace>> readTrace(const std::filesystem::path &file,
                                               const Progress &progress)
{
    auto source = openFile(file);
    if (!source.ok())
        return source.error();
    return readSource(**source, progress);
}

Result<std::shared_ptr<const Trace>> readTrace(std::span<const std::byte> bytes,
                                               const Progress &progress)
{
    return readSource(*memorySource(bytes), progress);
}

} // namespace vramscope
