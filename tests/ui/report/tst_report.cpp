// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/plan/embedded_plan.h"
#include "core/plan/plan_json.h"
#include "core/readers/read_trace.h"
#include "tests/core/page/page_document.h"
#include "tests/support/test.h"
#include "tests/ui/report/page_check.h"
#include "ui/offscreen/examples.h"
#include "ui/offscreen/read_document.h"
#include "ui/planner/plan_document.h"
#include "ui/report/illustrated_report.h"
#include "ui/trace/trace_document.h"
#include "ui/window/command_line.h"

#include <QDir>
#include <QRegularExpression>
#include <QTemporaryDir>

#include <algorithm>

using namespace vramscope;
using namespace Qt::StringLiterals;

namespace {

bool write(const QString &name, const QByteArray &content)
{
    QFile file(name);
    return file.open(QIODevice::WriteOnly) && file.write(content) == content.size();
}

/// A snapshot of one device whose only frame has these names.
QByteArray snapshotOf(const QByteArray &function, const QByteArray &path)
{
    const QByteArray frames =
        R"([{"name":")" + function + R"(","filename":")" + path + R"(","line":7}])";
    return R"({"segments":[{"device":0,"address":4096,"total_size":2097152,"stream":0,)"
           R"("segment_type":"large","allocated_size":1048576,"active_size":1048576,)"
           R"("requested_size":1048576,"blocks":[{"address":4096,"size":1048576,)"
           R"("requested_size":1048576,"state":"active_allocated","frames":)" +
           frames +
           R"(},{"address":1052672,"size":1048576,"requested_size":0,"state":"inactive","frames":[]}]}],)"
           R"("device_traces":[[{"action":"segment_alloc","addr":4096,"size":2097152,"stream":0,)"
           R"("time_us":1,"frames":)" +
           frames +
           R"(},{"action":"alloc","addr":4096,"size":1048576,"stream":0,"time_us":2,"frames":)" +
           frames + R"(}]]})";
}

DocumentPointer recordingOf(const QByteArray &function, const QByteArray &path)
{
    const QByteArray json = snapshotOf(function, path);
    auto read = readTrace(std::as_bytes(std::span(json.constData(), std::size_t(json.size()))), {});
    return read ? analyse(std::move(read).value()) : nullptr;
}

QString htmlOf(std::vector<ReportSource> sources, const ReportOptions &options = {})
{
    return QString::fromUtf8(reportHtml(makeReport(std::move(sources), options)));
}

Plan examplePlan(const QString &name)
{
    const QString file = test::projectFile(u"resources/examples/"_s + name);
    return readPlan(file.toStdString()).value();
}

/// Without the pictures, which hold any letters.
QString withoutPictures(QString page)
{
    static const QRegularExpression kData(u"data:image/png;base64,[^\"]*"_s);
    return page.remove(kData);
}

/// The texts that the script of a page shows of its last recording.
QStringList recordedTexts(const QString &page)
{
    const QString data = page.section(u"class=\"data\" id=\"active-"_s, -1)
                             .section(u'>', 1)
                             .section(u"</script>"_s, 0, 0);
    const test::PageDocument document = test::readPageDocument(data.toStdString());
    QStringList texts;
    if (const auto found = document.texts.find("texts"); found != document.texts.end()) {
        for (const std::string &text : found->second)
            texts += QString::fromStdString(text);
    }
    return texts;
}

} // namespace

class TestReport : public test::Test
{
    Q_OBJECT

private:
    QTemporaryDir m_folder;

private Q_SLOTS:
    void ofEveryExampleHoldsItsPicturesAndBeginsWithTheAnswer()
    {
        for (const Example &example : examples()) {
            auto document = readDocument(example.path, {});
            QVERIFY(document.ok());
            auto sources = (*document)->reportSources(example.path);
            QVERIFY(sources.ok());
            const QString page = htmlOf(*sources);
            QVERIFY2(page.count(u"<figure>"_s) >= 2, qPrintable(example.title));
            QVERIFY(page.indexOf(u"class=\"answer"_s) < page.indexOf(u"<table"_s));
        }
    }

    void keepsPicturesAsVectorsWithTheirTextsWhereTheyAreSmall()
    {
        const QString page = htmlOf(
            {{u"a.vramplan"_s, planDocument(examplePlan(u"gpt2-small-h100.vramplan"_s)), 0}});
        QCOMPARE(page.count(u"<svg "_s), 8); // two, wide and narrow, light and dark
        QVERIFY(page.contains(u">Optimizer states</text>"_s));
        const QByteArray pdf = reportPdf(makeReport(
            {{u"a"_s, planDocument(examplePlan(u"gpt2-small-h100.vramplan"_s)), 0}}, {}));
        QVERIFY(!pdf.contains("/Width 1360")); // of a picture of pixels
    }

    void isTheSameByteForByteWhenItIsMadeTwice()
    {
        const std::vector<ReportSource> sources{
            {u"a.vramplan"_s, planDocument(examplePlan(u"gpt2-small-h100.vramplan"_s)), 0},
            {u"b.json"_s, recordingOf("train", "train.py"), 0}};
        QCOMPARE(htmlOf(sources), htmlOf(sources));
    }

    void showsHostileNamesAsText()
    {
        const QByteArray odd = "</script></svg><script>evil()</script>\x01&amp;<![CDATA[";
        Plan plan = examplePlan(u"gpt2-small-h100.vramplan"_s);
        plan.name = odd.toStdString();
        plan.model.preset.reset();
        plan.model.config =
            R"({"_name_or_path":"</script><!--&","model_type":"llama","hidden_size":64,)"
            R"("num_attention_heads":4,"num_hidden_layers":2,"intermediate_size":256,)"
            R"("vocab_size":1000})";
        QByteArray function = odd;
        function.replace('\x01', "\\u0001");
        const QString page = htmlOf(
            {{u"a.vramplan"_s, planDocument(plan), 0},
             {u"<img src=x onerror=alert(2)>.json"_s, recordingOf(function, "/x/<b>.py"), 0}});
        QString texts;
        QCOMPARE(test::faultsOf(page, &texts), QStringList());
        QVERIFY(texts.contains(u"<script>evil()</script>"_s));
        QVERIFY(texts.contains(u"<img src=x onerror=alert(2)>.json"_s));
        const std::string text = page.toStdString();
        const auto embedded = embeddedPlan(text);
        QVERIFY(embedded);
        const auto back = parsePlan(*embedded);
        QVERIFY(back.ok() && *back == plan);
    }

    void namesNoPersonWhereItIsRedacted()
    {
        Plan plan = examplePlan(u"gpt2-small-h100.vramplan"_s);
        plan.name = "For mustermann";
        std::vector<ReportSource> sources{
            {u"/home/mustermann/a.vramplan"_s, planDocument(plan), 0},
            {u"/home/mustermann/runs/b.json"_s,
             recordingOf("train", "/home/mustermann/project/train.py"), 0}};
        QVERIFY(htmlOf(sources).contains(u"mustermann"_s));
        const QString page = withoutPictures(htmlOf(sources, {ByteUnit::Binary, true}));
        QVERIFY(!page.contains(u"mustermann"_s));
        QVERIFY(!page.contains(u"/home/"_s));
        QVERIFY(page.contains(u"project/train.py:7"_s));
        QVERIFY(recordedTexts(htmlOf(sources))
                    .contains(u"train  /home/mustermann/project/train.py:7"_s));
        const QString texts = recordedTexts(page).join(u'\n');
        QVERIFY(texts.contains(u"project/train.py"_s));
        QVERIFY(!texts.contains(u"mustermann"_s));
        QVERIFY(!texts.contains(u"/home/"_s));
    }

    void hasTheAllocationsOfARecordingAsFarAsItsReaderWantsThem()
    {
        const std::vector<ReportSource> sources{{u"b.json"_s, recordingOf("train", "train.py"), 0}};
        QCOMPARE(recordedTexts(htmlOf(sources)).count(u"train  train.py:7"_s), 1);
        QCOMPARE(recordedTexts(htmlOf(sources, {ByteUnit::Binary, false, 0})), QStringList());
        const auto plan = planDocument(examplePlan(u"gpt2-small-h100.vramplan"_s));
        QCOMPARE(htmlOf({{u"a"_s, plan, 0}}).count(u"class=\"data\""_s), 2); // bars and step
    }

    void namesNoPersonInAnyTextOfAPlan()
    {
        Plan plan = examplePlan(u"gpt2-small-h100.vramplan"_s);
        plan.name = "Run of mustermann on gpu7.example.org";
        plan.model.preset.reset();
        plan.model.config =
            R"({"_name_or_path":"/home/mustermann/models/tiny","model_type":"llama",)"
            R"("hidden_size":64,"num_attention_heads":4,"num_hidden_layers":2,)"
            R"("intermediate_size":256,"vocab_size":1000})";
        plan.overheads.reservedFactor = 1.1;
        plan.overheads.calibrated = TextList{"reserved_factor from /home/mustermann/run.pickle"};
        Plan other = plan;
        other.name = "B mustermann's second";
        other.batch.microBatch = 3;
        const std::vector<ReportSource> sources{
            {u"/home/mustermann/of-mustermann.vramplan"_s, planDocument(plan), 0},
            {u"/home/mustermann/other.vramplan"_s, planDocument(other), 0},
            {u"/home/mustermann/runs/mustermann.json"_s,
             recordingOf("train", "/home/mustermann/project/train.py"), 0}};
        const IllustratedReport made = makeReport(sources, {ByteUnit::Binary, true});
        const QString page = QString::fromUtf8(reportHtml(made));
        QVERIFY(!page.contains(u"mustermann"_s, Qt::CaseInsensitive));
        QVERIFY(!page.contains(u"/home/"_s));
        for (const Plan &attached : made.report.plans)
            QVERIFY(planJson(attached).find("mustermann") == std::string::npos);
        QVERIFY(made.report.title.find("mustermann") == std::string::npos);
    }

    void holdsThePlanAgainstTheRecordingAndPlansBesideEachOther()
    {
        const DocumentPointer one = planDocument(examplePlan(u"gpt2-small-h100.vramplan"_s));
        const DocumentPointer other = planDocument(examplePlan(u"gpt2-large-2xh100.vramplan"_s));
        const QString both = htmlOf({{u"a"_s, one, 0}, {u"b"_s, other, 0}});
        QVERIFY(both.contains(u"The plans side by side"_s));
        QVERIFY(both.contains(u"id=\"vramscope-plan-2\""_s));
        const auto trace = recordingOf("train", "train.py");
        QVERIFY(htmlOf({{u"a"_s, one, 0}, {u"t.json"_s, trace, 0}}).contains(u" against t.json"_s));
        QVERIFY(htmlOf({{u"s.json"_s, trace, 0}, {u"t.json"_s, trace, 0}})
                    .contains(u"The recordings side by side"_s));
    }

    void tellsOfCurvesOverTime()
    {
        const QString log = m_folder.filePath(u"gpu-mustermann.csv"_s);
        QVERIFY(write(log, "timestamp, index, name, memory.used [MiB], memory.total [MiB]\n"
                           "2024/05/01 10:00:00.000, 0, NVIDIA A100, 1024 MiB, 40960 MiB\n"
                           "2024/05/01 10:00:01.000, 0, NVIDIA A100, 20480 MiB, 40960 MiB\n"
                           "2024/05/01 10:00:02.000, 0, NVIDIA A100, 512 MiB, 40960 MiB\n"));
        auto document = readDocument(log, {});
        QVERIFY(document.ok());
        const auto sources = (*document)->reportSources(u"/home/mustermann/log.csv"_s);
        QVERIFY(sources.ok());
        const QString page = htmlOf(*sources, {ByteUnit::Binary, true});
        QCOMPARE(test::faultsOf(page), QStringList());
        QVERIFY(page.contains(u"peaks at 20.0 of 40.0 GiB"_s));
        QVERIFY(page.contains(u"1.00 s after its first sample"_s));
        QVERIFY(page.contains(u"<figure>"_s));
        QVERIFY(!page.contains(u"mustermann"_s));
    }

    void tellsOfTheRanksOfARun()
    {
        const QString folder = m_folder.filePath(u"ranks"_s);
        QVERIFY(QDir().mkpath(folder));
        for (const int rank : {0, 1})
            QVERIFY(write(folder + u"/rank%1.json"_s.arg(rank), snapshotOf("train", "train.py")));
        auto document = readDocument(folder, {});
        QVERIFY2(document.ok(), document.ok() ? "" : document.error().detail.c_str());
        const auto sources = (*document)->reportSources(folder);
        QVERIFY(sources.ok());
        const QString page = htmlOf(*sources);
        QCOMPARE(test::faultsOf(page), QStringList());
        QVERIFY(page.contains(u"<h1 id=\"section-1\">ranks</h1>"_s));
        QVERIFY(page.contains(u"All 2 ranks peak at 1.00 MiB"_s));
        QVERIFY(page.contains(u"rank1.json"_s));
        QVERIFY(page.contains(u"<figure>"_s));
    }

    void isLeftWhenItIsCancelledAndSaysHowFarItIs()
    {
        const auto unstudied = [] { // pages of one recording share what is known of it
            const auto recording = recordingOf("train", "/home/me/train.py");
            return std::vector<ReportSource>{{u"a"_s, recording, 0}, {u"b"_s, recording, 0}};
        };
        QVERIFY(unstudied().front().document);
        for (const bool redact : {false, true}) {
            std::vector<double> shares;
            const ReportOptions options{ByteUnit::Binary, redact};
            const auto whole = makeReport(unstudied(), options, [&](double share) {
                shares.push_back(share);
                return true;
            });
            QVERIFY(std::ranges::is_sorted(shares));
            QVERIFY(shares.size() > 8 && shares.back() > 0.5 && shares.back() <= 1);
            for (const std::size_t last : {std::size_t(0), shares.size() / 2}) {
                std::size_t calls = 0;
                const auto part =
                    makeReport(unstudied(), options, [&](double) { return calls++ < last; });
                QVERIFY(part.figures.size() < whole.figures.size());
                QVERIFY(calls < last + 8);
            }
        }
    }

    void isWrittenAsPdfWithThePlanAttached()
    {
        const auto report =
            makeReport({{u"a"_s, planDocument(examplePlan(u"gpt2-small-h100.vramplan"_s)), 0}}, {});
        const QByteArray pdf = reportPdf(report);
        QVERIFY(pdf.startsWith("%PDF-"));
        QVERIFY(pdf.contains("/EmbeddedFile"));
        QVERIFY(pdf.contains("D:19700101000000")); // a report without files has no date
    }

    void saysWhichFileCannotBeReported()
    {
        ReportRequest request;
        request.files = {m_folder.filePath(u"absent.pickle"_s)};
        request.out = m_folder.filePath(u"no.html"_s);
        const Outcome outcome = writeReport(request);
        QCOMPARE(outcome.status, 1);
        QVERIFY(outcome.message.startsWith(request.files.first()));
        QVERIFY(!QFile::exists(request.out));
    }

    void readsItsArguments()
    {
        const auto parsed = [](const QStringList &arguments) {
            return parseCommandLine(QStringList{u"report"_s} + arguments);
        };
        const CommandLine line = parsed({u"a"_s, u"-o"_s, u"r.pdf"_s, u"--redact"_s, u"--dark"_s,
                                         u"--unit"_s, u"gb"_s, u"--"_s, u"-b"_s});
        QCOMPARE(line.message, QString());
        const ReportRequest &request = line.report;
        QCOMPARE(request.files, QStringList({u"a"_s, u"-b"_s}));
        QCOMPARE(request.out, u"r.pdf"_s);
        QVERIFY(request.redact && request.colors == PageColors::Dark);
        QVERIFY(request.unit == ByteUnit::Decimal);
        QCOMPARE(request.largest, kUsualLargest);
        QCOMPARE(parsed({u"a"_s, u"-o"_s, u"r.html"_s, u"--largest"_s, u"0"_s}).report.largest,
                 std::size_t(0));
        const auto mistake = [&](const QStringList &arguments) {
            return parsed(arguments).message.section(u"; see vramscope report --help."_s, 0, 0);
        };
        QCOMPARE(mistake({u"a"_s}), u"report: needs --out FILE.html or FILE.pdf"_s);
        QCOMPARE(mistake({u"--out"_s, u"r"_s}), u"report: needs FILE…"_s);
        QCOMPARE(mistake({u"a"_s, u"--out"_s}), u"report: --out needs a value: FILE"_s);
        QCOMPARE(mistake({u"a"_s, u"--unit"_s, u"kb"_s}), u"report: --unit cannot be “kb”"_s);
        QCOMPARE(mistake({u"a"_s, u"--largest"_s, u"-1"_s}), u"report: --largest cannot be “-1”"_s);
        QCOMPARE(mistake({u"a"_s, u"--size"_s, u"1"_s}), u"report: there is no option --size"_s);
    }
};

VRAMSCOPE_TEST(TestReport)
#include "tst_report.moc"
