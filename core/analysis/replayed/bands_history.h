// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/bytes.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

namespace vramscope {

/// The parts of the reserved bytes at one moment; they add up to them.
struct Bands
{
    Bytes requested = 0;   ///< live requests of callers
    Bytes rounding = 0;    ///< the excess of their blocks over the requests
    Bytes pendingFree = 0; ///< freed blocks that wait for another stream
    Bytes stranded = 0;    ///< free, but pinned by blocks of the same segment or page
    Bytes releasable = 0;  ///< free segments, and free pages of expandable ones

    /// As far as Bytes can represent it: sizes of a damaged file may add up to more.
    [[nodiscard]] Bytes reserved() const
    {
        return wrappingSum(
            wrappingSum(wrappingSum(requested, rounding), wrappingSum(pendingFree, stranded)),
            releasable);
    }
    bool operator==(const Bands &) const = default;
};

/// Bands at consecutive moments, in about 10 bytes each if an event changes two or three of them:
/// every kRun moments in full, between them the differences from the previous moment.
class BandsHistory
{
public:
    void reserve(std::size_t moments) { m_runs.reserve((moments + kRun - 1) / kRun); }
    void append(const Bands &bands);

    [[nodiscard]] std::size_t size() const { return m_size; }
    /// The bands of moment `at` < size(), in constant time.
    [[nodiscard]] Bands operator[](std::size_t at) const;

private:
    static constexpr std::size_t kRun = 64;
    static constexpr std::size_t kFields = 5;
    // Two bytes give the width of each field, then each field has up to eight bytes.
    static constexpr std::size_t kMostBytes = 2 + kFields * sizeof(Bytes);
    // A field is read and written as eight bytes, whatever its width.
    static constexpr std::size_t kSlack = sizeof(Bytes);
    using Fields = std::array<std::uint64_t, kFields>;

    struct Run
    {
        Bands first;
        std::unique_ptr<std::uint8_t[]> changes; ///< null in the last run, which is open
    };
    [[nodiscard]] static Fields fieldsOf(const Bands &bands);
    [[nodiscard]] static Bands bandsOf(const Fields &fields);
    void close();

    std::vector<Run> m_runs;
    std::size_t m_size = 0;
    Fields m_last{};
    std::array<std::uint8_t, kRun * kMostBytes + kSlack> m_open{}; // the changes of the last run
    std::size_t m_openBytes = 0;
};

} // namespace vramscope
