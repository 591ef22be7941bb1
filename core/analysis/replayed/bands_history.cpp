// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/analysis/replayed/bands_history.h"

#include <algorithm>
#include <bit>
#include <cstring>

namespace vramscope {

namespace {

// How many bytes a change has, by its code of two bits.
constexpr std::array<std::uint8_t, 4> kWidths{0, 2, 4, 8};

unsigned codeOf(std::uint64_t change)
{
    const auto value = static_cast<std::int64_t>(change);
    const bool isWord = value == static_cast<std::int16_t>(change);
    const bool isDouble = value == static_cast<std::int32_t>(change);
    return (value != 0 ? 1U : 0U) + (isWord ? 0U : 1U) + (isDouble ? 0U : 1U);
}

// The lowest `width` bytes as a number with a sign.
std::uint64_t extended(std::uint64_t bytes, unsigned width)
{
    if (width == 0)
        return 0;
    const unsigned unused = 64 - 8 * width;
    return static_cast<std::uint64_t>(static_cast<std::int64_t>(bytes << unused) >> unused);
}

} // namespace

// Stores the sum instead of one part: it seldom changes, and then a code is enough.
BandsHistory::Fields BandsHistory::fieldsOf(const Bands &bands)
{
    return {static_cast<std::uint64_t>(bands.requested), static_cast<std::uint64_t>(bands.rounding),
            static_cast<std::uint64_t>(bands.pendingFree),
            static_cast<std::uint64_t>(bands.releasable),
            static_cast<std::uint64_t>(bands.reserved())};
}

Bands BandsHistory::bandsOf(const Fields &fields)
{
    const auto [requested, rounding, pendingFree, releasable, reserved] = fields;
    return {.requested = static_cast<Bytes>(requested),
            .rounding = static_cast<Bytes>(rounding),
            .pendingFree = static_cast<Bytes>(pendingFree),
            .stranded =
                static_cast<Bytes>(reserved - requested - rounding - pendingFree - releasable),
            .releasable = static_cast<Bytes>(releasable)};
}

void BandsHistory::append(const Bands &bands)
{
    const Fields fields = fieldsOf(bands);
    if (m_size++ % kRun == 0) {
        close();
        m_runs.push_back({bands, nullptr});
        m_last = fields;
        return;
    }
    std::uint8_t *const codes = m_open.data() + m_openBytes;
    std::uint8_t *at = codes + 2;
    unsigned all = 0;
    for (std::size_t field = 0; field < kFields; ++field) {
        const std::uint64_t change = fields[field] - m_last[field];
        const unsigned code = codeOf(change);
        all |= code << (2 * field);
        static_assert(std::endian::native == std::endian::little);
        std::memcpy(at, &change, sizeof change); // the lowest bytes first
        at += kWidths[code];
    }
    codes[0] = static_cast<std::uint8_t>(all);
    codes[1] = static_cast<std::uint8_t>(all >> 8U);
    m_openBytes = static_cast<std::size_t>(at - m_open.data());
    m_last = fields;
}

void BandsHistory::close()
{
    if (m_runs.empty())
        return;
    auto &changes = m_runs.back().changes;
    changes = std::make_unique_for_overwrite<std::uint8_t[]>(m_openBytes + kSlack);
    std::copy_n(m_open.data(), m_openBytes, changes.get());
    std::fill_n(changes.get() + m_openBytes, kSlack, std::uint8_t(0));
    m_openBytes = 0;
}

Bands BandsHistory::operator[](std::size_t at) const
{
    const Run &run = m_runs[at / kRun];
    Fields fields = fieldsOf(run.first);
    const std::uint8_t *from = run.changes ? run.changes.get() : m_open.data();
    for (std::size_t moment = at % kRun; moment > 0; --moment) {
        unsigned codes = from[0] | static_cast<unsigned>(from[1]) << 8U;
        from += 2;
        for (std::uint64_t &field : fields) {
            const unsigned width = kWidths[codes & 3U];
            std::uint64_t change = 0;
            std::memcpy(&change, from, sizeof change);
            field += extended(change, width);
            from += width;
            codes >>= 2U;
        }
    }
    return bandsOf(fields);
}

} // namespace vramscope
