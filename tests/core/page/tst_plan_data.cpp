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
                     needs.moments[at].name);
            const auto matches = [&](const Component &component, std::int64_t part) {
                const bool same = page.numbers.at("moment")[row] == std::int64_t(at) &&
                                  page.numbers.at("part")[row] == part &&
                                  page.numbers.at("bytes")[row] == component.bytes &&
                                  page.texts.at("name")[row] == component.name &&
                                  page.texts.at("formula")[row] == component.formula &&
                                  page.texts.at("source")[row] == component.source;
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
};

VRAMSCOPE_TEST(TestPlanData)
#include "tst_plan_data.moc"
