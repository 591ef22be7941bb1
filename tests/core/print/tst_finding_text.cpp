// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/analysis/replayed/address_space.h"
#include "core/analysis/study/study.h"
#include "core/print/finding_text.h"
#include "core/print/trace_report.h"
#include "core/readers/read_trace.h"
#include "core/trace/trace_builder.h"
#include "tests/core/analysis/built_trace.h"
#include "tests/support/test.h"

#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>

#include <algorithm>

using namespace vramscope;
using Kind = Finding::Kind;

namespace {

std::shared_ptr<const Trace> example()
{
    const QString file = test::projectFile("resources/examples/training-out-of-memory.pickle");
    return readTrace(std::filesystem::path(file.toStdString())).value();
}

std::vector<Kind> kindsOf(const std::vector<Finding> &findings)
{
    std::vector<Kind> kinds;
    for (const Finding &finding : findings)
        kinds.push_back(finding.kind);
    return kinds;
}

} // namespace

class TestFindingText : public test::Test
{
    Q_OBJECT

private Q_SLOTS:
    void theMostImportantComesFirst();
    void whatTheSummaryTellsIsThereAtOnce();
    void aLeakIsToldByTheStep();
    void whatIsOrdinaryIsNoFinding();
    void oddRecordsAreListed();
    void theReportOfATraceHasThem();
};

void TestFindingText::theMostImportantComesFirst()
{
    const auto trace = example();
    const Study study(trace, trace->devices().front());
    const std::vector<Finding> &findings = study.findings();
    QVERIFY(kindsOf(findings) ==
            (std::vector{Kind::OutOfMemory, Kind::Stranded, Kind::IdleReserve}));
    QVERIFY(findings.front() == (Finding{Kind::OutOfMemory, 2'621'440'000, 1, 3939}));
    QVERIFY(findings.front().isBad() && !findings.back().isBad());
    QCOMPARE(findings[1].bytes, study.space().bandsAfter(1040).stranded);
    QCOMPARE(findings[1].event, std::optional(EventIndex(1040)));
    QCOMPARE(findingText(study, findings[1]),
             std::string("1.49 GiB reserved but idle between blocks in use"));
    QCOMPARE(findingText(study, findings[1], ByteUnit::Decimal),
             std::string("1.60 GB reserved but idle between blocks in use"));
    QVERIFY(findingExplanation(study, findings[1])
                .starts_with("After event 1,040 as much as 1.49 GiB (1,599,651,840 bytes) were "));
}

void TestFindingText::whatTheSummaryTellsIsThereAtOnce()
{
    const auto trace = example();
    const Study study(trace, trace->devices().front());
    const std::vector<Finding> first = findingsSoFar(study);
    QVERIFY(kindsOf(first) == (std::vector{Kind::OutOfMemory, Kind::IdleReserve}));
    QVERIFY(!study.isMade(Study::Part::Findings));
    QCOMPARE(findingExplanation(study, first.front()),
             std::string("At event 3,939 the allocator could not give 2.44 GiB "
                         "(2,621,440,000 bytes)."));
    QVERIFY(study.make({Study::Part::Findings, Study::Part::Failures}));
    QVERIFY(findingsSoFar(study) == study.findings());
    QVERIFY(findingExplanation(study, first.front()).ends_with("the device is full."));
}

void TestFindingText::aLeakIsToldByTheStep()
{
    const auto trace = test::LoopWriter({.leakEvery = 1, .annotated = true}).write().trace;
    const Study study(trace, trace->devices().front());
    const auto leak = std::ranges::find(study.findings(), Kind::Leak, &Finding::kind);
    QVERIFY(leak != study.findings().end());
    QVERIFY(leak->isBad());
    QCOMPARE(leak->bytes, Bytes(4096));
    QCOMPARE(findingText(study, *leak), std::string("Leak suspected: 4.00 KiB a step"));
    const std::string why = findingExplanation(study, *leak);
    QVERIFY2(why.starts_with("history  ops.py:3 keeps "), why.c_str());
    QVERIFY2(why.ends_with("that are never freed, growing to the end."), why.c_str());
}

void TestFindingText::whatIsOrdinaryIsNoFinding()
{
    const auto trace = test::LoopWriter({.annotated = true}).write().trace;
    const Study study(trace, trace->devices().front());
    for (const Kind kind : kindsOf(study.findings()))
        QVERIFY(kind != Kind::Leak && kind != Kind::Stranded && kind != Kind::IdleReserve);
}

void TestFindingText::oddRecordsAreListed()
{
    TraceBuilder builder;
    builder.internStream(0);
    builder.addEvent(0, {.action = Action::Alloc, .address = 512, .size = 512});
    builder.addProblem("A stack frame without a line.", 77);
    builder.addProblem("A stack frame without a line.", 99);
    const std::shared_ptr<const Trace> trace = std::move(*builder.finish());
    const Study study(trace, trace->devices().front());
    const Finding &odd = study.findings().back();
    QCOMPARE(odd.kind, Kind::Problems);
    QCOMPARE(odd.count, std::int64_t(2));
    QVERIFY(!odd.event);
    QVERIFY(findingExplanation(study, odd)
                .ends_with("\nA stack frame without a line. (2 times, first at byte 77)"));
}

void TestFindingText::theReportOfATraceHasThem()
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

VRAMSCOPE_TEST(TestFindingText)
#include "tst_finding_text.moc"
