// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/profile/profile_items.h"

#include "core/profile/profile_findings.h"
#include "core/report/tables.h"
#include "ui/bookmarks/bookmark_items.h"
#include "ui/page/layout.h"
#include "ui/profile/breakdown_bar.h"
#include "ui/profile/profile_bookmark.h"
#include "ui/profile/profile_strip.h"
#include "ui/profile/profile_table_parts.h"
#include "ui/profile/profile_tables.h"
#include "ui/profile/profile_text.h"
#include "ui/profile/profile_timeline.h"
#include "ui/stage/stage_item.h"
#include "ui/stage/stage_views.h"
#include "ui/support/text.h"

#include <QVBoxLayout>

#include <algorithm>

namespace vramscope {

using namespace Qt::StringLiterals;

namespace {

constexpr int kTimelineHeight = 620;
constexpr std::size_t kStagedBelow = 5; ///< rows below the bars

/// The timeline of everything, with the state that it shows.
class StagedTimeline : public QWidget
{
public:
    StagedTimeline(const ProfilePointer &document, ByteUnit unit)
        : m_state(new ProfileState(this))
        , m_timeline(new ProfileTimeline(document, m_state))
    {
        m_state->reset(static_cast<double>(document->end - document->origin));
        m_timeline->setUnit(unit);
        m_timeline->setVerticalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
        setLayout(column({m_timeline}, kStyleSpacing));
    }

    void show(const ProfileDocument &document, const ProfileView &view)
    {
        m_state->choose(view.chosen);
        m_state->setFound(findEvents(document, view.query));
        if (view.selected.valid())
            m_timeline->goTo(view.selected);
        m_state->show(view.visible);
    }

private:
    ProfileState *m_state;
    ProfileTimeline *m_timeline;
};

QString timelineHeadline(const ProfileDocument &document)
{
    const std::vector<ProfileDevice> &devices = document.devices;
    const QString where = devices.empty()      ? u"the host"_s
                          : devices.size() > 1 ? u"%1 GPUs"_s.arg(devices.size())
                          : devices.front().name.empty()
                              ? u"GPU %1"_s.arg(devices.front().device)
                              : foreignText(document.shown(devices.front().name));
    return u"What ran when on %1, in %2."_s.arg(where,
                                                durationText(document.end - document.origin));
}

} // namespace

QString profileHeadline(const ProfileDocument &document)
{
    if (document.typical().empty())
        return toQString(noDeviceText(*document.profile));
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

std::vector<StageItem> profileItems(const ProfilePointer &document,
                                    const std::vector<Bookmark> &bookmarks, ByteUnit unit)
{
    std::vector<StageItem> items;
    if (!document->study->devices().empty())
        items.push_back(
            {"answer", u"Where the time went"_s, [document, unit] {
                 return StageScene{
                     profileHeadline(*document),
                     stagedBars(barTimes(document->typical()), BarScale::Each,
                                tableScene(profileTable(*document, {ProfileTab::Kernels}, {}), unit,
                                           kStagedBelow))};
             }});
    items.push_back({"timeline", u"The timeline"_s, [document, unit] {
                         return StageScene{timelineHeadline(*document),
                                           std::make_shared<StagedTimeline>(document, unit)};
                     }});
    std::ranges::move(bookmarkItems(bookmarks,
                                    [document, unit](const Bookmark &bookmark) {
                                        auto timeline =
                                            std::make_shared<StagedTimeline>(document, unit);
                                        timeline->show(*document, viewOf(*document, bookmark));
                                        return StageScene{toQString(bookmark.name), timeline};
                                    }),
                      std::back_inserter(items));
    for (std::size_t at = 0; at < kProfileTabCount; ++at) {
        const auto tab = static_cast<ProfileTab>(at);
        items.push_back(tableItem(
            nameOf(tab), titleOf(tab),
            [document, tab] { return profileTable(*document, {tab}, {}); }, unit,
            tab == ProfileTab::Operators));
    }
    return behindProblems(std::move(items), problemLines(*document));
}

void addProfileSection(Report &report, const ProfileDocument &document, const std::string &file,
                       std::size_t number, ByteUnit unit)
{
    addHeading(report, 1, printable(file));
    addProblems(report, problemLines(document));
    addAnswer(report, profileHeadline(document).toStdString(), Tone::Plain);
    addParagraph(report, (u"Profiler trace: "_s + recordedText(document) + u'.').toStdString());
    if (document.study->rules() != defaultWorkRules())
        addParagraph(report, "Work is filed as communication, copy and compute by rules of the "
                             "user's own.");
    for (const Finding &finding : document.study->findings())
        addParagraph(report, printable(document.shown(finding.sentence)), Tone::Warning);
    if (!document.study->devices().empty())
        addFigure(report, "time", number,
                  u"Where the time of each device went in %1: the parts add up to its span"_s
                      .arg(document.completeSteps.empty() ? u"the whole recording"_s
                                                          : stepsText(document))
                      .toStdString());
    addFigure(report, "timeline", number, "Everything that was recorded over time");
    for (std::size_t at = 0; at < kProfileTabCount; ++at)
        addFirstRows(report, profileTable(document, {static_cast<ProfileTab>(at)}, {}), unit);
}

namespace {

ProfileDataOptions laneOptions(const ProfileDocument &document, std::size_t largest)
{
    ProfileDataOptions options;
    options.largest = largest;
    for (const TimelineSection &section : timelineSections(document)) {
        if (!section.groups.empty())
            options.sections.push_back(
                {sectionTitle(document, section).toStdString(), section.groups});
    }
    for (const RowGroup &group : document.rows->groups)
        options.groupTitles.push_back(groupTitle(document, group).toStdString());
    options.text = [&document](StringId text) { return std::string(document.text(text)); };
    options.keepsPicture = !document.memory.empty();
    options.origin = document.origin;
    options.end = document.end;
    options.colors = sliceColors(lightTheme());
    options.darkColors = sliceColors(darkTheme());
    return options;
}

} // namespace

std::vector<ReportFigure> profileFigures(const ProfilePointer &document, std::size_t number,
                                         const FigureOptions &options)
{
    std::vector<ReportFigure> figures;
    if (!document->study->devices().empty())
        figures.push_back(
            barsFigure(figureId("time", number), barTimes(document->typical()), BarScale::Each));
    figures.push_back({figureId("timeline", number),
                       [document, unit = options.unit](int width, const Theme &theme) {
                           StagedTimeline timeline(document, unit);
                           return widgetDrawing(timeline, {width, kTimelineHeight}, theme);
                       }});
    if (options.largest > 0)
        figures.back().data = [document, largest = options.largest] {
            return profileData(*document->study, *document->rows, laneOptions(*document, largest));
        };
    return figures;
}

} // namespace vramscope
