// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/readers/byte_source.h"
#include "core/readers/content.h"
#include "core/readers/detect_format.h"
#include "tests/support/compress.h"
#include "tests/support/test.h"

#include <QDir>

using namespace std::string_view_literals;
using namespace vramscope;

Q_DECLARE_METATYPE(vramscope::TraceFormat)

namespace {

Result<TraceFormat> detect(const QByteArray &bytes, bool isWhole = true)
{
    return detectFormat(std::span(reinterpret_cast<const std::uint8_t *>(bytes.constData()),
                                  static_cast<std::size_t>(bytes.size())),
                        isWhole);
}

QByteArray arrayOf(std::string_view text)
{
    return {text.data(), static_cast<qsizetype>(text.size())};
}

/// The text in UTF-16, with a byte order mark.
QByteArray wide(std::string_view text, bool littleEndian)
{
    QByteArray bytes = littleEndian ? QByteArray("\xFF\xFE") : QByteArray("\xFE\xFF");
    for (const char c : text) {
        bytes.append(littleEndian ? c : '\0');
        bytes.append(littleEndian ? '\0' : c);
    }
    return bytes;
}

constexpr auto kLog = "timestamp, index, memory.used [MiB]\r\n"
                      "2023/06/22 18:56:56.252, 0, 841 MiB\r\n"sv;

} // namespace

class TestDetectFormat : public test::Test
{
    Q_OBJECT

private slots:
    void contentTellsTheFormat_data();
    void contentTellsTheFormat();
    void whatLooksAlikeIsNoLog_data();
    void whatLooksAlikeIsNoLog();
    void aBeginningIsEnoughForJson();
    void everyPrefixOfJsonIsToldWithoutHarm();
    void wrappingsAreTakenOff();
    void recordedFilesAreToldByContent_data();
    void recordedFilesAreToldByContent();
};

void TestDetectFormat::contentTellsTheFormat_data()
{
    QTest::addColumn<QByteArray>("bytes");
    QTest::addColumn<TraceFormat>("format");
    const auto row = [](const char *name, std::string_view bytes, TraceFormat format) {
        QTest::newRow(name) << arrayOf(bytes) << format;
    };
    row("protocol 0", "(dp0\nVsegments\n", TraceFormat::SnapshotPickle);
    row("protocol 0, optimized", "(dVsegments\n", TraceFormat::SnapshotPickle);
    row("protocol 0, a list", "(lp0\n(dp1\n", TraceFormat::SnapshotPickle);
    row("protocol 1", "}q\0(X"sv, TraceFormat::SnapshotPickle);
    row("protocol 1, a list", "]q\0(}"sv, TraceFormat::SnapshotPickle);
    row("protocol 5", "\x80\x05\x95"sv, TraceFormat::SnapshotPickle);
    row("gzip", "\x1f\x8b\x08\0"sv, TraceFormat::Gzip);
    row("Zstandard", "\x28\xb5\x2f\xfd"sv, TraceFormat::Zstandard);
    row("a skippable frame", "\x50\x2a\x4d\x18\x04\0\0\0"sv, TraceFormat::Zstandard);
    row("HTML", "<!DOCTYPE html>", TraceFormat::HtmlPage);
    row("snapshot", R"({"device_traces": [], "segments": []})", TraceFormat::SnapshotJson);
    row("segments", R"([{"device": 0, "total_size": 5, "blocks": []}])", TraceFormat::SnapshotJson);
    row("Chrome", R"({"schemaVersion": 1, "deviceProperties": []})", TraceFormat::ChromeTrace);
    row("Chrome, events last", R"({"metadata": {"a": ["}", 1]}, "traceEvents": []})",
        TraceFormat::ChromeTrace);
    row("Chrome, only events", R"([{"name": "a", "ph": "X", "ts": 1}])", TraceFormat::ChromeTrace);
    row("timeline", "[[1, 2, 3], [[0, 1, 2, 3, 4, 5, 6, 7, 8]]]", TraceFormat::MemoryTimeline);
    row("timeline of four times", "[[1, 2, 3, 4], [[0, 1, 2, 3, 4, 5, 6, 7, 8]]]",
        TraceFormat::MemoryTimeline);
    row("empty timeline", "[[], []]", TraceFormat::MemoryTimeline);
    row("raw timeline", "[[-1, 1, 37888, 7], [-1, 1, 512, 7]]", TraceFormat::RawMemoryTimeline);
    row("raw timeline of one row", "[[-1, 1, 37888, 7]]", TraceFormat::RawMemoryTimeline);
    row("nvidia-smi", kLog, TraceFormat::SmiLog);
    row("own header", "timestamp,gpu_utilization,memory_used\n1746556382.83,0, 0\n",
        TraceFormat::SmiLog);
    row("no header", "2023/06/22 18:56:56.252, 0, 22 %, 841 MiB\n", TraceFormat::SmiLog);
    row("no header, seconds", "1746556382.83, 0, 15360\n", TraceFormat::SmiLog);
    row("a first column of its own", "\"a\", 2025-09-08T17:26:50+08:00, 4, 81559\n",
        TraceFormat::SmiLog);
    row("dmon",
        "# gpu     sm    mem     fb\n# Idx      %      %     MB\n    0      1      2    841\n",
        TraceFormat::SmiLog);
    row("dmon with times", "#Date       Time        gpu     fb\n", TraceFormat::SmiLog);
    row("query", "\n==============NVSMI LOG==============\n\nTimestamp : a\n", TraceFormat::SmiLog);
    row("query as XML",
        "<?xml version=\"1.0\" ?>\n<!DOCTYPE nvidia_smi_log SYSTEM \"nvsmi_device_v12.dtd\">\n",
        TraceFormat::SmiLog);
    row("query as XML without a type", "<nvidia_smi_log>\n", TraceFormat::SmiLog);
    row("no memory", "timestamp, power.draw [W]\n", TraceFormat::SmiLog);
    QTest::newRow("nvidia-smi of PowerShell") << wide(kLog, true) << TraceFormat::SmiLog;
    QTest::newRow("nvidia-smi, big endian") << wide(kLog, false) << TraceFormat::SmiLog;
    QTest::newRow("byte order mark")
        << QByteArray("\xEF\xBB\xBF") + arrayOf(kLog) << TraceFormat::SmiLog;
}

void TestDetectFormat::contentTellsTheFormat()
{
    QFETCH(QByteArray, bytes);
    const auto format = detect(bytes);
    QVERIFY2(format.ok(), format.ok() ? "" : format.error().detail.c_str());
    QTEST(*format, "format");
}

void TestDetectFormat::whatLooksAlikeIsNoLog_data()
{
    QTest::addColumn<QByteArray>("bytes");
    QTest::newRow("a log") << QByteArray("2023-06-22 18:56:56 INFO starting\n");
    QTest::newRow("a script") << QByteArray("#!/bin/sh\nnvidia-smi\n");
    QTest::newRow("a table of words") << QByteArray("a,b,c\nd,e,f\n");
    QTest::newRow("other UTF-16") << wide("hello world\n", true);
}

void TestDetectFormat::whatLooksAlikeIsNoLog()
{
    QFETCH(QByteArray, bytes);
    const auto format = detect(bytes);
    QVERIFY(!format.ok());
    QVERIFY(format.error().detail.ends_with('.'));
}

void TestDetectFormat::aBeginningIsEnoughForJson()
{
    const QByteArray open = R"({"notes": "x", "weights": [1, 2)";
    QVERIFY(!detect(open + "]}", true).ok());
    // More may follow, and with it the keys of a snapshot: the reader finds out.
    QCOMPARE(*detect(open, false), TraceFormat::SnapshotJson);
}

void TestDetectFormat::everyPrefixOfJsonIsToldWithoutHarm()
{
    for (const char *text : {R"({"a": {"b\"": [1, "c\\"]}, "traceEvents": []})",
                             "[[1, 2, 3, 4], [[0, 1, 2, 3, 4, 5, 6, 7, 8]]]", R"([{"ph": "X"}])"}) {
        const QByteArray json = text;
        for (qsizetype size = 1; size <= json.size(); ++size) {
            const auto format = detect(json.left(size));
            QVERIFY(format.ok() || !format.error().detail.empty());
        }
    }
}

void TestDetectFormat::wrappingsAreTakenOff()
{
    const std::string chrome = R"({"traceEvents": []})";
    for (const std::string &file : {chrome, test::gzipped(chrome), test::zstandard(chrome)}) {
        const auto content =
            Content::open(memorySource(std::as_bytes(std::span(file.data(), file.size()))), {});
        QVERIFY(content.ok());
        QCOMPARE((*content)->format(), TraceFormat::ChromeTrace);
        QCOMPARE((*content)->window().offset(), std::int64_t(0));
        QVERIFY((*content)->window().ensure(chrome.size()));
        QVERIFY(!(*content)->window().ensure(chrome.size() + 1));
        QVERIFY((*content)->verify().ok());
    }
}

void TestDetectFormat::recordedFilesAreToldByContent_data()
{
    QTest::addColumn<QString>("pattern");
    QTest::addColumn<TraceFormat>("format");
    QTest::newRow("snapshots") << QStringLiteral("*.pickle") << TraceFormat::SnapshotPickle;
    QTest::newRow("Chrome traces") << QStringLiteral("chrome_*") << TraceFormat::ChromeTrace;
    QTest::newRow("logs") << QStringLiteral("smi_*") << TraceFormat::SmiLog;
    QTest::newRow("raw timeline") << QStringLiteral("memory_timeline.raw*")
                                  << TraceFormat::RawMemoryTimeline;
    QTest::newRow("pages of 2022") << QStringLiteral("memviz_2022*") << TraceFormat::AllocationPlot;
    QTest::newRow("a page") << QStringLiteral("trace_plot*") << TraceFormat::SnapshotPickle;
}

void TestDetectFormat::recordedFilesAreToldByContent()
{
    if (test::corpusFolder().isEmpty())
        QSKIP("The recorded files are not there (VRAMSCOPE_CORPUS).");
    QFETCH(QString, pattern);
    const QDir folder(test::corpusFolder());
    const QStringList files = folder.entryList({pattern}, QDir::Files);
    QVERIFY(!files.isEmpty());
    for (const QString &file : files) {
        auto source = openFile(folder.filePath(file).toStdString());
        QVERIFY(source.ok());
        const auto content = Content::open(std::move(*source), {});
        QVERIFY2(content.ok(), qPrintable(file));
        QTEST((*content)->format(), "format");
    }
}

VRAMSCOPE_TEST(TestDetectFormat)
#include "tst_detect_format.moc"
