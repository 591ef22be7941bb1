// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/analysis/comparison/ranks.h"
#include "core/analysis/replayed/curve_outline.h"
#include "core/analysis/replayed/summary.h"
#include "core/base/format.h"
#include "core/base/progress.h"
#include "core/base/result.h"

#include <QString>

#include <memory>
#include <vector>

namespace vramscope {

/// What is kept of one rank of a run: figures and a small curve of its active bytes.
struct Rank
{
    int number = 0;
    QString file;           ///< the whole path
    std::size_t device = 0; ///< index into Trace::devices() of its file
    DeviceSummary summary;
    CurveOutline active;
};

/// A file that was meant to be a recording and cannot be used.
struct UnreadFile
{
    QString name;
    QString why;
};

/// The ranks of a run, read from the recordings in a folder: a few kilobytes a rank, however large
/// their files are. Constant.
struct RankFolder
{
    QString path;
    std::vector<Rank> ranks; ///< by number; at least one
    Spread active;           ///< of the peaks of active bytes; indexes into ranks
    std::vector<UnreadFile> unread;
    std::size_t skipped = 0; ///< files that are no recordings

    /// What a rank's peak is above the median.
    [[nodiscard]] Bytes deviation(std::size_t rank) const
    {
        return wrappingDifference(ranks[rank].summary.peakActive, active.median);
    }
    [[nodiscard]] bool isOutlier(std::size_t rank) const;
};

/// Reads every recording in a folder, as many at a time as there are processors, and lets go of
/// each as soon as its figures are taken. Fails where none can be used.
[[nodiscard]] Result<std::shared_ptr<const RankFolder>> readRankFolder(const QString &path,
                                                                       const Progress &progress);

/// "8 ranks peak between 34.2 GiB and 38.9 GiB of active memory, half of them below 34.3 GiB. Rank
/// 3 stands out: 4.6 GiB above that."
[[nodiscard]] QString headingOf(const RankFolder &folder, ByteUnit unit);
/// What was left out and why; empty where nothing was.
[[nodiscard]] QString leftOutText(const RankFolder &folder);

} // namespace vramscope
