// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/format.h"
#include "core/ranks/run_study.h"

#include <QString>
#include <QStringList>

namespace vramscope {

[[nodiscard]] bool hasFailed(const RunStudy &study);

/// The answer of the run's story.
[[nodiscard]] QString headlineOf(const RunStudy &study, ByteUnit unit);
/// The findings of the run's story, and its remarks.
[[nodiscard]] QString spreadText(const RunStudy &study, ByteUnit unit);
/// Both, as one paragraph.
[[nodiscard]] QString headingOf(const RunStudy &study, ByteUnit unit);

/// What is wrong with the recordings, a sentence each.
[[nodiscard]] QStringList problemLines(const RunStudy &study);
/// How many ranks there are of how many, which left nothing, and which files cannot be used: a line
/// each, the first says the number.
[[nodiscard]] QStringList coverageLines(const RunStudy &study);
/// Whether anything of a run is missing or wrong.
[[nodiscard]] bool isIncomplete(const RunStudy &study);

/// "Rank 1733, node0216, device 5"
[[nodiscard]] QString rankTitleText(const RunStudy &study, std::size_t rank);
/// What happened to a rank: the request that failed and in what, or its peaks and how far it lies
/// from the median of its group.
[[nodiscard]] QString rankAnswer(const RunStudy &study, std::size_t rank, ByteUnit unit);
/// Why a rank is not compared with the typical one of its group: it is that. Else empty.
[[nodiscard]] QString whyNotCompared(const RunStudy &study, std::size_t rank);
/// remarkOf()
[[nodiscard]] QString remarkText(const RunStudy &study, std::size_t rank, ByteUnit unit);
/// "group 3: 256 ranks, 61.2 GiB to 62.0 GiB"
[[nodiscard]] QString groupText(const RunStudy &study, std::size_t group, ByteUnit unit);

} // namespace vramscope
