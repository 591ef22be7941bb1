// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/series_input.h"

#include <QFile>

#include <algorithm>
#include <zlib.h>

namespace vramscope::test {

namespace {

QByteArray unpacked(QByteArray packed)
{
    constexpr int kGzip = 16;
    z_stream stream{};
    stream.next_in = reinterpret_cast<Bytef *>(packed.data());
    stream.avail_in = static_cast<uInt>(packed.size());
    inflateInit2(&stream, MAX_WBITS + kGzip);
    QByteArray text;
    QByteArray piece(1 << 20, '\0');
    for (int status = Z_OK; status == Z_OK;) {
        stream.next_out = reinterpret_cast<Bytef *>(piece.data());
        stream.avail_out = static_cast<uInt>(piece.size());
        status = inflate(&stream, Z_NO_FLUSH);
        text += piece.first(piece.size() - static_cast<qsizetype>(stream.avail_out));
    }
    inflateEnd(&stream);
    return text;
}

} // namespace

QByteArray contentOf(const QString &file)
{
    QFile input(file);
    if (!input.open(QIODevice::ReadOnly))
        return {};
    if (input.peek(2) == "\x1f\x8b") { // some are plain under such a name
        return unpacked(input.readAll());
    }
    return input.readAll();
}

std::int64_t problemCount(const Series &series, const char *part)
{
    for (const Problem &problem : series.problems()) {
        if (problem.kind.find(part) != std::string::npos)
            return problem.count;
    }
    return 0;
}

const ByteCurve *curveOf(const SeriesDevice &device, const char *name)
{
    const auto found = std::ranges::find(device.bytes, std::string(name), &ByteCurve::name);
    return found == device.bytes.end() ? nullptr : &*found;
}

std::string seriesDump(const Series &series)
{
    std::string text = series.format() + " " + std::to_string(static_cast<int>(series.clock()));
    const auto number = [&](auto value) { text += " " + std::to_string(value); };
    for (const SeriesDevice &device : series.devices()) {
        text += " device " + device.label + " " + device.name + " " + device.identity;
        number(device.ordinal);
        number(device.total);
        std::ranges::for_each(device.time, number);
        for (const ByteCurve &curve : device.bytes) {
            text += " " + curve.name;
            number(static_cast<int>(curve.role));
            std::ranges::for_each(curve.values, number);
        }
        for (const NumberCurve &curve : device.numbers) {
            text += " " + curve.name + " " + curve.unit;
            std::ranges::for_each(curve.values, number);
        }
        std::ranges::for_each(device.change, number);
        std::ranges::for_each(device.address, number);
        for (const StringId operation : device.operation)
            text += " " + std::string(series.text(operation));
        for (const FailedAllocation &failed : device.failed) {
            number(failed.time);
            number(failed.requested);
        }
    }
    for (const std::int64_t count : series.spanCounts())
        number(count);
    for (const Setting &fact : series.facts())
        text += " " + fact.name + "=" + fact.value;
    for (const Problem &problem : series.problems())
        text += " " + problem.kind + " " + std::to_string(problem.count);
    return text;
}

} // namespace vramscope::test
