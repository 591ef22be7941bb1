// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/compare/compare_items.h"

#include "core/describe/trace_tables.h"
#include "ui/compare/compare_legend.h"
#include "ui/compare/compare_view.h"
#include "ui/compare/difference_view.h"
#include "ui/models/data_table_model.h"
#include "ui/models/stack_text.h"
#include "ui/page/layout.h"
#include "ui/stage/slide_bars.h"
#include "ui/stage/stage_item.h"
#include "ui/stage/stage_views.h"
#include "ui/support/text.h"

#include <QVBoxLayout>

#include <algorithm>
#include <map>

namespace vramscope {

using namespace Qt::StringLiterals;

ComparedCurves::ComparedCurves(const StagedComparison &of, bool namesAlone)
    : m_document(of.document)
    , m_scene(m_document, of.options)
{
    auto *state = new TimelineState(this);
    m_view = new CompareView(state);
    auto *legend = new CompareLegend;
    if (namesAlone)
        legend->showNamesAlone();
    legend->setTraces(m_document);
    setLayout(column({legend, {m_view, 1}}, kStyleSpacing));
    m_view->setUnit(of.unit);
    state->reset(m_scene.axis(), m_scene.wholeBytes());
    m_view->setScene(&m_document, &m_scene, of.anchorText);
}

ComparedCurves::~ComparedCurves()
{
    m_view->setScene(nullptr, nullptr, {});
}

namespace {

constexpr std::size_t kMostSites = 6; ///< that are read from afar

/// The comparison, and the pairs that were compared so far.
struct StagedPairs
{
    StagedComparison of;
    std::map<std::size_t, std::shared_ptr<const TracePair>> pairs; ///< the first and this one

    [[nodiscard]] const DeviceSummary &summary(std::size_t at) const
    {
        return of.document.traces[at].shown().summary();
    }
    [[nodiscard]] PairSide side(std::size_t at) const
    {
        const Study &device = of.document.traces[at].shown();
        return {of.document.traces[at], at,
                device.hasHistory() ? device.curve().peakActiveEvent()
                                    : device.device().events.count() - 1};
    }
    std::shared_ptr<const TracePair> pair(std::size_t at)
    {
        std::shared_ptr<const TracePair> &made = pairs[at];
        if (!made)
            made = compare(side(0), side(at));
        return made;
    }
    [[nodiscard]] QString text(Bytes bytes) const { return bytesText(bytes, of.unit); }
};

StageScene answerScene(StagedPairs &of)
{
    const std::size_t count = of.of.document.traces.size();
    std::size_t most = 0;
    std::size_t least = 0;
    std::vector<std::pair<QString, Bytes>> levels;
    for (std::size_t at = 0; at < count; ++at) {
        const Bytes peak = of.summary(at).peakActive;
        most = peak > of.summary(most).peakActive ? at : most;
        least = peak < of.summary(least).peakActive ? at : least;
        levels.emplace_back(titleOf(of.of.document.traces[at], at), peak);
    }
    if (count == 2)
        return {differenceText(*of.pair(1), of.of.unit) + u", each at its peak."_s,
                std::make_shared<SlideBarsView>(levelBars(levels, of.of.unit))};
    const Bytes apart = of.summary(most).peakActive - of.summary(least).peakActive;
    const QString headline =
        apart == 0 ? u"All of them peak at %1."_s.arg(of.text(of.summary(most).peakActive))
                   : u"%1 peaks highest, %2 above %3, which peaks lowest."_s.arg(
                         letterOf(most), of.text(apart), letterOf(least));
    return {headline, std::make_shared<SlideBarsView>(levelBars(levels, of.of.unit))};
}

StageScene curvesScene(const StagedPairs &of)
{
    const QString anchor = of.of.anchorText;
    const QString what =
        of.of.options.quantity == Quantity::Active ? u"Memory in use"_s : u"Memory reserved"_s;
    const QString laid = anchor.isEmpty() ? u"from their beginnings"_s : u"aligned at "_s + anchor;
    return {u"%1, %2."_s.arg(what, laid), std::make_shared<ComparedCurves>(of.of, true)};
}

StageScene sitesScene(StagedPairs &of, std::size_t at)
{
    const auto pair = of.pair(at);
    DataTable table =
        sitesTable(pair->a.recorded(), pair->b.recorded(), pair->sites, lettersOf(*pair));
    table.columns.resize(*table.columnOf("count_a")); // the place and the bytes
    const std::vector<FactRow> rows = factRows(table, kMostSites, of.of.unit);
    QString headline = differenceText(*pair, of.of.unit);
    // The place that says so most; the largest difference may be the other way.
    const Bytes delta = wrappingDifference(pair->bytesB, pair->bytesA);
    for (std::size_t row = 0; delta != 0 && row < rows.size(); ++row) {
        const ComparedSite &site = pair->sites[row];
        if ((site.delta() > 0) != (delta > 0))
            continue;
        const bool inB = site.countB > 0;
        headline += u", most of all at %1"_s.arg(
            siteName((inB ? pair->b : pair->a).recorded(), inB ? site.stackB : site.stackA));
        break;
    }
    return onCard({headline + u'.', tableView(slideTable(table, rows))});
}

StageScene flameScene(StagedPairs &of, std::size_t at)
{
    auto view = std::make_shared<DifferenceView>();
    view->setUnit(of.of.unit);
    view->setPair(of.pair(at));
    return onCard(
        {u"Where %1 holds more than %2, and where less."_s.arg(letterOf(at), letterOf(0)), view});
}

StageScene settingsScene(StagedPairs &of, std::size_t at)
{
    const auto pair = of.pair(at);
    const std::string none = "not recorded";
    SlideTable table{.columns = {"setting", letterOf(0).toStdString(), letterOf(at).toStdString()},
                     .words = {0, 1, 2}};
    for (const SettingDifference &one : pair->settings)
        table.rows.push_back({one.name, one.a.value_or(none), one.b.value_or(none)});
    const auto count = std::ssize(table.rows);
    const QString headline = count == 0   ? u"No setting of the allocator differs"_s
                             : count == 1 ? u"One setting of the allocator differs"_s
                                          : u"%1 settings of the allocator differ"_s.arg(count);
    const QString text = u"%1 between %2 and %3."_s.arg(headline, letterOf(0), letterOf(at));
    if (table.rows.empty())
        return {text, nullptr};
    return onCard({text, tableView(table)});
}

} // namespace

std::vector<StageItem> comparisonItems(StagedComparison comparison)
{
    const auto of = std::make_shared<StagedPairs>(StagedPairs{std::move(comparison), {}});
    const std::size_t count = of->of.document.traces.size();
    std::vector<StageItem> items{
        {"answer", u"The answer"_s, [of] { return onCard(answerScene(*of)); }}};
    if (CompareScene(of->of.document, of->of.options).valid())
        items.push_back({"curves", u"The curves on one axis"_s, [of] { return curvesScene(*of); }});
    for (std::size_t at = 1; at < count; ++at) {
        const std::string letter = letterOf(at).toStdString();
        const auto add = [&](const char *key, const QString &title, bool shown,
                             StageScene (*scene)(StagedPairs &, std::size_t)) {
            items.push_back({key + letter, title.arg(letterOf(at), letterOf(0)),
                             [of, at, scene] { return scene(*of, at); }, shown});
        };
        add("sites:", u"%1 against %2: the places"_s, true, sitesScene);
        add("flame:", u"%1 against %2: flame graph"_s, count == 2, flameScene);
        add("settings:", u"%1 against %2: settings"_s, false, settingsScene);
    }
    QStringList problems;
    for (const ComparedTrace &each : of->of.document.traces)
        problems += problemTexts(each.shown().trace().problems(), each.title + u": "_s);
    return behindProblems(std::move(items), problems);
}

} // namespace vramscope
