// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/page/plan_data.h"
#include "core/plan/plan.h"
#include "tests/core/page/page_document.h"
#include "tests/core/planner/sample_plans.h"
#include "tests/support/test.h"

#include <algorithm>
#include <numeric>

using namespace vramscope;

class TestPlanData : public test::Test
{
    Q_OBJECT

private Q_SLOTS:
    void hasEveryPartOfEveryMomentWithItsFormula()
    {
        const Estimate needs = estimate(test::shardedPlan(8));
        QVERIFY(needs.computed);
        const auto page = test::readPageDocument(
            planData(needs, {ByteUnit::Decimal, {{"Parameters", "#123456"}}}));
        QVERIFY(page.isRead);
        QCOMPARE(page.head["unit"].toString(), QStringLiteral("decimal"));
        QCOMPARE(page.head["capacity"].toInteger(), *needs.capacity);
        QCOMPARE(page.head["peak"].toInteger(), std::int64_t(needs.peakMoment));
        QCOMPARE(page.head["moments"].toArray().size(), std::ssize(needs.moments));
        std::size_t row = 0;
        for (std::size_t at = 0; at < needs.moments.size(); ++at) {
            QCOMPARE(page.head["moments"][int(at)].toString().toStdString(),
                     needs.moments[at].name + (at == needs.peakMoment ? " (peak)" : ""));
            const auto place = [&] {
                return static_cast<std::size_t>(page.numbers.at("component")[row]);
            };
            const auto matches = [&](const Component &component, std::int64_t part) {
                const bool same = page.numbers.at("moment")[row] == std::int64_t(at) &&
                                  page.numbers.at("part")[place()] == part &&
                                  page.numbers.at("bytes")[row] == component.bytes &&
                                  page.texts.at("name")[place()] == component.name &&
                                  page.texts.at("formula")[place()] == component.formula &&
                                  page.texts.at("source")[place()] == component.source;
                ++row;
                return same;
            };
            for (const Component &component : needs.moments[at].components)
                QVERIFY(matches(component, std::int64_t(component.category)));
            if (at != needs.peakMoment)
                continue;
            for (const Component &component : needs.outside)
                QVERIFY(matches(component, kCategoryCount));
        }
        QCOMPARE(row, page.numbers.at("bytes").size());
    }

    void explainsEveryPointOfAStep()
    {
        const Estimate needs = estimate(test::shardedPlan(8));
        const Lifecycle points = lifecycle(needs);
        QVERIFY(points.steadyStep.size() > needs.moments.size());
        std::size_t partial = 0;
        for (const LifecyclePoint &point : points.steadyStep) {
            Bytes sum = 0;
            for (const auto &each : componentsAt(needs, points, point, ByteUnit::Binary)) {
                sum += each.bytes;
                QVERIFY(!each.formula.empty());
                const bool isPartial = each.formula.starts_with("of at most ");
                partial += isPartial ? 1 : 0;
                // What is not partial is in a moment just like that.
                const auto isSame = [&](const Component &component) {
                    return component.name == each.name && component.bytes == each.bytes;
                };
                QCOMPARE(isPartial, std::ranges::none_of(needs.moments, [&](const Moment &moment) {
                             return std::ranges::any_of(moment.components, isSame);
                         }));
            }
            QCOMPARE(sum, point.allocated);
        }
        QVERIFY(partial > 0);
    }
};

VRAMSCOPE_TEST(TestPlanData)
#include "tst_plan_data.moc"
