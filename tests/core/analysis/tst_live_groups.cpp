// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/analysis/costs/costs.h"
#include "tests/core/analysis/random_trace.h"
#include "tests/support/test.h"

using namespace vramscope;

class TestLiveGroups : public test::Test
{
    Q_OBJECT

private slots:
    void groupsHoldEveryChosenAllocationOnceAndTheLargestFirst();
    void thereAreNoneOnceAskedToStop();
};

void TestLiveGroups::groupsHoldEveryChosenAllocationOnceAndTheLargestFirst()
{
    for (unsigned seed = 1; seed <= 10; ++seed) {
        const DeviceTrace trace = test::randomTrace(seed, {.addresses = 100});
        const Allocations allocations(trace);
        const auto live = allocations.liveAfter(200);
        const auto groups = groupByStack(allocations, live);
        std::int64_t count = 0;
        for (std::size_t at = 0; at < groups.size(); ++at) {
            Bytes bytes = 0;
            std::int64_t members = 0;
            for (const AllocationIndex index : live) {
                if (allocations.stack[index] != groups[at].stack)
                    continue;
                if (members++ == 0)
                    QCOMPARE(groups[at].first, index);
                bytes += allocations.size[index];
            }
            QCOMPARE(groups[at].bytes, bytes);
            QCOMPARE(groups[at].count, members);
            QVERIFY(at == 0 || groups[at - 1].bytes >= groups[at].bytes);
            count += members;
        }
        QCOMPARE(count, static_cast<std::int64_t>(live.size()));
    }
}

void TestLiveGroups::thereAreNoneOnceAskedToStop()
{
    const DeviceTrace trace = test::randomTrace(3, {.addresses = 100});
    const Allocations allocations(trace);
    const auto live = allocations.liveAfter(200);
    QVERIFY(!groupByStack(allocations, live, [](double) { return true; }).empty());
    QVERIFY(groupByStack(allocations, live, [](double) { return false; }).empty());
}

VRAMSCOPE_TEST(TestLiveGroups)
#include "tst_live_groups.moc"
