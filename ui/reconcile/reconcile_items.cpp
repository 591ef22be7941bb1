// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/reconcile/reconcile_items.h"

#include "core/describe/reconcile_tables.h"
#include "core/print/plan_report.h"
#include "core/print/reconcile_report.h"
#include "ui/reconcile/reconcile_rows.h"
#include "ui/stage/slide_bars.h"
#include "ui/stage/stage_views.h"
#include "ui/support/text.h"

#include <algorithm>
#include <cmath>

namespace vramscope {

using namespace Qt::StringLiterals;

namespace {

const QString kPredicted = u"predicted"_s;
const QString kRecorded = u"recorded"_s;

Bytes difference(const MatchedMoment &moment)
{
    return moment.recorded.total() - moment.predicted.total();
}

StageScene answerScene(const StagedReconciliation &of)
{
    const Reconciliation &held = of.held;
    const QString verdict = toQString(reconcileVerdict(held, of.unit));
    const MatchedMoment &moment = held.comparedMoment();
    std::vector<std::pair<QString, Bytes>> levels{{kPredicted, moment.predicted.total()}};
    if (moment.found)
        levels.emplace_back(kRecorded, moment.recorded.total());
    QStringList remarks{stepLine(held), failedText(held, of.unit)};
    remarks.removeAll(QString());
    return {verdict, std::make_shared<SlideBarsView>(
                         levelBars(levels, of.unit, of.capacity, std::move(remarks)))};
}

StageScene momentsScene(const StagedReconciliation &of)
{
    const std::vector<MatchedMoment> &moments = of.held.moments;
    const auto found = std::ranges::count(moments, true, &MatchedMoment::found);
    QString headline =
        u"%1 of %2 moments were found in the recording"_s.arg(found).arg(moments.size());
    const MatchedMoment *farthest = nullptr;
    for (const MatchedMoment &moment : moments) {
        const bool both = moment.found && !moment.predictedAt.empty();
        if (both && (!farthest || std::abs(difference(moment)) > std::abs(difference(*farthest))))
            farthest = &moment;
    }
    if (farthest && difference(*farthest) != 0)
        headline +=
            u"; farthest apart %1, by %2"_s.arg(toQString(momentPhrase(farthest->name)),
                                                signedBytesText(difference(*farthest), of.unit));
    auto chart = std::make_shared<StackedBarChart>(Qt::Horizontal);
    chart->setUnit(of.unit);
    chart->setLegendVisible(true);
    chart->setContent(reconcileBars(of.held, of.capacity));
    return {headline + u'.', chart};
}

StageScene wayScene(const StagedReconciliation &of)
{
    const MatchedMoment &moment = of.held.comparedMoment();
    const auto most = std::ranges::max_element(
        of.held.reasons, {}, [](const Reason &reason) { return std::abs(reason.bytes); });
    QString headline = u"From predicted to recorded, %1: %2"_s.arg(
        toQString(momentPhrase(moment.name)), signedBytesText(difference(moment), of.unit));
    if (most != of.held.reasons.end())
        headline += u", most of all “%1”"_s.arg(toQString(most->text));
    return {headline + u'.',
            waterfallView(reconcileWaterfall(of.held),
                          u"The moment was not found in the recording."_s, of.unit)};
}

StageScene reasonsScene(const StagedReconciliation &of)
{
    const Bytes left = of.held.unexplained;
    return {left == 0 ? u"Why they differ: all of it is explained."_s
                      : u"Why they differ: %1 stay unexplained."_s.arg(
                            bytesText(left < 0 ? -left : left, of.unit)),
            tableView(reasonsTable(of.held), of.unit)};
}

StageScene momentScene(const StagedReconciliation &of, std::size_t at)
{
    const MatchedMoment &moment = of.held.moments[at];
    const QString predicted = bytesText(moment.predicted.total(), of.unit);
    const QString headline =
        !moment.found
            ? u"%1: %2 predicted, not found in the recording."_s.arg(momentTitle(moment), predicted)
            : u"%1: %2 predicted, %3 recorded."_s.arg(momentTitle(moment), predicted,
                                                      bytesText(moment.recorded.total(), of.unit));
    return {headline, tableView(matchedPartsTable(moment), of.unit)};
}

StageScene levelsScene(const StagedReconciliation &of)
{
    return {u"The levels of memory, predicted and recorded."_s,
            tableView(levelPairsTable(of.held.levels), of.unit)};
}

StageScene constantsScene(const StagedReconciliation &of)
{
    return {u"Constants that this recording determines better than the catalogue."_s,
            tableView(pickedColumns(calibrationsTable(of.held.calibrations),
                                    {"label", "planned", "recorded", "how"}),
                      of.unit)};
}

} // namespace

std::vector<StageItem> reconcileItems(StagedReconciliation held)
{
    const auto of = std::make_shared<const StagedReconciliation>(std::move(held));
    if (!of->empty.isEmpty())
        return {{"answer", u"The answer"_s, [of] { return StageScene{of->empty, nullptr}; }}};
    std::vector<StageItem> items;
    const auto add = [&](std::string key, const QString &title, bool shown,
                         StageScene (*scene)(const StagedReconciliation &)) {
        items.push_back({std::move(key), title, [of, scene] { return onCard(scene(*of)); }, shown});
    };
    const bool found = of->held.comparedMoment().found;
    add("answer", u"The answer"_s, true, answerScene);
    add("moments", u"The moments of both sides"_s, true, momentsScene);
    if (found) {
        add("way", u"From predicted to recorded"_s, true, wayScene);
        add("reasons", u"Why they differ"_s, true, reasonsScene);
    }
    for (std::size_t at = 0; at < of->held.moments.size(); ++at) {
        const MatchedMoment &moment = of->held.moments[at];
        items.push_back({"moment:" + moment.name, u"Moment: %1"_s.arg(momentTitle(moment)),
                         [of, at] { return onCard(momentScene(*of, at)); }, false});
    }
    add("levels", u"Levels of memory"_s, false, levelsScene);
    if (!of->held.calibrations.empty())
        add("constants", u"Constants from the recording"_s, false, constantsScene);
    return items;
}

} // namespace vramscope
