// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/analysis/comparison/compare.h"
#include "core/base/progress.h"
#include "ui/document/document.h"
#include "ui/stacks/stack_tree.h"
#include "ui/trace/trace_document.h"

#include <QPen>
#include <QString>

#include <array>
#include <vector>

namespace vramscope {

/// What a tab of a comparison shows: two to kMostCompared recordings.
struct ComparisonDocument : Document
{
    explicit ComparisonDocument(std::vector<ComparedTrace> compared = {})
        : traces(std::move(compared))
    {
    }

    std::vector<ComparedTrace> traces;

    [[nodiscard]] std::unique_ptr<DocumentPage> makePage(const QString &title, const QString &path,
                                                         QWidget *parent) const override;
    [[nodiscard]] DocumentKind kind() const override;
    [[nodiscard]] Caption caption(const QString &title, const QString &file,
                                  ByteUnit unit) const override;
    [[nodiscard]] QStringList files() const override;
    void gatherNames(Redaction &redaction) const override;
    [[nodiscard]] DocumentPointer withoutNames(const Redaction &redaction,
                                               const Progress &progress) const override;
    [[nodiscard]] std::vector<Replaced> replacements(const Redaction &redaction) const override;
};
inline constexpr std::size_t kMostCompared = 8;
[[nodiscard]] constexpr bool isComparable(std::size_t recordings)
{
    return recordings >= 2 && recordings <= kMostCompared;
}

/// A trace that is compared without names; as it was where `progress` cancels.
[[nodiscard]] ComparedTrace withoutNames(ComparedTrace trace, const Redaction &redaction,
                                         const Progress &progress);
/// A report's section of it, dated as its file.
[[nodiscard]] ReportSource reportSource(const ComparedTrace &trace);

/// "A", "B", …: the short name of a recording of a comparison, the same everywhere in it.
[[nodiscard]] QString letterOf(std::size_t trace);
/// "A  rank0.pickle", with the device where its recording holds several.
[[nodiscard]] QString titleOf(const ComparedTrace &trace, std::size_t at);
[[nodiscard]] QRgb colorOf(std::size_t trace);
/// Lengths of strokes and gaps in pixels; empty: drawn through. No two recordings have the same
/// colour and strokes, so that the lines are told apart without the colour too.
[[nodiscard]] const QList<double> &strokesOf(std::size_t trace);

/// One of the two recordings compared, at one of its events.
struct PairSide
{
    ComparedTrace trace;
    std::size_t at = 0; ///< in the comparison: its letter
    EventIndex event = -1;

    [[nodiscard]] const Trace &recorded() const { return *trace.document->trace; }
};

/// Two recordings compared: A, the base, and B. Constant; made off the GUI thread.
struct TracePair
{
    PairSide a;
    PairSide b;
    Bytes bytesA = 0; ///< active at the moment: the sites add up to it
    Bytes bytesB = 0;
    std::int64_t countA = 0;
    std::int64_t countB = 0;
    std::vector<ComparedSite> sites;
    std::vector<SettingDifference> settings;
    std::shared_ptr<const StackTree> tree; ///< costs as in core's SiteStacks
};

[[nodiscard]] std::shared_ptr<const TracePair> compare(const PairSide &a, const PairSide &b,
                                                       const Progress &progress = {});

/// "B holds 1.2 GiB more than A".
[[nodiscard]] QString differenceText(const TracePair &pair, ByteUnit unit);
/// What the two are called: "A", "B".
[[nodiscard]] std::array<std::string, 2> lettersOf(const TracePair &pair);

} // namespace vramscope
