// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/compare/rank_folder.h"

#include "core/base/folder.h"
#include "core/base/ordered_jobs.h"
#include "core/readers/no_recording.h"
#include "core/readers/read_trace.h"
#include "core/session/session_json.h"
#include "ui/support/file_path.h"
#include "ui/support/text.h"

#include <QFileInfo>

#include <algorithm>
#include <optional>

namespace vramscope {

using namespace Qt::StringLiterals;

namespace {

constexpr std::size_t kColumns = 240; // of a rank's curve: as wide as it is ever drawn

/// What one file gave.
struct RankFile
{
    std::vector<Rank> ranks;
    std::optional<Error> error;
};

RankFile readRanks(const std::filesystem::path &file, const Progress &progress)
{
    constexpr double kReading = 0.8; // of the work
    const auto trace =
        readTrace(file, [&](double share) { return !progress || progress(share * kReading); });
    if (!trace)
        return {{}, trace.error()};
    RankFile read;
    std::size_t at = 0;
    for (const DeviceTrace &device : (*trace)->devices()) {
        const Allocations allocations(
            device, progress
                        ? [&](double share) { return progress(kReading + (1 - kReading) * share); }
                        : Progress());
        const UsageCurve curve(device, allocations);
        read.ranks.push_back({0, pathText(file.native()), at++, summarize(**trace, device, curve),
                              outlineOf(curve.active(), kColumns)});
    }
    if (read.ranks.empty())
        read.error = Error{ErrorCode::OtherContent, "It holds no memory of any device."};
    return read;
}

void take(RankFile &&file, const std::filesystem::path &path, RankFolder &folder)
{
    for (Rank &rank : file.ranks)
        folder.ranks.push_back(std::move(rank));
    if (!file.error)
        return;
    if (isNoRecording(path.string(), *file.error))
        ++folder.skipped;
    else
        folder.unread.push_back(
            {toQString(path.filename().string()), toQString(file.error->text())});
}

void number(RankFolder &folder)
{
    std::vector<RankSource> sources;
    for (const Rank &rank : folder.ranks)
        sources.push_back({rank.file.toStdString(), rank.summary.device});
    const std::vector<int> numbers = rankNumbers(sources);
    for (std::size_t at = 0; at < numbers.size(); ++at)
        folder.ranks[at].number = numbers[at];
    std::ranges::stable_sort(folder.ranks, {}, &Rank::number);
    std::vector<Bytes> peaks;
    for (const Rank &rank : folder.ranks)
        peaks.push_back(rank.summary.peakActive);
    folder.active = spreadOf(peaks);
}

} // namespace

bool RankFolder::isOutlier(std::size_t rank) const
{
    return std::ranges::find(active.outliers, rank) != active.outliers.end();
}

Result<std::shared_ptr<const RankFolder>> readRankFolder(const QString &path,
                                                         const Progress &progress)
{
    auto files = filesOfFolder(nativePath(path));
    if (!files)
        return files.error();
    // The bookmarks beside a recording go without saying.
    std::erase_if(*files, [](const auto &file) { return !recordingPath(file).empty(); });
    std::vector<RankFile> read(files->size());
    const bool finished =
        (!progress || progress(0)) &&
        runTogether(
            files->size(),
            [&](std::size_t at, const Progress &each) { read[at] = readRanks((*files)[at], each); },
            progress);
    if (!finished)
        return Error{ErrorCode::Cancelled, "Reading was cancelled."};
    const auto folder = std::make_shared<RankFolder>();
    folder->path = path;
    for (std::size_t at = 0; at < read.size(); ++at)
        take(std::move(read[at]), (*files)[at], *folder);
    if (folder->ranks.empty() && !folder->unread.empty())
        return Error{ErrorCode::OtherContent, "No recording in this folder can be used. " +
                                                  folder->unread.front().name.toStdString() + ": " +
                                                  folder->unread.front().why.toStdString()};
    if (folder->ranks.empty())
        return Error{ErrorCode::OtherContent,
                     "This folder holds no recordings. Open one with the snapshots that the ranks "
                     "of a run wrote."};
    number(*folder);
    return std::shared_ptr<const RankFolder>(folder);
}

QString headingOf(const RankFolder &folder, ByteUnit unit)
{
    const Spread &spread = folder.active;
    if (folder.ranks.size() == 1)
        return u"One rank alone peaks at %1 of active memory."_s.arg(bytesText(spread.most, unit));
    const QString range =
        spread.least == spread.most
            ? u"All %1 ranks peak at %2 of active memory."_s.arg(folder.ranks.size())
                  .arg(bytesText(spread.most, unit))
            : u"%1 ranks peak between %2 and %3 of active memory, the median is %4."_s
                  .arg(folder.ranks.size())
                  .arg(bytesText(spread.least, unit), bytesText(spread.most, unit),
                       bytesText(spread.median, unit));
    if (spread.outliers.empty())
        return range + u' ' + u"None stands out."_s;
    const std::size_t farthest = spread.outliers.front();
    const Bytes apart = folder.deviation(farthest);
    QString outlier =
        (apart > 0 ? u"Rank %1 stands out with %2 more."_s : u"Rank %1 stands out with %2 less."_s)
            .arg(folder.ranks[farthest].number)
            .arg(bytesText(apart < 0 ? wrappingDifference(0, apart) : apart, unit));
    if (const std::size_t others = spread.outliers.size() - 1; others > 0)
        outlier +=
            u' ' + (others == 1 ? u"So does one other."_s : u"So do %1 others."_s.arg(others));
    return range + u' ' + outlier;
}

QString leftOutText(const RankFolder &folder)
{
    QStringList lines;
    for (const UnreadFile &file : folder.unread)
        lines << u"%1 cannot be used: %2"_s.arg(file.name, file.why);
    if (folder.skipped == 1)
        lines << u"1 other file is no recording."_s;
    else if (folder.skipped > 1)
        lines << u"%1 other files are no recordings."_s.arg(folder.skipped);
    return lines.join(u'\n');
}

} // namespace vramscope
