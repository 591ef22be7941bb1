// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/bytes.h"

#include <cstdint>
#include <string>

namespace vramscope::test {

/// A made-up pipeline-parallel run of a mixture of experts: every rank of a stage holds the same
/// kinds of things in nearly the same sizes; one rank got far more tokens in its dispatch and ran
/// out of memory, which others noticed.
struct RankRun
{
    int ranks = 1024;
    int stages = 8;    ///< ranks of a stage follow each other
    int failing = 733; ///< dispatches kExtra more than the others of its stage, and fails first
    int beside = 12;   ///< fails 0.4 s later, at the usual size
    int later = 900;   ///< fails 5 s later
    static constexpr Bytes kExtra = Bytes(9) << 30;
    static constexpr Bytes kRequested = Bytes(2'621'440'000);
    static constexpr int kDevices = 8; ///< of a node
    static constexpr int kDispatchLine = 88;

    [[nodiscard]] int stageOf(int rank) const { return rank / (ranks / stages); }
    [[nodiscard]] bool fails(int rank) const
    {
        return rank == failing || rank == beside || rank == later;
    }
    /// "node0091_rank733.pickle"
    [[nodiscard]] std::string fileName(int rank) const;
};

/// What a rank's snapshot holds, and what is known of it because it was made so.
struct RankSnapshot
{
    std::string bytes; ///< a pickle, some 12 KB
    Bytes peakActive = 0;
    Bytes peakReserved = 0;
    std::int64_t events = 0;
    std::int64_t failureTime = 0; ///< µs; 0 where none failed
};

/// `iteration`: another recording of the same rank, later, with the same figures.
[[nodiscard]] RankSnapshot rankSnapshot(const RankRun &run, int rank, int iteration = 0);

} // namespace vramscope::test
