// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/analysis/live_groups.h"
#include "core/trace/trace_builder.h"
#include "tests/core/analysis/random_trace.h"
#include "tests/support/test.h"

using namespace vramscope;

class TestLiveGroups : public test::Test
{
    Q_OBJECT

private slots:
    void groupsHoldEveryChosenAllocationOnceAndTheLargestFirst();
    void aStackIsToldByItsPythonFrameAndThatOfTheProgram_data();
    void aStackIsToldByItsPythonFrameAndThatOfTheProgram();
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

void TestLiveGroups::aStackIsToldByItsPythonFrameAndThatOfTheProgram_data()
{
    QTest::addColumn<QStringList>("files"); // innermost first
    QTest::addColumn<int>("made");          // place in the stack; -1: none
    QTest::addColumn<int>("from");
    const QString library = QStringLiteral("/opt/lib/python3.12/site-packages/torch/nn/linear.py");
    const QString own = QStringLiteral("/home/me/model.py");
    const QString native = QStringLiteral("??");
    QTest::newRow("empty") << QStringList() << -1 << -1;
    QTest::newRow("native only") << QStringList{native, native} << 0 << -1;
    QTest::newRow("program only") << QStringList{own, own} << 0 << -1;
    QTest::newRow("below native") << QStringList{native, own, own} << 1 << -1;
    QTest::newRow("library called by the program")
        << QStringList{native, library, library, own, own} << 1 << 3;
    QTest::newRow("library only") << QStringList{native, library, library} << 1 << -1;
}

void TestLiveGroups::aStackIsToldByItsPythonFrameAndThatOfTheProgram()
{
    QFETCH(QStringList, files);
    QFETCH(int, made);
    QFETCH(int, from);
    TraceBuilder builder;
    std::vector<FrameId> frames;
    for (int at = 0; at < files.size(); ++at)
        frames.push_back(builder.internFrame("f", files[at].toStdString(), at));
    const StackId stack = builder.internStack(frames);
    const auto trace = std::move(*builder.finish());
    const StackPlace place = placeOf(*trace, stack);
    QCOMPARE(place.made == nullptr ? -1 : place.made->line, made);
    QCOMPARE(place.from == nullptr ? -1 : place.from->line, from);
}

QTEST_APPLESS_MAIN(TestLiveGroups)
#include "tst_live_groups.moc"
