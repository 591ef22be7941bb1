// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/profile_difference/difference_items.h"

#include "core/report/tables.h"
#include "ui/profile/profile_table_parts.h"
#include "ui/profile_difference/difference_text.h"
#include "ui/stage/stage_item.h"
#include "ui/stage/stage_views.h"

namespace vramscope {

using namespace Qt::StringLiterals;

std::vector<StageItem> differenceItems(const DifferencePointer &document)
{
    std::vector<StageItem> items;
    items.push_back({"answer", u"What changed"_s, [document] {
                         return StageScene{
                             differenceHeadline(*document),
                             stagedBars(barsOf(*document), BarScale::Common,
                                        tableScene(differenceTable(*document, DifferenceTab::Parts),
                                                   ByteUnit::Binary))};
                     }});
    for (std::size_t at = 0; at < kDifferenceTabCount; ++at) {
        const auto tab = static_cast<DifferenceTab>(at);
        items.push_back(tableItem(
            nameOf(tab), titleOf(tab), [document, tab] { return differenceTable(*document, tab); },
            ByteUnit::Binary, tab == DifferenceTab::Operators));
    }
    return behindProblems(std::move(items), problemLines(*document));
}

void addDifferenceSection(Report &report, const ProfileDifferenceDocument &document,
                          std::size_t number)
{
    addHeading(report, 1, u"Before and after"_s.toStdString());
    addProblems(report, problemLines(document));
    addAnswer(report, differenceHeadline(document).toStdString(), Tone::Plain);
    addParagraph(report, sidesText(document).toStdString());
    if (!document.difference.devices.empty())
        addFigure(report, "difference", number,
                  "Where the time of each side went, on one scale: the parts add up to its span");
    for (std::size_t at = 0; at < kDifferenceTabCount; ++at)
        addFirstRows(report, differenceTable(document, static_cast<DifferenceTab>(at)),
                     ByteUnit::Binary);
}

std::vector<ReportFigure> differenceFigures(const DifferencePointer &document, std::size_t number)
{
    if (document->difference.devices.empty())
        return {};
    return {barsFigure(figureId("difference", number), barsOf(*document), BarScale::Common)};
}

} // namespace vramscope
