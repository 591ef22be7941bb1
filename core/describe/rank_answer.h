// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/format.h"
#include "core/ranks/run_study.h"

#include <string>

// Sentences about one rank of a run, or about a group of them.

namespace vramscope {

/// "Rank 1733, node0216, device 5"
[[nodiscard]] std::string rankHeading(const RunStudy &study, std::size_t rank);
/// What happened to a rank: the request that failed and in what, or its peaks and how far it lies
/// from the median of its group; without a snapshot, where its time went.
[[nodiscard]] std::string rankAnswer(const RunStudy &study, std::size_t rank, ByteUnit unit);
/// Why a rank is not compared with the typical one of its group: it is that. Else empty.
[[nodiscard]] std::string whyNotCompared(const RunStudy &study, std::size_t rank);
/// "group 3: 256 ranks, 61.2 GiB to 62.0 GiB"
[[nodiscard]] std::string groupTitle(const RunStudy &study, std::size_t group, ByteUnit unit);

} // namespace vramscope
