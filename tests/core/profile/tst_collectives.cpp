// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/profile/collectives.h"
#include "tests/core/profile/stated_profile.h"
#include "tests/support/test.h"

using namespace vramscope;
using test::StatedProfile;

class TestCollectives : public test::Test
{
    Q_OBJECT

private Q_SLOTS:
    void aKindIsReadFromTheName_data();
    void aKindIsReadFromTheName();
    void messageBytesAreThoseOfTheKind();
    void bandwidthsFollowNcclTests();
    void callsThatStateTheSameAreOneRow();
    void streamsAreGroupsWhereNoneIsNamed();
    void aHugeMessageIsNotKnown();
};

void TestCollectives::aKindIsReadFromTheName_data()
{
    QTest::addColumn<QString>("name");
    QTest::addColumn<QString>("kind");
    const auto row = [](const char *name, const char *kind) {
        QTest::newRow(name) << name << kind;
    };
    row("ncclDevKernel_AllReduce_Sum_f32_RING_LL", "allreduce");
    row("_allgather_base", "allgather");
    row("_reduce_scatter_base", "reducescatter");
    row("all_to_allv", "alltoall");
    row("All2All", "alltoall");
    row("ncclKernel_SendRecv_RING_SIMPLE", "sendrecv");
    row("ncclDevKernel_Generic", "unknown");
    row("void aiter::cross_device_reduce_2stage", "allreduce");
    row("ncclKernel_Reduce_RING", "reduce");
    row("gather", "gather");
    row("barrier", "barrier");
}

void TestCollectives::aKindIsReadFromTheName()
{
    QFETCH(QString, name);
    QFETCH(QString, kind);
    QCOMPARE(QString::fromStdString(std::string(textOf(collectiveKind(name.toStdString())))), kind);
}

void TestCollectives::messageBytesAreThoseOfTheKind()
{
    const auto bytesOf = [](const char *kind, std::int64_t sent, std::int64_t got) {
        ProfileBuilder builder;
        ProfileEvent event;
        event.kind = ProfileEventKind::Work;
        event.name = builder.internText("ncclKernel");
        event.statesCollective = true;
        event.collective.isNamed = true;
        event.collective.name = builder.internText(kind);
        event.collective.dtype = builder.internText("BFloat16");
        event.collective.sent = sent;
        event.collective.got = got;
        builder.add(event);
        const ProfileStudy study(builder.finish([] { return true; }));
        return study.collectives().calls.front().bytes.value();
    };
    QCOMPARE(bytesOf("_allgather_base", 10, 80), 160);
    QCOMPARE(bytesOf("_reduce_scatter_base", 80, 10), 160);
    QCOMPARE(bytesOf("all_to_all", 30, 50), 60);
    QCOMPARE(bytesOf("broadcast", 30, 50), 100);
}

void TestCollectives::bandwidthsFollowNcclTests()
{
    const Bandwidth reduced = bandwidth(CollectiveKind::AllReduce, 1000, 4, 10);
    QCOMPARE(reduced.algorithm.value(), 100.0);
    QCOMPARE(reduced.bus.value(), 150.0);
    QCOMPARE(bandwidth(CollectiveKind::AllGather, 1000, 4, 10).bus.value(), 75.0);
    QCOMPARE(bandwidth(CollectiveKind::Broadcast, 1000, 4, 10).bus.value(), 100.0);
    QVERIFY(!bandwidth(CollectiveKind::AllReduce, 1000, std::nullopt, 10).bus);
    QVERIFY(!bandwidth(CollectiveKind::AllReduce, std::nullopt, 4, 10).algorithm);
    QVERIFY(!bandwidth(CollectiveKind::AllReduce, 1000, 4, 0).algorithm);
    QVERIFY(!bandwidth(CollectiveKind::Unknown, 1000, 4, 10).bus);
}

void TestCollectives::callsThatStateTheSameAreOneRow()
{
    const auto study = StatedProfile()
                           .collective({"allreduce", 0, 100, 50})
                           .collective({"allreduce", 200, 500, 50})
                           .collective({"allreduce", 600, 610, 51})
                           .work({"gemm", 250, 300})
                           .study();
    const std::vector<CollectiveRow> &rows = study->collectiveTable();
    QCOMPARE(rows.size(), std::size_t(2));
    QCOMPARE(rows[0].count, 2);
    QCOMPARE(rows[0].total, 400);
    QCOMPARE(rows[0].exposed, 350);
    QCOMPARE(rows[0].shortest, 100);
    QCOMPARE(rows[0].first.bytes.value(), 200);
    QCOMPARE(rows[0].atLeast.algorithm.value(), 1.0); // 2 × 200 bytes in 400 ns
}

void TestCollectives::streamsAreGroupsWhereNoneIsNamed()
{
    const auto study = StatedProfile()
                           .work({"ncclAllReduce", 0, 1, 20})
                           .work({"ncclAllReduce", 2, 3, 13})
                           .work({"ncclAllReduce", 4, 5, 20})
                           .study();
    const Collectives &all = study->collectives();
    QCOMPARE(all.groups, (std::vector<std::string>{"#0", "#1"}));
    QCOMPARE(all.calls[2].group, all.calls[0].group);
    QVERIFY(all.calls[1].group != all.calls[0].group);
}

void TestCollectives::aHugeMessageIsNotKnown()
{
    const auto study =
        StatedProfile()
            .collective({"allreduce", 0, 100, std::numeric_limits<std::int64_t>::max()})
            .study();
    QVERIFY(!study->collectiveTable()[0].first.bytes);
}

VRAMSCOPE_TEST(TestCollectives)
#include "tst_collectives.moc"
