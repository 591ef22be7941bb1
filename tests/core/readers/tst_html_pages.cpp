// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/base64.h"
#include "core/readers/read_trace.h"
#include "tests/support/compress.h"
#include "tests/support/sample_snapshot.h"
#include "tests/support/test.h"
#include "tests/support/trace_text.h"

#include <QDir>

using namespace vramscope;
using test::Py;

namespace {

/// A page as torch.cuda._memory_viz writes it since June 2023.
std::string page(const std::string &files)
{
    return "<!DOCTYPE html>\n<html>\n<body>\n<script type=\"module\">\n"
           "import {add_local_files} from \"https://example.org/MemoryViz.js\"\n"
           "const local_files = [" +
           files + "]\nadd_local_files(local_files, 'Active Memory Timeline')\n</script></html>\n";
}

std::string fileEntry(const std::string &base64)
{
    return R"({"name": "snapshot.pickle", "base64": ")" + base64 + "\"}";
}

/// A page of 2022: two allocations, the first freed, and one from before that stays.
constexpr const char *kPlot = R"page(<!DOCTYPE html>
<script type="module">
let alloc_data = {"actions": [0, 1, 0], "elements_size": [100, 200, 50],
 "elements_info": [3, 1, null], "elements_category": [0, 1, 0],
 "suffix_table": [[0, null], [1, 0], [2, 1], [3, 2]],
 "string_table": ["main.py:1:<module>", "C:\\model.py:20:forward", "??:0:c10::alloc(int)",
 "100B allocation"], "initially_allocated": [2], "categories": ["activation", "unknown"]}
function process_alloc_data() {}
</script>)page";

} // namespace

class TestHtmlPages : public test::Test
{
    Q_OBJECT

private slots:
    void theEmbeddedSnapshotIsReadAsItself();
    void theDataMayComeAfterLongScripts();
    void anyNumberOfMarksMayComeBeforeTheData();
    void ofSeveralFilesTheFirstIsShown();
    void whatIsOddInAnyLayerIsTold();
    void aSlashMayBeEscaped();
    void everyPrefixIsTruncatedOrWithoutASnapshot();
    void damagedBase64SaysWhere();
    void aPageOf2022BecomesATrace();
    void aPlotWithOddRowsIsStillRead();
    void pagesWithoutASnapshotSayWhatTheyAre_data();
    void pagesWithoutASnapshotSayWhatTheyAre();
    void aRecordedPageHoldsWhatItsPickleHeld();
    void recordedPagesOf2022HaveTheirFigures();
};

void TestHtmlPages::theEmbeddedSnapshotIsReadAsItself()
{
    const std::string pickle = test::pickled(test::sampleSnapshot());
    const std::string expected = test::readText(pickle);
    for (std::size_t zeros = 0; zeros < 4; ++zeros)
        QCOMPARE(test::readText(page(fileEntry(base64(pickle + std::string(zeros, '\0'))))),
                 expected);
}

void TestHtmlPages::theDataMayComeAfterLongScripts()
{
    const std::string pickle = test::pickled(test::sampleSnapshot());
    const std::string html = page(fileEntry(base64(pickle)));
    // Whatever stands at the seam of two windows.
    for (std::size_t shift = 0; shift < 300; shift += 7) {
        const std::string script = "<html><script>// base64 local_files alloc_data = x\n" +
                                   std::string((std::size_t(256) << 10) - 300 + shift, 'x') +
                                   "</script>";
        QCOMPARE(test::readText(script + html), test::readText(pickle));
    }
}

void TestHtmlPages::anyNumberOfMarksMayComeBeforeTheData()
{
    const std::string html = page(fileEntry(base64(test::pickled(test::sampleSnapshot()))));
    const std::string plot = test::readText(kPlot);
    const std::string sample = test::readText(html);
    for (const std::string mark : {"local_files ", "alloc_data ", "local_files alloc_data = 1 "}) {
        std::string script = "<html>";
        while (script.size() < (std::size_t(600) << 10)) // more than two windows
            script += mark;
        QCOMPARE(test::readText(script + html), sample);
        QCOMPARE(test::readText(script + kPlot), plot);
        const auto none = readTrace(test::bytesOf(script + " data:image/png;base64,"));
        QVERIFY(!none.ok());
        QVERIFY(none.error().detail.find("only a picture") != std::string::npos);
    }
}

void TestHtmlPages::ofSeveralFilesTheFirstIsShown()
{
    const std::string first = fileEntry(base64(test::pickled(test::sampleSnapshot())));
    const auto trace = readTrace(test::bytesOf(page(first + ", " + first))).value();
    QCOMPARE(trace->problems().size(), std::size_t(1));
    QCOMPARE(trace->problems()[0].kind,
             std::string("The page holds several snapshots; the first is shown."));
}

void TestHtmlPages::whatIsOddInAnyLayerIsTold()
{
    const auto anomalies = [](const std::string &file) {
        std::vector<std::string> kinds;
        const auto trace = readTrace(test::bytesOf(file)).value();
        for (const Problem &problem : trace->problems())
            kinds.push_back(problem.kind);
        return kinds;
    };
    const std::string pickle = test::pickled(test::sampleSnapshot());
    const std::string behind = "Bytes after the end of the compressed data.";
    const std::string several = "The page holds several snapshots; the first is shown.";
    const std::string plain = fileEntry(base64(pickle));
    QCOMPARE(anomalies(test::gzipped(page(plain)) + "leftover"), (std::vector{behind}));
    QCOMPARE(anomalies(test::gzipped(page(plain + ", " + plain)) + "leftover"),
             (std::vector{behind, several}));
    const std::string packed = fileEntry(base64(test::gzipped(pickle) + "leftover"));
    QCOMPARE(anomalies(page(packed + ", " + plain)), (std::vector{several, behind}));
}

void TestHtmlPages::aSlashMayBeEscaped()
{
    const std::string pickle =
        test::pickled(test::sampleSnapshot().with("notes", std::string(50, '?')));
    std::string encoded = base64(pickle);
    QVERIFY(encoded.find('/') != std::string::npos);
    const std::string expected = test::readText(page(fileEntry(encoded)));
    for (std::size_t at = 0; (at = encoded.find('/', at)) != std::string::npos; at += 2)
        encoded.insert(at, "\\");
    QCOMPARE(test::readText(page(fileEntry(encoded))), expected);
}

void TestHtmlPages::everyPrefixIsTruncatedOrWithoutASnapshot()
{
    const std::string html = page(fileEntry(base64(test::pickled(test::sampleSnapshot()))));
    const std::size_t end = html.find("\"}]");
    for (std::size_t size = 1; size < end; ++size) {
        const auto trace = readTrace(test::bytesOf(html.substr(0, size)));
        QVERIFY(!trace.ok());
        QVERIFY(trace.error().code == ErrorCode::Truncated ||
                trace.error().code == ErrorCode::Malformed ||
                trace.error().code == ErrorCode::OtherContent);
        QVERIFY(size < 2000 || trace.error().code == ErrorCode::Truncated);
    }
}

void TestHtmlPages::damagedBase64SaysWhere()
{
    std::string html = page(fileEntry(base64(test::pickled(test::sampleSnapshot()))));
    const std::size_t at = html.find("base64\": \"") + 500;
    html[at] = '#';
    const auto trace = readTrace(test::bytesOf(html));
    QVERIFY(!trace.ok());
    QCOMPARE(trace.error().code, ErrorCode::Malformed);
    QCOMPARE(trace.error().offset, static_cast<std::int64_t>(at));
}

void TestHtmlPages::aPageOf2022BecomesATrace()
{
    QCOMPARE(QString::fromStdString(test::readText(kPlot)),
             QStringLiteral(R"(pytorch-allocation-plot protocol 0, PyTorch 1.13 or 2.0
device 0
segment 4294967296 size 1536 large expandable stream 0
block 4294967296 size 512 requested 50 allocated category activation
block 4294967808 size 512 requested 0 inactive
block 4294968320 size 512 requested 200 allocated category unknown < forward C:\model.py:20 < <module> main.py:1
event alloc 4294967808 size 100 stream 0 category activation < c10::alloc(int) ??:0 < forward C:\model.py:20 < <module> main.py:1
event alloc 4294968320 size 200 stream 0 category unknown < forward C:\model.py:20 < <module> main.py:1
event free_completed 4294967808 size 100 stream 0 category activation < c10::alloc(int) ??:0 < forward C:\model.py:20 < <module> main.py:1
problem 1 x The page holds no addresses and no segments: addresses are made up, and the memory reserved is what they take.
)"));
}

void TestHtmlPages::aPlotWithOddRowsIsStillRead()
{
    const std::string text = test::readText(
        R"(<html>alloc_data = {"actions": [0, 9, -1, 1, 2], "elements_size": [8, -5, 7],
 "elements_info": [0, 0, 77], "suffix_table": [[0, 1], [5, 0], [0, 0]],
 "string_table": ["a.py:1:f"], "initially_allocated": [0, 0]})");
    QVERIFY(text.find("event free_completed 4294967296 size 8") != std::string::npos);
    QVERIFY(text.find("event alloc 4294967296 size 7") != std::string::npos);
    QVERIFY(text.find("4 x An action of an allocation that is not there.") != std::string::npos);
    QVERIFY(text.find("A stack that is not there.") != std::string::npos);
}

void TestHtmlPages::pagesWithoutASnapshotSayWhatTheyAre_data()
{
    QTest::addColumn<QString>("html");
    QTest::addColumn<QString>("says");
    QTest::newRow("a picture") << QStringLiteral(
                                      "<html><img src='data:image/png;base64,iVBORw0KGgo'></html>")
                               << QStringLiteral("only a picture");
    QTest::newRow("an error") << QStringLiteral("<html><title>404</title></html>")
                              << QStringLiteral("without a snapshot");
    QTest::newRow("no file") << QString::fromStdString(page({}))
                             << QStringLiteral("no complete snapshot");
    QTest::newRow("a page in a page")
        << QString::fromStdString(page(fileEntry(base64("<html></html>"))))
        << QStringLiteral("another page");
    QTest::newRow("another plot") << QStringLiteral("<html>alloc_data = {\"events\": {}}")
                                  << QStringLiteral("no allocations over time");
}

void TestHtmlPages::pagesWithoutASnapshotSayWhatTheyAre()
{
    QFETCH(QString, html);
    QFETCH(QString, says);
    const auto trace = readTrace(test::bytesOf(html.toStdString()));
    QVERIFY(!trace.ok());
    const QString detail = QString::fromStdString(trace.error().detail);
    QVERIFY2(detail.contains(says), qPrintable(detail));
}

void TestHtmlPages::aRecordedPageHoldsWhatItsPickleHeld()
{
    if (test::corpusFolder().isEmpty())
        QSKIP("The recorded snapshots are not there (VRAMSCOPE_CORPUS).");
    const QDir folder(test::corpusFolder());
    const auto trace =
        readTrace(std::filesystem::path(
                      folder.filePath(QStringLiteral("trace_plot_embedded.html")).toStdString()))
            .value();
    QVERIFY(trace->problems().empty());
    QCOMPARE(trace->devices().size(), std::size_t(1));
    QCOMPARE(trace->devices()[0].segments.size(), std::size_t(43));
    QCOMPARE(trace->devices()[0].events.count(), 2811);
}

void TestHtmlPages::recordedPagesOf2022HaveTheirFigures()
{
    if (test::corpusFolder().isEmpty())
        QSKIP("The recorded snapshots are not there (VRAMSCOPE_CORPUS).");
    const QDir folder(test::corpusFolder());
    struct Figures
    {
        const char *file;
        EventIndex events;
        int allocations;
    };
    for (const Figures &figures : {Figures{"memviz_2022_trace.html", 664, 458},
                                   Figures{"memviz_2022_cudagraph.html", 4210, 2206}}) {
        const auto trace =
            readTrace(std::filesystem::path(
                          folder.filePath(QString::fromLatin1(figures.file)).toStdString()))
                .value();
        const EventColumns &events = trace->devices()[0].events;
        QCOMPARE(events.count(), figures.events);
        QCOMPARE(static_cast<int>(std::ranges::count(events.action, Action::Alloc)),
                 figures.allocations);
        QCOMPARE(trace->problems().size(), std::size_t(1));
    }
}

VRAMSCOPE_TEST(TestHtmlPages)
#include "tst_html_pages.moc"
