// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/readers/formats.h"
#include "core/readers/read_trace.h"
#include "tests/core/readers/smi_series.h"
#include "tests/support/test.h"

#include <QDateTime>
#include <QStringEncoder>
#include <QTimeZone>

#include <map>

using namespace Qt::StringLiterals;
using namespace vramscope;

namespace {

Result<std::shared_ptr<const Series>> tryReadLog(const QByteArray &text, std::size_t window = 64)
{
    return test::readSeries(readSmiLog, text, window);
}

const std::vector<Bytes> &used(const Series &series, std::size_t device = 0)
{
    return series.devices()[device].curve(CurveRole::DeviceUsed)->values;
}

std::int64_t utc(int year, int month, int day, int hour, int minute, int second, int milli = 0)
{
    const QDateTime time(QDate(year, month, day), QTime(hour, minute, second, milli),
                         QTimeZone::utc());
    return time.toMSecsSinceEpoch() * 1000000;
}

/// What nvidia-smi -q prints of two devices, of which the second reports no memory.
QByteArray queryText(const QByteArray &time, int used)
{
    return "\n==============NVSMI LOG==============\n\n"
           "Timestamp                                 : " +
           time +
           "\nDriver Version                            : 525.85.12\n\n"
           "Attached GPUs                             : 2\n"
           "GPU 00000000:3B:00.0\n"
           "    Product Name                          : NVIDIA A100 & more\n"
           "    MIG Devices\n"
           "        MIG Device\n"
           "            Index                         : 0\n"
           "            FB Memory Usage\n"
           "                Total                     : 4864 MiB\n"
           "                Used                      : 7 MiB\n"
           "    GPU UUID                              : GPU-11\n"
           "    FB Memory Usage\n"
           "        Total                             : 40960 MiB\n"
           "        Reserved                          : 571 MiB\n"
           "        Used                              : " +
           QByteArray::number(used) +
           " MiB\n"
           "        Free                              : 39548 MiB\n"
           "    BAR1 Memory Usage\n"
           "        Total                             : 65536 MiB\n"
           "        Used                              : 1 MiB\n"
           "    Utilization\n"
           "        Gpu                               : 3 %\n"
           "    Power Readings\n"
           "        Power Draw                        : 54.50 W\n"
           "    Processes\n"
           "        GPU instance ID                   : N/A\n"
           "        Process ID                        : 123\n"
           "            Type                          : C\n"
           "            Name                          : python\n"
           "            Used GPU Memory               : 300 MiB\n\n"
           "GPU 00000000:5E:00.0\n"
           "    FB Memory Usage\n"
           "        Total                             : 40960 MiB\n"
           "        Used                              : N/A\n\n";
}

/// The same with -x.
QByteArray queryXml(const QByteArray &time, int used)
{
    return "<?xml version=\"1.0\" ?>\n"
           "<!DOCTYPE nvidia_smi_log SYSTEM \"nvsmi_device_v12.dtd\">\n"
           "<nvidia_smi_log>\n\t<timestamp>" +
           time +
           "</timestamp>\n\t<attached_gpus>2</attached_gpus>\n"
           "\t<gpu id=\"00000000:3B:00.0\">\n"
           "\t\t<product_name>NVIDIA A100 &amp; more</product_name>\n"
           "\t\t<mig_devices><mig_device><fb_memory_usage><total>4864 MiB</total>"
           "<used>7 MiB</used></fb_memory_usage></mig_device></mig_devices>\n"
           "\t\t<uuid>GPU-11</uuid>\n"
           "\t\t<fb_memory_usage>\n\t\t\t<total>40960 MiB</total>\n"
           "\t\t\t<reserved>571 MiB</reserved>\n\t\t\t<used>" +
           QByteArray::number(used) +
           " MiB</used>\n\t\t\t<free>39548 MiB</free>\n\t\t</fb_memory_usage>\n"
           "\t\t<bar1_memory_usage><total>65536 MiB</total><used>1 MiB</used>"
           "</bar1_memory_usage>\n"
           "\t\t<utilization>\n\t\t\t<gpu_util>3 %</gpu_util>\n\t\t</utilization>\n"
           "\t\t<power_readings>\n\t\t\t<power_draw>54.50 W</power_draw>\n"
           "\t\t</power_readings>\n\t\t<accounted_processes/>\n"
           "\t\t<processes>\n\t\t\t<process_info>\n\t\t\t\t<pid>123</pid>\n"
           "\t\t\t\t<process_name>python</process_name>\n"
           "\t\t\t\t<used_memory>300 MiB</used_memory>\n\t\t\t</process_info>\n"
           "\t\t</processes>\n\t</gpu>\n"
           "\t<gpu id=\"00000000:5E:00.0\">\n\t\t<fb_memory_usage>\n"
           "\t\t\t<total>40960 MiB</total>\n\t\t\t<used>N/A</used>\n"
           "\t\t</fb_memory_usage>\n\t</gpu>\n</nvidia_smi_log>\n";
}

const QByteArray kHeader = "timestamp, index, memory.used [MiB], memory.total [MiB]\n";

} // namespace

class TestSmiLog : public test::Test
{
    Q_OBJECT

private slots:
    void aRecordedLogGivesItsRowsByDevice_data();
    void aRecordedLogGivesItsRowsByDevice();
    void rowsOfSeveralDevicesAreKeptApart();
    void aConstantIndexDoesNotMixDevices();
    void devicesAreToldApartByUuidOrBus_data();
    void devicesAreToldApartByUuidOrBus();
    void rowsThatShareTheirTimesAreSeveralDevices();
    void unitsMayBeInCellsOrHeaderOrMissing_data();
    void unitsMayBeInCellsOrHeaderOrMissing();
    void timesAreRecognised_data();
    void timesAreRecognised();
    void utf16IsReadAsUtf8_data();
    void utf16IsReadAsUtf8();
    void aLogWithoutHeaderIsToldByContent_data();
    void aLogWithoutHeaderIsToldByContent();
    void withoutHeaderOnlyNumbersThatComeRoundTellDevicesApart_data();
    void withoutHeaderOnlyNumbersThatComeRoundTellDevicesApart();
    void aRecordedLogThatLostItsHeaderStaysOneDevice();
    void repeatedHeadersAndQuotesAndOtherColumnsAreUnderstood();
    void anotherHeaderMidwayIsFollowed();
    void whatIsNotAvailableIsAGap();
    void whatIsNeverReportedIsSaid();
    void aQueryIsReadAsALog_data();
    void aQueryIsReadAsALog();
    void aQueryThatIsCutOffKeepsWhatIsWhole();
    void idsAreNoQuantities();
    void severalDevicesWithoutAColumnForItAreToldApartOrSaidToBeMixed_data();
    void severalDevicesWithoutAColumnForItAreToldApartOrSaidToBeMixed();
    void devicesOfDifferentSizesAreNotTakenForOne();
    void aLogWithoutMemorySaysWhatToRecord_data();
    void aLogWithoutMemorySaysWhatToRecord();
    void aCutOffLastLineIsLeftOut_data();
    void aCutOffLastLineIsLeftOut();
    void oddLinesAreCountedAndTheRestRead();
    void processesAddUp();
    void dmonTablesAreRead();
    void manyProcessesOfOneTimeAreOneListing();
    void columnsThatComeAndGoTakeNoMemoryWithoutEnd();
    void cellsBeyondTheMostAreLeftOut();
    void readingStopsWithinALongLine();
    void timesThatGoBackAreSorted();
    void otherTextsAreRefused_data();
    void otherTextsAreRefused();
};

void TestSmiLog::aRecordedLogGivesItsRowsByDevice_data()
{
    if (test::corpusFolder().isEmpty())
        QSKIP("The recorded logs are not there (VRAMSCOPE_CORPUS).");
    QTest::addColumn<QString>("file");
    QTest::addColumn<int>("device"); // column that tells devices apart; -1: none
    QTest::addColumn<int>("used");   // column of used memory
    const auto row = [](const char *file, int device, int column) {
        QTest::newRow(file) << test::corpusFolder() + QStringLiteral("/") + QLatin1String(file)
                            << device << column;
    };
    row("smi_rtx2070_repeated_header.csv", 1, 6);
    row("smi_4090_inference.csv", -1, 4);
    row("smi_8gpu_iso_offset.csv", 1, 3);
    row("smi_t4_epoch.csv", -1, 2);
}

void TestSmiLog::aRecordedLogGivesItsRowsByDevice()
{
    QFETCH(QString, file);
    QFETCH(int, device);
    QFETCH(int, used);
    const QByteArray text = test::contentOf(file);
    std::map<int, std::vector<Bytes>> expected;
    for (const QByteArray &line : text.split('\n')) {
        const QList<QByteArray> cells = line.split(',');
        if (cells.size() < 4 || line.startsWith("timestamp"))
            continue;
        const QByteArray cell = cells[used].trimmed().split(' ')[0];
        expected[device < 0 ? 0 : cells[device].trimmed().toInt()].push_back(cell.toLongLong() *
                                                                             kMiB);
    }
    const auto series = tryReadLog(text, 300).value();
    QCOMPARE(series->devices().size(), expected.size());
    for (const SeriesDevice &one : series->devices()) {
        const auto &rows = expected.at(std::max(one.ordinal, 0));
        QCOMPARE(one.curve(CurveRole::DeviceUsed)->values, rows);
        QCOMPARE(one.time.size(), rows.size());
        QVERIFY(one.time.back() > one.time.front());
    }
}

void TestSmiLog::rowsOfSeveralDevicesAreKeptApart()
{
    const auto series = test::readLog(kHeader + "2024/01/02 03:04:05.006, 1, 10 MiB, 100 MiB\n"
                                                "2024/01/02 03:04:05.008, 0, 20 MiB, 200 MiB\n"
                                                "2024/01/02 03:04:06.006, 1, 11 MiB, 100 MiB\n"
                                                "2024/01/02 03:04:06.008, 0, 21 MiB, 200 MiB\n");
    QCOMPARE(series->devices().size(), std::size_t(2));
    QCOMPARE(series->devices()[0].label, std::string("GPU 0"));
    QCOMPARE(series->devices()[0].total, 200 * kMiB);
    QCOMPARE(used(*series, 0), test::mebibytes({20, 21}));
    QCOMPARE(used(*series, 1), test::mebibytes({10, 11}));
    QVERIFY(series->problems().empty());
}

void TestSmiLog::aConstantIndexDoesNotMixDevices()
{
    const auto series =
        test::readLog("timestamp,gpu,index,memory.used\n1700000000,0,0,1\n1700000000,1,0,2\n"
                      "1700000001,0,0,3\n1700000001,1,0,4\n");
    QCOMPARE(series->devices().size(), std::size_t(2));
    QCOMPARE(used(*series, 1), test::mebibytes({2, 4}));
    QCOMPARE(test::problemCount(*series, "index is the same in every row"), std::int64_t(1));
}

void TestSmiLog::devicesAreToldApartByUuidOrBus_data()
{
    QTest::addColumn<QByteArray>("column");
    QTest::addColumn<QByteArray>("first");
    QTest::addColumn<QByteArray>("second");
    QTest::newRow("uuid") << QByteArray("uuid") << QByteArray("GPU-11") << QByteArray("GPU-22");
    QTest::newRow("bus") << QByteArray("pci.bus_id") << QByteArray("00000000:01:00.0")
                         << QByteArray("00000000:81:00.0");
    QTest::newRow("name") << QByteArray("name") << QByteArray("A") << QByteArray("B");
}

void TestSmiLog::devicesAreToldApartByUuidOrBus()
{
    QFETCH(QByteArray, column);
    QFETCH(QByteArray, first);
    QFETCH(QByteArray, second);
    const auto series =
        test::readLog("timestamp, " + column + ", memory.used [MiB]\n2024/01/02 03:04:05.000, " +
                      second + ", 1 MiB\n2024/01/02 03:04:05.001, " + first +
                      ", 2 MiB\n2024/01/02 03:04:06.000, " + second + ", 3 MiB\n");
    QCOMPARE(series->devices().size(), std::size_t(2));
    QCOMPARE(used(*series, 0), test::mebibytes({1, 3}));
    QCOMPARE(used(*series, 1), test::mebibytes({2}));
    QVERIFY(series->devices()[0].label != series->devices()[1].label);
    if (column != "name")
        QCOMPARE(series->devices()[1].identity, first.toStdString());
}

void TestSmiLog::rowsThatShareTheirTimesAreSeveralDevices()
{
    const auto series =
        test::readLog("timestamp,memory.used\n1700000000,1\n1700000000,2\n1700000001,3\n"
                      "1700000001,4\n1700000002,5\n1700000002,6\n");
    QCOMPARE(series->devices().size(), std::size_t(2));
    QCOMPARE(used(*series, 0), test::mebibytes({1, 3, 5}));
    QCOMPARE(used(*series, 1), test::mebibytes({2, 4, 6}));
    QCOMPARE(test::problemCount(*series, "rows share each time"), std::int64_t(1));
}

void TestSmiLog::unitsMayBeInCellsOrHeaderOrMissing_data()
{
    QTest::addColumn<QByteArray>("column");
    QTest::addColumn<QByteArray>("cell");
    QTest::addColumn<qint64>("bytes");
    const auto row = [](const char *column, const char *cell, qint64 bytes) {
        QTest::newRow((QByteArray(column) + " " + cell).constData())
            << QByteArray(column) << QByteArray(cell) << bytes;
    };
    row("memory.used [MiB]", "841 MiB", 841 * kMiB);
    row("memory.used [MiB]", "841", 841 * kMiB);
    row("memory.used", "841", 841 * kMiB);
    row("memory.used", "841.5", 841 * kMiB + kMiB / 2);
    row("memory_used", "841", 841 * kMiB);
    row("gpu_memory_used_mb", "841", 841 * kMiB);
    row("memory_used_bytes", "841", 841);
    row("memory_used_gb", "1.5", kGiB + kGiB / 2);
    row("Memory Used (GiB)", "2", 2 * kGiB);
    row("memory.used", "881852416", 881852416);
    row("mem_used", "12 GB", 12 * kGiB);
}

void TestSmiLog::unitsMayBeInCellsOrHeaderOrMissing()
{
    QFETCH(QByteArray, column);
    QFETCH(QByteArray, cell);
    QFETCH(qint64, bytes);
    const auto series = test::readLog("timestamp," + column + "\n1700000000," + cell + "\n");
    QCOMPARE(used(*series), std::vector<Bytes>{bytes});
}

void TestSmiLog::timesAreRecognised_data()
{
    QTest::addColumn<QByteArray>("text");
    QTest::addColumn<qint64>("time");
    QTest::addColumn<Clock>("clock");
    const auto row = [](const char *text, qint64 time, Clock clock) {
        QTest::newRow(text) << QByteArray(text) << time << clock;
    };
    row("2023/06/22 18:56:56.252", utc(2023, 6, 22, 18, 56, 56, 252), Clock::LocalTime);
    row("2024-02-29T23:59:59+08:00", utc(2024, 2, 29, 15, 59, 59), Clock::Epoch);
    row("2024-03-01T00:00:00.5-0130", utc(2024, 3, 1, 1, 30, 0, 500), Clock::Epoch);
    row("2024-12-31T23:59:59Z", utc(2024, 12, 31, 23, 59, 59), Clock::Epoch);
    row("2000-01-01 00:00:00 UTC", utc(2000, 1, 1, 0, 0, 0), Clock::Epoch);
    row("2099-12-31 01:02:03.25", utc(2099, 12, 31, 1, 2, 3, 250), Clock::LocalTime);
    row("1746556382.8348258", 1746556382834825800, Clock::Epoch);
    row("1746556382", 1746556382000000000, Clock::Epoch);
    row("1746556382834", 1746556382834000000, Clock::Epoch);
    row("1746556382834825", 1746556382834825000, Clock::Epoch);
    row("1746556382834825123", 1746556382834825123, Clock::Epoch);
    row("12.5", 12500000000, Clock::Relative);
    row("01:02:03", 3723000000000, Clock::Relative);
}

void TestSmiLog::timesAreRecognised()
{
    QFETCH(QByteArray, text);
    QFETCH(qint64, time);
    QFETCH(Clock, clock);
    const auto series = test::readLog("timestamp,memory.used\n" + text + ",1\n");
    QCOMPARE(series->devices()[0].time, std::vector<std::int64_t>{time});
    QCOMPARE(series->clock(), clock);
}

void TestSmiLog::utf16IsReadAsUtf8_data()
{
    QTest::addColumn<QStringConverter::Encoding>("encoding");
    QTest::newRow("little") << QStringConverter::Utf16LE;
    QTest::newRow("big") << QStringConverter::Utf16BE;
    QTest::newRow("8") << QStringConverter::Utf8;
}

void TestSmiLog::utf16IsReadAsUtf8()
{
    QFETCH(QStringConverter::Encoding, encoding);
    QStringEncoder encode(encoding, QStringConverter::Flag::WriteBom);
    const QByteArray text = encode(QStringLiteral(
        "timestamp, name, memory.used [MiB]\r\n2024/01/02 03:04:05.000, GPÜ \U0001F600, 7 MiB\r\n"
        "2024/01/02 03:04:06.000, GPÜ \U0001F600, 8 MiB\r\n"));
    const auto series = test::readLog(text);
    QCOMPARE(used(*series), test::mebibytes({7, 8}));
    QCOMPARE(series->devices()[0].name, std::string("GP\xC3\x9C \xF0\x9F\x98\x80"));
    QVERIFY(series->problems().empty());
}

void TestSmiLog::aLogWithoutHeaderIsToldByContent_data()
{
    QTest::addColumn<QByteArray>("row");
    QTest::addColumn<int>("devices");
    const auto row = [](const char *name, const char *text, int devices) {
        QTest::newRow(name) << QByteArray(text) << devices;
    };
    row("with units", "2024/01/02 03:04:05.000, %1, NVIDIA A100, 35 %, 700 MiB, 81559 MiB", 2);
    row("without units", "2024/01/02 03:04:05.000, %1, NVIDIA A100, 35, 700, 81559", 2);
    row("total first", "1700000000.5, %1, 81559, 700", 2);
    row("used alone", "2024/01/02 03:04:05.000, 700", 1);
    row("used and free", "2024/01/02 03:04:05.000, %1, 700 MiB, 80859 MiB", 2);
    row("by uuid", "GPU-0000000%1, 2024/01/02 03:04:05.000, 700 MiB, 81559 MiB", 2);
    row("with power", "2024/01/02 03:04:05.000, %1, 61.5 W, 55, 700 MiB", 2);
}

void TestSmiLog::aLogWithoutHeaderIsToldByContent()
{
    QFETCH(QByteArray, row);
    QFETCH(int, devices);
    QByteArray text;
    for (int i = 0; i < 6; ++i) {
        QByteArray line = row;
        line.replace("%1", QByteArray::number(i % 2));
        line.replace("700", QByteArray::number(700 + i)); // memory moves
        line.replace("80859", QByteArray::number(80859 - i));
        text += line + "\n";
    }
    const auto series = test::readLog(text);
    QCOMPARE(series->devices().size(), std::size_t(devices));
    if (devices == 2) {
        QCOMPARE(used(*series, 0), test::mebibytes({700, 702, 704}));
        QCOMPARE(used(*series, 1), test::mebibytes({701, 703, 705}));
    } else {
        QCOMPARE(used(*series), test::mebibytes({700, 701, 702, 703, 704, 705}));
    }
    if (row.contains("81559"))
        QCOMPARE(series->devices()[0].total, 81559 * kMiB);
    QCOMPARE(test::problemCount(*series, "has no header"), std::int64_t(1));
}

void TestSmiLog::withoutHeaderOnlyNumbersThatComeRoundTellDevicesApart_data()
{
    QTest::addColumn<QList<int>>("numbers");
    QTest::addColumn<int>("atOnce"); // rows that share a time
    QTest::addColumn<int>("devices");
    QTest::newRow("utilization") << QList<int>{0, 0, 3, 47, 69, 68, 12, 0, 1, 2} << 1 << 1;
    QTest::newRow("dense utilization") << QList<int>{0, 1, 0, 0, 1, 1, 0, 1, 2, 0} << 1 << 1;
    QTest::newRow("two samples of an idle device") << QList<int>{0, 1} << 1 << 1;
    QTest::newRow("busy only later") << QList<int>(600, 0) + QList<int>{35, 99, 7} << 1 << 1;
    QTest::newRow("one sample of three") << QList<int>{0, 1, 2} << 3 << 3;
    QTest::newRow("times of their own") << QList<int>{0, 1, 2, 0, 1, 2, 0, 1, 2} << 1 << 3;
    QTest::newRow("begins in the middle") << QList<int>{1, 0, 1, 0, 1, 0, 1} << 1 << 2;
    QTest::newRow("a row is missing")
        << QList<int>{0, 1, 0, 1, 0, 1, 0, 0, 1, 0, 1, 0, 1, 0, 1} << 1 << 2;
}

void TestSmiLog::withoutHeaderOnlyNumbersThatComeRoundTellDevicesApart()
{
    QFETCH(QList<int>, numbers);
    QFETCH(int, atOnce);
    QFETCH(int, devices);
    QByteArray text;
    for (qsizetype i = 0; i < numbers.size(); ++i)
        text += QByteArray::number(1700000000 + i / atOnce) + ".25, " +
                QByteArray::number(numbers[i]) + ", " + QByteArray::number(700 + i) + ", 15360\n";
    const auto series = test::readLog(text);
    QCOMPARE(series->devices().size(), std::size_t(devices));
    if (devices == 1)
        QCOMPARE(used(*series).size(), std::size_t(numbers.size()));
}

void TestSmiLog::aRecordedLogThatLostItsHeaderStaysOneDevice()
{
    if (test::corpusFolder().isEmpty())
        QSKIP("The recorded logs are not there (VRAMSCOPE_CORPUS).");
    const QByteArray text =
        test::contentOf(test::corpusFolder() + QStringLiteral("/smi_t4_epoch.csv"));
    const auto whole = tryReadLog(text, 300).value();
    const auto headless = tryReadLog(text.mid(text.indexOf('\n') + 1), 300).value();
    QCOMPARE(headless->devices().size(), std::size_t(1));
    QCOMPARE(used(*headless), used(*whole));
}

void TestSmiLog::repeatedHeadersAndQuotesAndOtherColumnsAreUnderstood()
{
    const QByteArray header = "\"host\",\"timestamp\", \"name\",memory.used [MiB], my note\n";
    const QByteArray row =
        "node-1,\"2024/01/02 03:04:05.000\", \"A \"\"big\"\", one\",\"5 MiB\", x\n";
    const auto series = test::readLog(header + row + header + row + "\n" + header + row);
    QCOMPARE(used(*series), test::mebibytes({5, 5, 5}));
    QCOMPARE(series->devices()[0].name, std::string("A \"big\", one"));
    QVERIFY(series->devices()[0].numbers.empty());
    QVERIFY(series->problems().empty());
}

void TestSmiLog::anotherHeaderMidwayIsFollowed()
{
    const auto series = test::readLog("timestamp, memory.used [MiB]\n1700000000, 1 MiB\n"
                                      "timestamp, utilization.gpu [%], memory.used [MiB]\n"
                                      "1700000001, 50 %, 2 MiB\n");
    QCOMPARE(used(*series), test::mebibytes({1, 2}));
    QCOMPARE(series->devices()[0].numbers.size(), std::size_t(1));
    QVERIFY(std::isnan(series->devices()[0].numbers[0].values[0]));
    QCOMPARE(series->devices()[0].numbers[0].values[1], 50.0);
    QCOMPARE(series->devices()[0].numbers[0].unit, std::string("%"));
}

void TestSmiLog::whatIsNotAvailableIsAGap()
{
    for (const char *none :
         {"[N/A]", "[Not Supported]", "[Unknown Error]", "N/A", "-", "", "[GPU is lost]", "ERR!"}) {
        const auto series =
            test::readLog("timestamp, memory.used [MiB], power.draw [W]\n1700000000, " +
                          QByteArray(none) + ", " + none + "\n1700000001, 5 MiB, 7 W\n");
        QCOMPARE(used(*series), (std::vector<Bytes>{kNoBytes, 5 * kMiB}));
        QVERIFY(std::isnan(series->devices()[0].numbers[0].values[0]));
        const std::int64_t said = QByteArray(none).isEmpty() ? 0 : 1;
        QCOMPARE(test::problemCount(*series, "memory.used is not reported ([N/A]) in some"), said);
    }
}

void TestSmiLog::whatIsNeverReportedIsSaid()
{
    const auto series =
        test::readLog("timestamp, index, memory.used [MiB], power.draw [W]\n"
                      "1700000000, 0, [N/A], 5 W\n1700000001, 0, [Not Supported], 6 W\n");
    QCOMPARE(series->devices().size(), std::size_t(1));
    QVERIFY(!series->devices()[0].curve(CurveRole::DeviceUsed));
    QCOMPARE(series->devices()[0].numbers[0].values, (std::vector<double>{5, 6}));
    QCOMPARE(test::problemCount(*series, "memory.used is not reported ([N/A]) by the driver"),
             std::int64_t(2));
}

void TestSmiLog::aQueryIsReadAsALog_data()
{
    QTest::addColumn<QByteArray>("text");
    QTest::newRow("text") << queryText("Thu Jun 22 18:56:56 2023", 841) +
                                 queryText("Thu Jun 22 18:56:57 2023", 900);
    QTest::newRow("XML") << queryXml("Thu Jun 22 18:56:56 2023", 841) +
                                queryXml("Thu Jun 22 18:56:57 2023", 900);
    QByteArray oneLine =
        queryXml("Thu Jun 22 18:56:56 2023", 841) + queryXml("Thu Jun 22 18:56:57 2023", 900);
    QTest::newRow("XML in one line") << oneLine.replace('\n', ' ');
}

void TestSmiLog::aQueryIsReadAsALog()
{
    QFETCH(QByteArray, text);
    const auto series = test::readLog(text);
    QCOMPARE(series->clock(), Clock::LocalTime);
    QCOMPARE(series->devices().size(), std::size_t(2));
    const SeriesDevice &first = series->devices()[0];
    QCOMPARE(first.time, (std::vector{utc(2023, 6, 22, 18, 56, 56), utc(2023, 6, 22, 18, 56, 57)}));
    QCOMPARE(first.name, std::string("NVIDIA A100 & more"));
    QCOMPARE(first.identity, std::string("GPU-11"));
    QCOMPARE(first.total, 40960 * kMiB);
    QCOMPARE(used(*series, 0),
             test::mebibytes({841, 900})); // not those of BAR1 or of a MIG instance
    QCOMPARE(first.curve(CurveRole::DeviceReserved)->values, test::mebibytes({571, 571}));
    QCOMPARE(first.numbers.size(), std::size_t(2)); // utilization and power
    QCOMPARE(first.numbers[1].name, std::string("power.draw"));
    QCOMPARE(first.numbers[1].values, (std::vector<double>{54.5, 54.5}));
    QCOMPARE(test::curveOf(first, "process 123 python")->values, test::mebibytes({300, 300}));
    QVERIFY(!series->devices()[1].curve(CurveRole::DeviceUsed));
    QCOMPARE(test::problemCount(*series, "memory.used is not reported ([N/A]) in some"),
             std::int64_t(2));
}

void TestSmiLog::aQueryThatIsCutOffKeepsWhatIsWhole()
{
    const QByteArray text = queryText("Thu Jun 22 18:56:56 2023", 841);
    for (qsizetype size = 0; size < text.size(); ++size) {
        const auto series = tryReadLog(text.left(size));
        if (series.ok())
            QVERIFY(!(*series)->devices().empty());
    }
    QVERIFY(!tryReadLog(queryXml("Thu Jun 22 18:56:56 2023", 841).left(90)).ok());
}

void TestSmiLog::idsAreNoQuantities()
{
    const auto series = test::readLog(
        "timestamp, pci.device_id, my.id, pci.bus_id, vbios, memory.used [MiB], clocks.sm [MHz]\n"
        "1700000000, 0x20B010DE, 3B:00.0, 00000000:3B:00.0, 92.00.45, 841 MiB, 1410 MHz\n"
        "1700000001, 0x20B010DE, 12ab-34cd, 00000000:3B:00.0, 92.00.45, 842 MiB, 1410 MHz\n");
    QCOMPARE(used(*series), test::mebibytes({841, 842}));
    QCOMPARE(series->devices()[0].numbers.size(), std::size_t(1));
    QCOMPARE(series->devices()[0].numbers[0].name, std::string("clocks.sm"));
    const auto headless =
        test::readLog("2024/01/02 03:04:05.000, 0x20B010DE, 00000000:3B:00.0, 841 MiB\n"
                      "2024/01/02 03:04:06.000, 0x20B010DE, 00000000:5E:00.0, 5 MiB\n");
    QCOMPARE(headless->devices().size(), std::size_t(2));
    QVERIFY(headless->devices()[0].numbers.empty());
    QCOMPARE(headless->devices()[1].identity, std::string("00000000:5E:00.0"));
}

void TestSmiLog::severalDevicesWithoutAColumnForItAreToldApartOrSaidToBeMixed_data()
{
    QTest::addColumn<int>("devices"); // of the machine
    QTest::addColumn<QByteArray>("index");
    QTest::addColumn<int>("lost"); // every how many rounds one row is missing
    QTest::addColumn<int>("found");
    QTest::addColumn<QByteArray>("said");
    QTest::newRow("rounds") << 4 << QByteArray() << 0 << 4
                            << QByteArray("4 rows follow each other");
    QTest::newRow("a row is missing now and then")
        << 4 << QByteArray() << 5 << 1 << QByteArray("the curve mixes them");
    QTest::newRow("numbers of some") << 2 << QByteArray("25") << 0 << 2 << QByteArray();
    QTest::newRow("one device") << 1 << QByteArray() << 0 << 1 << QByteArray();
    QTest::newRow("one device, rows missing") << 1 << QByteArray() << 5 << 1 << QByteArray();
}

void TestSmiLog::severalDevicesWithoutAColumnForItAreToldApartOrSaidToBeMixed()
{
    QFETCH(int, devices);
    QFETCH(QByteArray, index);
    QFETCH(int, lost);
    QFETCH(int, found);
    QFETCH(QByteArray, said);
    QByteArray text;
    for (int round = 0; round < 20; ++round) {
        for (int device = 0; device < devices; ++device) {
            if (lost > 0 && round % lost == lost - 1 && device == 0)
                continue;
            text += "2024/01/02 03:04:" + QByteArray::number(10 + round) + ".0" +
                    QByteArray::number(10 + 3 * device) + ", ";
            if (!index.isEmpty())
                text += index.mid(device, 1) + ", ";
            text += QByteArray::number(1000 * device + round) + " MiB, 24564 MiB\n";
        }
    }
    const auto series = test::readLog(text);
    QCOMPARE(series->devices().size(), std::size_t(found));
    if (found > 1)
        QCOMPARE(used(*series, 1).back(), (1000 + 19) * kMiB);
    if (!said.isEmpty())
        QCOMPARE(test::problemCount(*series, said.constData()), std::int64_t(1));
    else
        QCOMPARE(test::problemCount(*series, "evices"), std::int64_t(0));
}

void TestSmiLog::devicesOfDifferentSizesAreNotTakenForOne()
{
    QByteArray text;
    for (int i = 0; i < 40; ++i)
        text += QByteArray::number(1700000000 + 7 * i) + ", " + QByteArray::number(500 + i) +
                " MiB, " + (i % 2 == 0 ? "24564" : "81559") + " MiB\n";
    const auto series = test::readLog(text);
    QVERIFY(!series->devices()[0].curve(CurveRole::DeviceFree));
    QCOMPARE(series->devices()[0].total, kNoBytes);
    QCOMPARE(test::problemCount(*series, "the curve mixes them"), std::int64_t(1));
}

void TestSmiLog::aLogWithoutMemorySaysWhatToRecord_data()
{
    QTest::addColumn<QByteArray>("text");
    QTest::newRow("header") << QByteArray("timestamp, power.draw [W]\n1700000000, 61.50 W\n");
    QTest::newRow("no header") << QByteArray("2024/01/02 03:04:05.000, 61.50 W\n");
    QTest::newRow("query") << QByteArray("=====NVSMI LOG=====\nGPU 00000000:3B:00.0\n"
                                         "    Product Name      : A\n");
}

void TestSmiLog::aLogWithoutMemorySaysWhatToRecord()
{
    QFETCH(QByteArray, text);
    const auto recording = readRecording(
        std::as_bytes(std::span(text.constData(), static_cast<std::size_t>(text.size()))));
    QVERIFY(!recording.ok());
    const QString error = QString::fromStdString(recording.error().detail);
    QVERIFY2(error.contains(u"has no memory column: record memory.used"_s), qPrintable(error));
}

void TestSmiLog::aCutOffLastLineIsLeftOut_data()
{
    QTest::addColumn<QByteArray>("last");
    QTest::addColumn<bool>("cut");
    QTest::newRow("complete without an end") << QByteArray("1700000001, 0, 20 MiB") << false;
    for (const char *last : {"1700000001, 0, 20 Mi", "1700000001, 0, 20", "1700000001, 0", "17"})
        QTest::newRow(last) << QByteArray(last) << true;
}

void TestSmiLog::aCutOffLastLineIsLeftOut()
{
    QFETCH(QByteArray, last);
    QFETCH(bool, cut);
    const auto series =
        test::readLog("timestamp, index, memory.used [MiB]\n1700000000, 0, 10 MiB\n" + last);
    QCOMPARE(used(*series), cut ? test::mebibytes({10}) : test::mebibytes({10, 20}));
    QCOMPARE(test::problemCount(*series, "last line is cut off"), std::int64_t(cut ? 1 : 0));
}

void TestSmiLog::oddLinesAreCountedAndTheRestRead()
{
    const auto series = test::readLog(kHeader + "2024/01/02 03:04:05.006, 0, 10 MiB, 100 MiB\n"
                                                "Unable to determine the device handle\n"
                                                "soon, 0, 10 MiB, 100 MiB\n"
                                                "1700000000, 0, 10 MiB, 100 MiB\n"
                                                "2024/01/02 03:04:06.006, 0, 10 apples, 100 MiB\n"
                                                "2024/01/02 03:04:07.006, 0, 12 MiB, 100 MiB\n");
    QCOMPARE(used(*series), test::mebibytes({10, 12}));
    QCOMPARE(test::problemCount(*series, "as many cells"), std::int64_t(1));
    QCOMPARE(test::problemCount(*series, "no time that is known"), std::int64_t(1));
    QCOMPARE(test::problemCount(*series, "another kind"), std::int64_t(1));
    QCOMPARE(test::problemCount(*series, "a size that is none"), std::int64_t(1));
}

void TestSmiLog::processesAddUp()
{
    const auto series = test::readLog("timestamp, pid, process_name, used_gpu_memory [MiB]\n"
                                      "2024/01/02 03:04:05.000, 11, python, 100 MiB\n"
                                      "2024/01/02 03:04:05.001, 12, python, 200 MiB\n"
                                      "2024/01/02 03:04:06.000, 12, python, 250 MiB\n"
                                      "2024/01/02 03:04:07.000, 11, python, 50 MiB\n"
                                      "2024/01/02 03:04:07.001, 12, python, [N/A]\n");
    const SeriesDevice &device = series->devices()[0];
    QCOMPARE(device.time.size(), std::size_t(3));
    // What one process does not report is unknown of all of them.
    QCOMPARE(test::curveOf(device, "processes")->values,
             (std::vector<Bytes>{300 * kMiB, 250 * kMiB, kNoBytes}));
    QCOMPARE(test::curveOf(device, "process 11 python")->values, test::mebibytes({100, 0, 50}));
    QCOMPARE(test::curveOf(device, "process 12 python")->values,
             (std::vector<Bytes>{200 * kMiB, 250 * kMiB, kNoBytes}));
    QCOMPARE(test::problemCount(*series, "The memory of processes is not reported"),
             std::int64_t(1));
    QCOMPARE(device.curve(CurveRole::Process)->name, std::string("processes"));
}

void TestSmiLog::dmonTablesAreRead()
{
    const QByteArray header = "#Date       Time        gpu     sm    mem     fb   bar1\n"
                              "#YYYYMMDD  HH:MM:SS    Idx      %      %     MB     MB\n";
    const auto series = test::readLog(header +
                                      " 20240102   03:04:05      0     10      3   1000      4\n"
                                      " 20240102   03:04:05      1      -      -   2000      4\n" +
                                      header +
                                      " 20240102   03:04:06      0     20      3   1001      4\n"
                                      " 20240102   03:04:06      1      0      0   2001      4\n");
    QCOMPARE(series->devices().size(), std::size_t(2));
    QCOMPARE(used(*series, 0), test::mebibytes({1000, 1001}));
    QCOMPARE(used(*series, 1), test::mebibytes({2000, 2001}));
    QCOMPARE(series->devices()[0].time[1], utc(2024, 1, 2, 3, 4, 6));
    QCOMPARE(series->clock(), Clock::LocalTime);
    QVERIFY(series->problems().empty());
    const auto timeless = test::readLog("# gpu    fb\n# Idx    MB\n    0   100\n    0   101\n");
    QCOMPARE(used(*timeless), test::mebibytes({100, 101}));
    QCOMPARE(test::problemCount(*timeless, "no times"), std::int64_t(1));
}

void TestSmiLog::manyProcessesOfOneTimeAreOneListing()
{
    QByteArray text = "timestamp, pid, used_gpu_memory [MiB]\n";
    for (const char *second : {"05", "06"}) {
        for (int process = 0; process < 3000; ++process)
            text += QByteArray("2024/01/02 03:04:") + second + ".000, " +
                    QByteArray::number(1000 + process) + ", 2\n";
    }
    const auto series = test::readLog(text);
    QCOMPARE(series->devices().size(), std::size_t(1));
    QCOMPARE(test::curveOf(series->devices()[0], "processes")->values,
             test::mebibytes({6000, 6000}));
}

void TestSmiLog::columnsThatComeAndGoTakeNoMemoryWithoutEnd()
{
    QByteArray columns = "memory.used [MiB]";
    QByteArray row = "7";
    for (int at = 0; at < 32; ++at) {
        columns += ", value " + QByteArray::number(at);
        row += ", 1";
    }
    QByteArray text = columns + "\n" + row + "\nmemory.used [MiB]\n";
    const qsizetype rows = 600'000;
    text += QByteArray("1\n").repeated(rows);
    text += columns + "\n" + row + "\n";
    const auto series = tryReadLog(text, ByteWindow::kDefaultSize).value();
    const SeriesDevice &device = series->devices()[0];
    QCOMPARE(device.time.size(), std::size_t(rows + 2));
    QCOMPARE(used(*series).size(), device.time.size());
    QCOMPARE(used(*series).front(), 7 * kMiB);
    QCOMPARE(used(*series).back(), 7 * kMiB);
    QVERIFY(!device.numbers.empty());
    QVERIFY(device.numbers.size() < 20);
    for (const NumberCurve &curve : device.numbers)
        QCOMPARE(curve.values.size(), device.time.size());
    QCOMPARE(test::problemCount(*series, "Columns come and go"), std::int64_t(1));
}

void TestSmiLog::cellsBeyondTheMostAreLeftOut()
{
    const auto series = tryReadLog(kHeader.trimmed() + QByteArray(", x").repeated(5000) +
                                       "\n2024/01/02 03:04:05.000, 0, 10 MiB, 20 MiB" +
                                       QByteArray(", 1").repeated(5000) + "\n",
                                   ByteWindow::kDefaultSize)
                            .value();
    QCOMPARE(used(*series), test::mebibytes({10}));
    QVERIFY(!tryReadLog(QByteArray(5000, ',') + "\n").ok());
}

void TestSmiLog::readingStopsWithinALongLine()
{
    const QByteArray text = kHeader + QByteArray(4 << 20, 'x');
    const auto source =
        memorySource(std::as_bytes(std::span(text.data(), static_cast<std::size_t>(text.size()))));
    ByteWindow input(*source, 4096);
    int calls = 0;
    const auto series = readSmiLog(input, [&](double) { return ++calls < 4; });
    QVERIFY(!series.ok());
    QCOMPARE(series.error().code, ErrorCode::Cancelled);
    QCOMPARE(calls, 4);
    QVERIFY(input.offset() < text.size() / 2);
}

void TestSmiLog::timesThatGoBackAreSorted()
{
    const auto series =
        test::readLog("timestamp,memory.used,power.draw\n1700000002,2,20\n1700000001,1,10\n");
    QCOMPARE(used(*series), test::mebibytes({1, 2}));
    QCOMPARE(series->devices()[0].numbers[0].values, (std::vector<double>{10, 20}));
    QCOMPARE(test::problemCount(*series, "go back"), std::int64_t(1));
}

void TestSmiLog::otherTextsAreRefused_data()
{
    QTest::addColumn<QByteArray>("text");
    for (const char *text :
         {"a", "a,b\n1,2\n", "timestamp,power.draw\n1700000000,5\n", "timestamp,memory.used\n",
          "no memory\nat all\n", "#\n#\n", "\xFF\xFE"})
        QTest::newRow(QByteArray(text).toPercentEncoding(" ,[]{}#").constData())
            << QByteArray(text);
}

void TestSmiLog::otherTextsAreRefused()
{
    QFETCH(QByteArray, text);
    const auto series = tryReadLog(text);
    QVERIFY(!series.ok());
    QVERIFY(!series.error().detail.empty());
}

VRAMSCOPE_TEST(TestSmiLog)
#include "tst_smi_log.moc"
