// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/durations.h"
#include "ui/planner/versus_plans.h"
#include "ui/support/text.h"

#include <algorithm>

namespace vramscope {

using namespace Qt::StringLiterals;

StageScene decisionScene(const StagedPlan &of)
{
    const Versus versus(planSides(of));
    const std::size_t count = versus.sides.size();
    SlideTable table{.columns = {""}, .words = {0}};
    for (std::size_t at = 0; at < count; ++at)
        table.columns.push_back(versus.head(at).toStdString());
    std::vector<QStringList> wins(count);
    const auto row = [&](const QString &name, const QString &reason, const auto &text,
                         const auto &figure) {
        std::vector<std::string> cells{name.toStdString()};
        for (std::size_t at = 0; at < count; ++at)
            cells.push_back(text(at));
        if (const auto least = versus.leastOf(figure)) {
            table.best.emplace_back(table.rows.size(), least->first + 1);
            wins[least->first] += reason;
        }
        table.rows.push_back(std::move(cells));
    };
    const auto estimate = [&](std::size_t at) -> const Estimate & {
        return *versus.sides[at].estimate;
    };
    if (versus.timed()) {
        row(
            tokensText(versus.tokens) + u" take"_s, u"time"_s,
            [&](std::size_t at) { return formatSeconds(versus.seconds(at).likely); },
            [&](std::size_t at) { return versus.seconds(at).likely; });
        row(
            u"Tokens a second"_s, {},
            [&](std::size_t at) {
                return formatRounded(versus.times[at]->tokensPerSecond().likely);
            },
            [&](std::size_t at) { return 1 / versus.times[at]->tokensPerSecond().likely; });
    }
    row(
        u"GPUs"_s, u"the number of GPUs"_s,
        [&](std::size_t at) { return shortGpusText(*estimate(at).settings).toStdString(); },
        [&](std::size_t at) { return double(versus.gpus(at)); });
    if (versus.timed())
        row(
            versus.priced() ? u"Price"_s : u"GPU hours"_s,
            versus.priced() ? u"the price"_s : u"the GPU hours"_s,
            [&](std::size_t at) { return formatRounded(versus.cost(at).likely); },
            [&](std::size_t at) { return versus.cost(at).likely; });
    row(
        u"Spare on each GPU"_s, u"spare memory"_s,
        [&](std::size_t at) {
            const auto &spare = estimate(at).headroom;
            return spare ? numberText(formatBytes(*spare, of.unit)).toStdString() : "not known";
        },
        [&](std::size_t at) {
            constexpr double kNone = 1e-3;
            return 1 / std::max(kNone, double(estimate(at).headroom.value_or(0)));
        });
    QStringList sentences;
    for (std::size_t at = 0; at < count; ++at) {
        wins[at].removeAll(QString());
        if (!wins[at].isEmpty())
            sentences += u"%1 if %2 %3"_s.arg(
                versus.sides[at].shortName, wins[at].join(u" or "_s),
                wins[at].last() == u"the GPU hours" && wins[at].size() == 1 ? u"decide"_s
                                                                            : u"decides"_s);
    }
    StageScene scene;
    scene.headline = versus.allFit() && !sentences.isEmpty() ? capitalized(sentences.join(u"; "_s))
                                                             : versus.chosen(of.unit);
    scene.table = std::move(table);
    scene.kicker =
        u"The better figure is green; figures within %1 % of each other count as equal"_s.arg(
            qRound(100 * Versus::kAlike));
    scene.foot = sidesFoot(versus.sides);
    scene.speech = QStringList{versus.chosen(of.unit)} + figuresOf(versus, of.unit);
    return scene;
}

} // namespace vramscope
