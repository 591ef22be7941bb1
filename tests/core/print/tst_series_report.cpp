// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/print/series_report.h"
#include "core/readers/read_trace.h"
#include "tests/support/test.h"

#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>

using namespace vramscope;

namespace {

const QByteArray kLog = "timestamp, index, name, memory.used [MiB], power.draw [W]\n"
                        "2024-01-02T03:04:05Z, 1, Example\x1B[31m, 10 MiB, 50.5 W\n"
                        "2024-01-02T03:04:06Z, 1, Example\x1B[31m, [N/A], 60 W\n"
                        "2024-01-02T03:04:07Z, 1, Example\x1B[31m, 2048 MiB, [N/A]\n"
                        "2024-01-02T03:04:08Z, 1, Example\x1B[31m, 5 MiB, 40 W\n"
                        "nonsense\n";

Result<Recording> read(const QByteArray &bytes)
{
    return readRecording(
        std::as_bytes(std::span(bytes.data(), static_cast<std::size_t>(bytes.size()))));
}

std::shared_ptr<const Series> seriesOf(const QByteArray &bytes)
{
    const Recording recording = read(bytes).value();
    if (const auto *profile = std::get_if<std::shared_ptr<const Profile>>(&recording))
        return (*profile)->curves();
    return std::get<std::shared_ptr<const Series>>(recording);
}

QJsonObject json(const Series &series)
{
    return QJsonDocument::fromJson(QByteArray::fromStdString(seriesJson(series, "a/b"))).object();
}

} // namespace

class TestSeriesReport : public test::Test
{
    Q_OBJECT

private slots:
    void everyFormatOfCurvesIsRecognised_data();
    void everyFormatOfCurvesIsRecognised();
    void aTraceIsNotMadeOfCurves();
    void jsonHasTheFiguresOfEachCurve();
    void textHasALineForEachCurveAndNoControlCharacters();
    void textSaysWhereThePeakIs();
};

void TestSeriesReport::everyFormatOfCurvesIsRecognised_data()
{
    QTest::addColumn<QByteArray>("bytes");
    QTest::addColumn<QByteArray>("format");
    QTest::newRow("log") << kLog << QByteArray("nvidia-smi");
    QTest::newRow("trace") << QByteArray(R"({"traceEvents": [{"ph": "X", "cat": "cpu_op"}]})")
                           << QByteArray("chrome-trace");
    QTest::newRow("events") << QByteArray(R"([{"ph": "X", "name": "a", "pid": 1, "ts": 2}])")
                            << QByteArray("chrome-trace");
    QTest::newRow("timeline") << QByteArray("[[10, 20], [[0,1,2,3,4,5,6,7,8], "
                                            "[0,1,2,3,4,5,6,7,8]]]")
                              << QByteArray("memory-timeline");
    QTest::newRow("raw timeline") << QByteArray("[[-1, 1, 512, 7], [1696966048083248105, 2, 5, 4]]")
                                  << QByteArray("memory-timeline");
}

void TestSeriesReport::everyFormatOfCurvesIsRecognised()
{
    QFETCH(QByteArray, bytes);
    QFETCH(QByteArray, format);
    const auto series = seriesOf(bytes);
    QCOMPARE(series->format(), format.toStdString());
    QCOMPARE(json(*series).value(QStringLiteral("format")).toString().toUtf8(), format);
}

void TestSeriesReport::aTraceIsNotMadeOfCurves()
{
    const auto trace =
        readTrace(std::as_bytes(std::span(kLog.data(), static_cast<std::size_t>(kLog.size()))));
    QVERIFY(!trace.ok());
    QCOMPARE(trace.error().code, ErrorCode::OtherContent);
    QVERIFY(trace.error().detail.find("nvidia-smi") != std::string::npos);
    QVERIFY(trace.error().detail.find("vramscope-cli trace") != std::string::npos);
}

void TestSeriesReport::jsonHasTheFiguresOfEachCurve()
{
    const QJsonObject report = json(*seriesOf(kLog));
    QCOMPARE(report.value(QStringLiteral("file")).toString(), QStringLiteral("a/b"));
    QCOMPARE(report.value(QStringLiteral("clock")).toString(), QStringLiteral("utc"));
    const QJsonObject device = report.value(QStringLiteral("devices")).toArray()[0].toObject();
    QCOMPARE(device.value(QStringLiteral("device")).toInt(), 1);
    QCOMPARE(device.value(QStringLiteral("samples")).toInt(), 4);
    QCOMPARE(device.value(QStringLiteral("span")).toInteger(), qint64(3000000000));
    QVERIFY(device.value(QStringLiteral("total")).isNull());
    const QJsonArray curves = device.value(QStringLiteral("curves")).toArray();
    QCOMPARE(curves.size(), 2);
    const QJsonObject used = curves[0].toObject();
    QCOMPARE(used.value(QStringLiteral("first")).toInteger(), qint64(10 << 20));
    QCOMPARE(used.value(QStringLiteral("last")).toInteger(), qint64(5 << 20));
    QCOMPARE(used.value(QStringLiteral("min")).toInteger(), qint64(5 << 20));
    QCOMPARE(used.value(QStringLiteral("max")).toInteger(), qint64(1) << 31);
    QCOMPARE(used.value(QStringLiteral("max_at")).toInteger(), qint64(1704164647000000000));
    const QJsonObject power = curves[1].toObject();
    QCOMPARE(power.value(QStringLiteral("max")).toDouble(), 60.0);
    QCOMPARE(power.value(QStringLiteral("min")).toDouble(), 40.0);
    QCOMPARE(power.value(QStringLiteral("unit")).toString(), QStringLiteral("W"));
    // A row of other words, and a gap in either curve: [N/A] is said to be not reported.
    QCOMPARE(report.value(QStringLiteral("problems")).toArray().size(), 3);
}

void TestSeriesReport::textHasALineForEachCurveAndNoControlCharacters()
{
    const QString text = QString::fromStdString(seriesText(*seriesOf(kLog), "a\x1B[0m"));
    QVERIFY(!text.contains(QChar(0x1B)));
    QVERIFY2(text.contains(QStringLiteral("GPU 1, Example")), qPrintable(text));
    QVERIFY(text.contains(QStringLiteral("4 samples in 3.00 s")));
    QVERIFY(text.contains(QStringLiteral("2.00 GiB")));
    QVERIFY(text.contains(QStringLiteral("50.5 W")));
    QVERIFY2(text.startsWith(QStringLiteral("Problem: ")), qPrintable(text));
    const QString decimal =
        QString::fromStdString(seriesText(*seriesOf(kLog), "a", ByteUnit::Decimal));
    QVERIFY2(decimal.contains(QStringLiteral("2.15 GB")), qPrintable(decimal));
}

void TestSeriesReport::textSaysWhereThePeakIs()
{
    const auto series = seriesOf(
        R"([{"ph":"X","cat":"cpu_op","name":"aten::mm","pid":1,"tid":1,"ts":20,"dur":9},)"
        R"({"ph":"i","name":"[memory]","pid":1,"tid":1,"ts":5,"args":{"Bytes":512,)"
        R"("Device Type":1,"Device Id":0,"Total Allocated":512,"Total Reserved":4096}},)"
        R"({"ph":"i","name":"[memory]","pid":1,"tid":1,"ts":25,"args":{"Bytes":1536,)"
        R"("Device Type":1,"Device Id":0,"Total Allocated":2048,"Total Reserved":4096}}])");
    const std::string text = seriesText(*series, "a");
    QVERIFY2(text.find("20 µs in aten::mm") != std::string::npos, text.c_str());
    const std::string answer = " peaks at 2.00 KiB (allocated), 20 µs after its first sample.\n";
    QVERIFY2(text.find(answer) != std::string::npos, text.c_str());
    const QJsonObject device =
        json(*series).value(QStringLiteral("devices")).toArray()[0].toObject();
    const QJsonObject allocated = device.value(QStringLiteral("curves")).toArray()[0].toObject();
    QCOMPARE(allocated.value(QStringLiteral("max_operation")).toString(),
             QStringLiteral("aten::mm"));
}

VRAMSCOPE_TEST(TestSeriesReport)
#include "tst_series_report.moc"
