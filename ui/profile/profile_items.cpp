// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/profile/profile_items.h"

#include "core/report/tables.h"
#include "ui/profile/breakdown_bar.h"
#include "ui/profile/profile_strip.h"
#include "ui/profile/profile_tables.h"
#include "ui/profile/profile_text.h"
#include "ui/profile/profile_timeline.h"
#include "ui/stage/stage_views.h"
#include "ui/support/fact_table.h"
#include "ui/support/text.h"

#include <QVBoxLayout>

#include <algorithm>

namespace vramscope {

using namespace Qt::StringLiterals;

namespace {

constexpr std::size_t kStagedRows = 8; ///< that are read from afar
constexpr std::size_t kReportRows = 20;
constexpr int kTimelineHeight = 620;

/// The timeline of everything, with the state that it shows.
class StagedTimeline : public QWidget
{
public:
    StagedTimeline(ProfilePointer document, ByteUnit unit)
        : m_state(new ProfileState(this))
        , m_timeline(new ProfileTimeline(document, m_state))
    {
        m_state->reset(static_cast<double>(document->end - document->origin));
        m_timeline->setUnit(unit);
        m_timeline->setVerticalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
        auto *layout = new QVBoxLayout(this);
        layout->setContentsMargins(0, 0, 0, 0);
        layout->addWidget(m_timeline);
    }

private:
    ProfileState *m_state;
    ProfileTimeline *m_timeline;
};

/// The bar alone, at the top of its place.
std::shared_ptr<QWidget> stagedBar(const ProfileDocument &document)
{
    auto whole = std::make_shared<QWidget>();
    auto *bar = new BreakdownBar;
    bar->setTimes(barTimes(document.typical()));
    auto *layout = new QVBoxLayout(whole.get());
    layout->addWidget(bar);
    layout->addStretch(1);
    return whole;
}

StageScene tableScene(const ProfileDocument &document, ProfileTab tab, ByteUnit unit)
{
    const ProfileTable table = profileTable(document, {tab}, std::nullopt, unit);
    QStringList columns;
    std::vector<int> words;
    const std::size_t width = std::min<std::size_t>(table.columns.size(), 6);
    for (std::size_t at = 0; at < width; ++at) {
        columns << table.columns[at].title;
        if (table.columns[at].isWord)
            words.push_back(static_cast<int>(at));
    }
    std::vector<FactRow> rows;
    for (std::size_t at = 0; at < std::min(table.rows.size(), kStagedRows); ++at) {
        FactRow row;
        for (std::size_t column = 0; column < width; ++column) {
            const ProfileCell &cell = table.rows[at].cells[column];
            row.cells.push_back({cell.text, cell.tip, cell.exact});
        }
        rows.push_back(std::move(row));
    }
    return {table.rows.empty() ? table.note : table.title,
            tableView(table.title, columns, std::move(words), std::move(rows))};
}

void addReportTable(Report &report, const ProfileTable &table)
{
    std::vector<Align> alignment;
    std::vector<std::string> headings;
    for (const ProfileColumn &column : table.columns) {
        alignment.push_back(column.isWord ? Align::Left : Align::Right);
        headings.push_back(column.title.toStdString());
    }
    TextTable rows(alignment);
    for (std::size_t at = 0; at < std::min(table.rows.size(), kReportRows); ++at) {
        std::vector<std::string> cells;
        for (const ProfileCell &cell : table.rows[at].cells)
            cells.push_back(cell.text.toStdString());
        rows.addRow(cells);
    }
    addTable(report, table.title.toStdString(), headings, rows);
    if (table.rows.size() > kReportRows)
        addParagraph(report,
                     u"%1 more rows are left out."_s
                         .arg(countText(static_cast<std::int64_t>(table.rows.size() - kReportRows)))
                         .toStdString(),
                     Tone::Note);
}

} // namespace

QString profileHeadline(const ProfileDocument &document)
{
    if (document.typical().empty())
        return u"Nothing ran on a device while this was recorded."_s;
    const DeviceBreakdown &device = document.typical().front();
    const TimeBreakdown &times = device.times;
    QString text =
        u"GPU %1 computed during %2 of %3, %4"_s.arg(device.device)
            .arg(timeShareText(times.compute, times.span), durationText(times.span),
                 document.completeSteps.empty() ? u"the whole recording"_s : stepsText(document));
    if (times.communication > 0)
        text += u"; %1 of its communication was hidden"_s.arg(
            timeShareText(times.overlappedCommunication, times.communication));
    return text + u"; it was idle during %1."_s.arg(timeShareText(times.idle, times.span));
}

std::vector<StageItem> profileItems(const ProfilePointer &document, ByteUnit unit)
{
    std::vector<StageItem> items;
    if (!document->study->devices().empty())
        items.push_back({"answer", u"Where the time went"_s, {}, true, [document] {
                             return StageScene{profileHeadline(*document), stagedBar(*document)};
                         }});
    items.push_back({"timeline", u"The timeline"_s, {}, true, [document, unit] {
                         return StageScene{recordedText(*document),
                                           std::make_shared<StagedTimeline>(document, unit)};
                     }});
    for (std::size_t at = 0; at < kProfileTabCount; ++at) {
        const auto tab = static_cast<ProfileTab>(at);
        items.push_back(
            {"table:" + nameOf(tab).toStdString(),
             titleOf(tab),
             {},
             tab == ProfileTab::Kernels,
             [document, tab, unit] { return onCard(tableScene(*document, tab, unit)); }});
    }
    return items;
}

void addProfileSection(Report &report, const ProfileDocument &document, const std::string &file,
                       std::size_t number, ByteUnit unit)
{
    addHeading(report, 1, printable(file));
    addAnswer(report, profileHeadline(document).toStdString(), Tone::Plain);
    addParagraph(report, (u"Profiler trace: "_s + recordedText(document) + u'.').toStdString());
    for (const ProfileFinding &finding : document.study->findings())
        addParagraph(report, printable(document.shown(finding.text)), Tone::Warning);
    if (!document.study->devices().empty())
        addFigure(report, "time", number,
                  u"Where the time of each device went in %1: the parts add up to its span"_s
                      .arg(document.completeSteps.empty() ? u"the whole recording"_s
                                                          : stepsText(document))
                      .toStdString());
    addFigure(report, "timeline", number, "Everything that was recorded over time");
    for (std::size_t at = 0; at < kProfileTabCount; ++at)
        addReportTable(report, profileTable(document, {static_cast<ProfileTab>(at)}, {}, unit));
}

std::vector<ReportFigure> profileFigures(const ProfilePointer &document, std::size_t number,
                                         ByteUnit unit)
{
    std::vector<ReportFigure> figures;
    if (!document->study->devices().empty())
        figures.push_back({figureId("time", number), [document](int width, const Theme &theme) {
                               BreakdownBar bar;
                               bar.setTimes(barTimes(document->typical()));
                               return widgetDrawing(bar, {width, bar.sizeHint().height()}, theme);
                           }});
    figures.push_back(
        {figureId("timeline", number), [document, unit](int width, const Theme &theme) {
             StagedTimeline timeline(document, unit);
             return widgetDrawing(timeline, {width, kTimelineHeight}, theme);
         }});
    return figures;
}

} // namespace vramscope
