// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/analysis/replayed/address_space.h"
#include "core/analysis/study/study.h"
#include "core/print/trace_findings.h"
#include "core/print/trace_report.h"
#include "core/readers/read_trace.h"
#include "core/trace/trace_builder.h"
#include "tests/core/analysis/built_trace.h"
#include "tests/support/test.h"

#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <array>

#include <algorithm>

using namespace vramscope;

namespace {

std::shared_ptr<const Trace> example()
{
    const QString file = test::projectFile("resources/examples/training-out-of-memory.pickle");
    return readTrace(std::filesystem::path(file.toStdString())).value();
}

std::vector<std::string> kindsOf(const std::vector<Finding> &findings)
{
    std::vector<std::string> kinds;
    for (const Finding &finding : findings)
        kinds.push_back(finding.kind);
    return kinds;
}

} // namespace

class TestTraceFindings : public test::Test
{
    Q_OBJECT

private Q_SLOTS:
    void theMostImportantComesFirst();
    void whatTheSummaryTellsIsThereAtOnce();
    void aLeakIsToldByTheStep();
    void whatIsOrdinaryIsNoFinding();
    void oddRecordsAreListed();
    void theReportOfATraceHasThem();
    void idleMemoryOfPrivatePoolsIsNamed();
};

void TestTraceFindings::idleMemoryOfPrivatePoolsIsNamed()
{
    const auto sentence = [](bool isPrivate) {
        TraceBuilder builder;
        builder.internStream(0);
        const PoolId pool = isPrivate ? builder.internPool({0, 1}) : PoolId::Default;
        const std::array blocks{FinalBlock{.address = 0x7f0000000000U,
                                           .size = 100 * kMiB,
                                           .requested = 100 * kMiB,
                                           .state = BlockState::Allocated},
                                FinalBlock{.address = 0x7f0000000000U + 100 * kMiB,
                                           .size = 924 * kMiB,
                                           .state = BlockState::Inactive}};
        builder.addSegment(
            0, {.address = 0x7f0000000000U, .size = kGiB, .blockCount = 2, .pool = pool}, blocks);
        const std::shared_ptr<const Trace> trace = *builder.finish();
        const Study study(trace, trace->devices().front());
        const std::vector<Finding> findings = findingsOf(study);
        const auto found = std::ranges::find(findings, "idle_reserve", &Finding::kind);
        return QString::fromStdString(found != findings.end() ? found->sentence : "");
    };
    QVERIFY2(sentence(true).contains("924 MiB of the rest are free in private pools"),
             qPrintable(sentence(true)));
    QVERIFY(sentence(false).endsWith("the rest is idle: cached, or between blocks in use."));
}

void TestTraceFindings::theMostImportantComesFirst()
{
    const auto trace = example();
    const Study study(trace, trace->devices().front());
    const std::vector<Finding> findings = findingsOf(study);
    QVERIFY(kindsOf(findings) ==
            (std::vector<std::string>{"out_of_memory", "stranded", "idle_reserve"}));
    QCOMPARE(findings.front().cost, 2'621'440'000);
    QCOMPARE(findings.front().count, 1);
    QCOMPARE(findings.front().event, std::optional<std::int64_t>(3939));
    QVERIFY(findings.front().isBad() && !findings.back().isBad());
    QCOMPARE(findings[1].cost, study.space().bandsAfter(1040).stranded);
    QCOMPARE(findings[1].event, std::optional<std::int64_t>(1040));
    QCOMPARE(findings[1].title, std::string("1.49 GiB reserved but idle between blocks in use"));
    QCOMPARE(findingsOf(study, ByteUnit::Decimal)[1].title,
             std::string("1.60 GB reserved but idle between blocks in use"));
    QVERIFY(findings[1].sentence.starts_with(
        "After event 1,040 as much as 1.49 GiB (1,599,651,840 bytes) were "));
}

void TestTraceFindings::whatTheSummaryTellsIsThereAtOnce()
{
    const auto trace = example();
    const Study study(trace, trace->devices().front());
    const std::vector<Finding> first = findingsSoFar(study);
    QVERIFY(kindsOf(first) == (std::vector<std::string>{"out_of_memory", "idle_reserve"}));
    QVERIFY(!study.isMade(Study::Part::Leaks));
    QCOMPARE(first.front().sentence,
             std::string("At event 3,939 the allocator could not give 2.44 GiB "
                         "(2,621,440,000 bytes)."));
    QVERIFY(study.make({Study::Part::Leaks, Study::Part::Failures}));
    QVERIFY(findingsSoFar(study) == findingsOf(study));
    QVERIFY(findingsSoFar(study).front().sentence.ends_with("the device is full."));
}

void TestTraceFindings::aLeakIsToldByTheStep()
{
    const auto trace = test::LoopWriter({.leakEvery = 1, .annotated = true}).write().trace;
    const Study study(trace, trace->devices().front());
    const std::vector<Finding> findings = findingsOf(study);
    const auto leak = std::ranges::find(findings, "leak", &Finding::kind);
    QVERIFY(leak != findings.end());
    QVERIFY(leak->isBad());
    QCOMPARE(leak->cost, Bytes(4096));
    QCOMPARE(leak->title, std::string("Leak suspected: 4.00 KiB a step"));
    const std::string &why = leak->sentence;
    QVERIFY2(why.starts_with("history  ops.py:3 keeps "), why.c_str());
    QVERIFY2(why.ends_with("that are never freed, growing to the end."), why.c_str());
}

void TestTraceFindings::whatIsOrdinaryIsNoFinding()
{
    const auto trace = test::LoopWriter({.annotated = true}).write().trace;
    const Study study(trace, trace->devices().front());
    for (const std::string &kind : kindsOf(findingsOf(study)))
        QVERIFY(kind != "leak" && kind != "stranded" && kind != "idle_reserve");
}

void TestTraceFindings::oddRecordsAreListed()
{
    TraceBuilder builder;
    builder.internStream(0);
    builder.addEvent(0, {.action = Action::Alloc, .address = 512, .size = 512});
    builder.addProblem("A stack frame without a line.", 77);
    builder.addProblem("A stack frame without a line.", 99);
    const std::shared_ptr<const Trace> trace = std::move(*builder.finish());
    const Study study(trace, trace->devices().front());
    const Finding odd = findingsOf(study).back();
    QCOMPARE(odd.kind, std::string("problems"));
    QCOMPARE(odd.count, std::int64_t(2));
    QVERIFY(!odd.event);
    QVERIFY(odd.sentence.ends_with("\nA stack frame without a line. (2 times, first at byte 77)"));
}

void TestTraceFindings::theReportOfATraceHasThem()
{
    const auto trace = example();
    const QString text = QString::fromStdString(traceText(trace, "a.pickle"));
    QVERIFY2(text.contains("\n  * Out of memory: asked for 2.44 GiB. At event 3,939 the program "),
             qPrintable(text));
    QVERIFY(text.contains(
        "\n  * 1.49 GiB reserved but idle between blocks in use. After event 1,040 "));
    for (const QString &line : text.split('\n'))
        QVERIFY2(line.size() <= 120, qPrintable(line));
    const auto json =
        QJsonDocument::fromJson(QByteArray::fromStdString(traceJson(trace, "a.pickle")));
    const QJsonArray findings = json["devices"][0]["findings"].toArray();
    QCOMPARE(findings.size(), 3);
    QCOMPARE(findings[0]["kind"].toString(), QString("out_of_memory"));
    QCOMPARE(findings[0]["bad"].toBool(), true);
    QCOMPARE(findings[1]["text"].toString(),
             QString("1.49 GiB reserved but idle between blocks in use"));
    QCOMPARE(findings[1]["bytes"].toInteger(), 1'599'651'840);
    QCOMPARE(findings[1]["event"].toInteger(), 1040);
}

VRAMSCOPE_TEST(TestTraceFindings)
#include "tst_trace_findings.moc"
