// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/readers/byte_source.h"
#include "core/trace/series.h"

#include <QByteArray>
#include <QString>

#include <limits>
#include <memory>
#include <optional>
#include <string>

namespace vramscope::test {

/// Reads bytes with a reader of series or of profiles, through a window of `window` bytes.
template<class Reader>
auto readSeries(Reader reader, const QByteArray &bytes,
                std::size_t window = ByteWindow::kDefaultSize)
{
    const auto source = memorySource(
        std::as_bytes(std::span(bytes.data(), static_cast<std::size_t>(bytes.size()))));
    ByteWindow input(*source, window);
    return reader(input, {});
}

/// How often a reader asks whether to go on after the last byte was read; -1 where it does not
/// stop when told to at one of these times.
template<class Reader>
int stopsAfterReading(Reader reader, const QByteArray &bytes)
{
    const auto source =
        std::as_bytes(std::span(bytes.data(), static_cast<std::size_t>(bytes.size())));
    const auto countUpTo = [&](int last, bool &cancelled) {
        const auto memory = memorySource(source);
        ByteWindow input(*memory);
        int calls = 0;
        const auto series =
            reader(input, [&](double) { return input.fraction() < 1 || calls++ < last; });
        cancelled = !series.ok() && series.error().code == ErrorCode::Cancelled;
        return calls;
    };
    bool cancelled = false;
    const int all = countUpTo(std::numeric_limits<int>::max(), cancelled);
    for (int last = 0; last < all; ++last) {
        if (countUpTo(last, cancelled) != last + 1 || !cancelled)
            return -1;
    }
    return all;
}

/// The content of a file, inflated where it is compressed; empty where it cannot be read.
[[nodiscard]] QByteArray contentOf(const QString &file);

/// How often a problem was met whose text contains `part`; 0 where it was not.
[[nodiscard]] std::int64_t problemCount(const Series &series, const char *part);

/// The curve of a name; nullptr where there is none.
[[nodiscard]] const ByteCurve *curveOf(const SeriesDevice &device, const char *name);

/// A long text where no line breaks, so that two series can be compared whole.
[[nodiscard]] std::string seriesDump(const Series &series);

} // namespace vramscope::test
