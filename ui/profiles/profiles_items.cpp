// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/profiles/profiles_items.h"

#include "core/report/tables.h"
#include "ui/profile/profile_problems_view.h"
#include "ui/profile/profile_table_parts.h"
#include "ui/profile/staged_bars.h"
#include "ui/profiles/profiles_tables.h"
#include "ui/profiles/profiles_text.h"
#include "ui/stage/stage_problems.h"
#include "ui/stage/stage_views.h"

namespace vramscope {

using namespace Qt::StringLiterals;

namespace {

constexpr std::size_t kMostStaged = 12; ///< ranks that are told apart from afar

} // namespace

std::vector<StageItem> ranksItems(const ProfileFolderPointer &folder, ByteUnit unit)
{
    std::vector<StageItem> items;
    items.push_back({"answer", u"Which rank is late"_s, {}, true, [folder] {
                         return StageScene{
                             ranksHeadline(*folder),
                             stagedBars(rankBars(*folder, kMostStaged), BarScale::Common, {})};
                     }});
    for (std::size_t at = 0; at < kRanksTabCount; ++at) {
        const auto tab = static_cast<RanksTab>(at);
        items.push_back(
            {"table:" + nameOf(tab).toStdString(),
             titleOf(tab),
             {},
             tab != RanksTab::Matches,
             [folder, tab, unit] { return onCard(tableScene(ranksTable(*folder, tab), unit)); }});
    }
    return behindProblems(std::move(items), problemLines(*folder));
}

void addRanksSection(Report &report, const ProfileFolder &folder, const std::string &name,
                     std::size_t number, ByteUnit unit)
{
    addHeading(report, 1, printable(name));
    addProblems(report, problemLines(folder));
    addAnswer(report, ranksHeadline(folder).toStdString(), Tone::Plain);
    for (const QString &note : ranksNotes(folder))
        addParagraph(report, note.toStdString());
    if (!rankBars(folder).empty())
        addFigure(report, "ranks", number,
                  "Where the time of each rank went " + comparedText(folder.ranks) +
                      ", on one scale: the parts add up to its span");
    for (std::size_t at = 0; at < kRanksTabCount; ++at)
        addReportTable(report, ranksTable(folder, static_cast<RanksTab>(at)), unit);
}

std::vector<ReportFigure> ranksFigures(const ProfileFolderPointer &folder, std::size_t number)
{
    if (rankBars(*folder).empty())
        return {};
    return {barsFigure(figureId("ranks", number), rankBars(*folder), BarScale::Common)};
}

} // namespace vramscope
