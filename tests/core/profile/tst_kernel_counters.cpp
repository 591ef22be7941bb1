// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/profile/kernel_counters.h"
#include "core/profile/kernel_names.h"
#include "core/profile/profile_study.h"
#include "tests/core/profile/stated_profile.h"
#include "tests/support/test.h"

using namespace vramscope;
using namespace Qt::StringLiterals;

namespace {

CounterLaunch launch(const std::string &name, double occupancy, std::int64_t duration = 1000)
{
    CounterLaunch made;
    made.name = name;
    made.duration = duration;
    made.values[0] = occupancy;
    return made;
}

std::shared_ptr<const ProfilerTables> counted(std::vector<CounterLaunch> launches)
{
    ProfilerTables tables;
    tables.tool = TableTool::NsightCompute;
    tables.launches = std::move(launches);
    return std::make_shared<const ProfilerTables>(std::move(tables));
}

QString said(const KernelCounters &counters)
{
    std::string text;
    for (const std::string &each : joinSentences(counters))
        text += each + '\n';
    return QString::fromStdString(text);
}

const KernelRow *rowOf(const ProfileStudy &study, std::string_view name)
{
    for (const KernelRow &row : study.kernels().rows) {
        if (study.profile().text(row.name) == name)
            return &row;
    }
    return nullptr;
}

} // namespace

/// Counters of Nsight Compute beside the kernels of a recording.
class TestKernelCounters : public test::Test
{
    Q_OBJECT

private Q_SLOTS:
    void namesOfSeveralToolsAreOne_data()
    {
        QTest::addColumn<QByteArray>("one");
        QTest::addColumn<QByteArray>("other");
        QTest::addColumn<bool>("alike");
        const auto row = [](const char *name, const char *one, const char *other, bool alike) {
            QTest::newRow(name) << QByteArray(one) << QByteArray(other) << alike;
        };
        row("blanks and arguments", "void at::f<4, T<float> >(int, T<float>)",
            "at::f<4,T<float>>(int, T1)", true);
        row("casts", "void at::f<4, true, 16ul>(int)",
            "void at::f<(int)4, (bool)1, (unsigned long)16>(int)", true);
        row("negative numbers", "f<-1>", "void f<(int)-1>(float*)", true);
        row("no namespace", "at::(anonymous namespace)::f(int)", "void at::<unnamed>::f(T1)", true);
        row("no argument list", "(anonymous namespace)::f", "<unnamed>::f(int)", true);
        row("functors as arguments", "f<g(int)>(int)", "f<g(int)>(T1)", true);
        row("other numbers", "f<4>(int)", "f<8>(int)", false);
        row("other namespaces", "a::f(int)", "b::f(int)", false);
    }
    void namesOfSeveralToolsAreOne()
    {
        QFETCH(QByteArray, one);
        QFETCH(QByteArray, other);
        QFETCH(bool, alike);
        const KernelNameKey first = kernelNameKey(one.toStdString());
        const KernelNameKey second = kernelNameKey(other.toStdString());
        QCOMPARE(first.whole == second.whole, alike);
        QCOMPARE(first.base, second.base);
        QVERIFY(!first.whole.empty() && !first.base.empty());
    }

    void anyNameHasAKey()
    {
        for (const char *name :
             {"",       ")",          "(",        ">",        "<",     "()",   "<>", "void ",
              "f<",     "f>",         "f(",       "f)",       "::",    "a::",  ",(", "<(",
              "<(int)", "operator->", "f<(a>>>(", "\xff\xfe", "(((((", ")))))"})
            (void)kernelNameKey(name);
        QCOMPARE(kernelNameKey("ampere_sgemm_128x64_nt").base, "ampere_sgemm_128x64_nt");
    }

    void launchesAreJoinedInTheirOrder()
    {
        test::StatedProfile stated;
        stated.work({"void gemm<4>(int)", 0, 100}).work({"void gemm<4>(int)", 200, 500});
        stated.work({"scale", 600, 700});
        const auto profile = stated.done();
        const auto tables =
            counted({launch("gemm<(int)4>(int)", 10), launch("gemm<(int)4>(int)", 50),
                     launch("scale", 80), launch("scale", 90), launch("x", 1)});
        const ProfileStudy study(profile, defaultWorkRules(), tables);
        const KernelCounters &counters = *study.counters();
        QCOMPARE(counters.joined, 3);
        QCOMPARE(counters.kernels, 3);
        QCOMPARE(counters.tooMany, 1);
        QCOMPARE(counters.otherName, 1);
        QCOMPARE(counters.assumedFirst, 0);
        const KernelRow *gemm = rowOf(study, "void gemm<4>(int)");
        QVERIFY(gemm);
        QCOMPARE(gemm->counters.joined(), 2);
        // by the times of the recording: 100 and 300
        QCOMPARE(gemm->counters.mean(KernelCounter::Occupancy), std::optional(40.0));
        QVERIFY(!gemm->counters.mean(KernelCounter::SmThroughput));
        QVERIFY(said(counters).contains(u"3 of 5 launches"_s));
        QVERIFY(said(counters).contains(u"no SM throughput"_s));
        QVERIFY(said(counters).contains(u"locked clocks"_s));
    }

    void aPartIsTakenAsTheFirstAndSaidSo()
    {
        test::StatedProfile stated;
        for (int at = 0; at < 5; ++at)
            stated.work({"gemm", at * 100, at * 100 + 50});
        const auto profile = stated.done();
        const KernelCounters counters =
            joinCounters(*profile, counted({launch("gemm", 10), launch("gemm", 20)}));
        QCOMPARE(counters.launch, (std::vector<std::uint32_t>{0, 1, kNoRow, kNoRow, kNoRow}));
        QCOMPARE(counters.assumedFirst, 2);
        QVERIFY(said(counters).contains(u"which launches were skipped"_s));
        QVERIFY(said(counters).contains(u"3 kernels have no counters"_s));
    }

    void theFunctionAloneMeansEveryKernelOfIt()
    {
        test::StatedProfile stated;
        stated.work({"void at::f<4, Add>(int)", 0, 10}).work({"void at::f<4, Mul>(int)", 20, 30});
        const auto profile = stated.done();
        QCOMPARE(joinCounters(*profile, counted({launch("f", 1), launch("f", 2)})).joined, 2);
        // Another instance is another kernel.
        QCOMPARE(joinCounters(*profile, counted({launch("at::f<4, Div>(int)", 1)})).otherName, 1);
        test::StatedProfile bare; // as nsys's short names are
        bare.work({"f", 0, 10});
        QCOMPARE(joinCounters(*bare.done(), counted({launch("at::f<4, Add>(int)", 1)})).joined, 1);
    }

    void noKernelIsTakenTwice()
    {
        test::StatedProfile stated;
        stated.work({"f(int)", 0, 10}).work({"f(long)", 20, 30});
        const auto profile = stated.done();
        const KernelCounters counters = joinCounters(
            *profile, counted({launch("f(int)", 1), launch("f", 2), launch("f(T1)", 3)}));
        QCOMPARE(counters.joined, 2);
        QCOMPARE(counters.tooMany, 1);
        QCOMPARE(counters.launch, (std::vector<std::uint32_t>{0, 1}));
    }

    void devicesCountWhereTheRecordingHasThem()
    {
        test::StatedProfile stated;
        stated.work({.name = "f", .start = 0, .end = 10, .device = 0});
        stated.work({.name = "f", .start = 20, .end = 30, .device = 1});
        const auto profile = stated.done();
        CounterLaunch second = launch("f", 1);
        second.device = 1;
        QCOMPARE(joinCounters(*profile, counted({second})).launch,
                 (std::vector<std::uint32_t>{kNoRow, 0}));
        second.device = 5; // a number of another run: any
        QCOMPARE(joinCounters(*profile, counted({second})).launch,
                 (std::vector<std::uint32_t>{0, kNoRow}));
    }

    void copiesAndFillsAreNoKernels()
    {
        test::StatedProfile stated;
        stated.work({.name = "Memcpy", .start = 0, .end = 10, .kind = WorkKind::Copy});
        const KernelCounters counters =
            joinCounters(*stated.done(), counted({launch("Memcpy", 1)}));
        QVERIFY(said(counters).startsWith(u"Nothing of Nsight Compute's 1 launch"_s));
        QCOMPARE(counters.kernels, 0);
        QCOMPARE(counters.otherName, 1);
    }

    void launchesOfAKernelAreCountedTogether()
    {
        const auto kernels = countedKernels(
            *counted({launch("a", 10, 100), launch("b", 50, 1000), launch("a", 30, 300)}));
        QCOMPARE(kernels.size(), 2U);
        QCOMPARE(kernels[0].name, "b");
        QCOMPARE(kernels[1].time, 400);
        QCOMPARE(kernels[1].means.mean(KernelCounter::Occupancy), std::optional(25.0));
    }
};

VRAMSCOPE_TEST(TestKernelCounters)
#include "tst_kernel_counters.moc"
