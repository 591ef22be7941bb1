// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/readers/detect_format.h"
#include "core/readers/file_kind.h"
#include "core/readers/formats.h"
#include "tests/core/readers/smi_series.h"
#include "tests/support/test.h"

#include <QStringEncoder>

using namespace Qt::StringLiterals;
using namespace vramscope;

namespace {

Result<TraceFormat> formatOfText(const QByteArray &text)
{
    return detectFormat(std::span(reinterpret_cast<const std::uint8_t *>(text.constData()),
                                  static_cast<std::size_t>(text.size())),
                        true);
}

std::vector<Bytes> curve(const Series &series, std::size_t device, CurveRole role)
{
    const ByteCurve *found = series.devices()[device].curve(role);
    return found ? found->values : std::vector<Bytes>();
}

/// The screen of drivers since 530, of two devices.
QByteArray screen(const QByteArray &time, int first, int second)
{
    const auto cell = [](int used) { return QByteArray::number(used).rightJustified(8); };
    return time +
           "\n"
           "+--------------------------------------------------------------------------------------"
           "---+\n"
           "| NVIDIA-SMI 580.95.05              Driver Version: 580.95.05      CUDA Version: 13.0  "
           "   |\n"
           "|-----------------------------------------+------------------------+-------------------"
           "---+\n"
           "| GPU  Name                 Persistence-M | Bus-Id          Disp.A | Volatile Uncorr. "
           "ECC |\n"
           "| Fan  Temp   Perf          Pwr:Usage/Cap |           Memory-Usage | GPU-Util  Compute "
           "M. |\n"
           "|                                         |                        |               MIG "
           "M. |\n"
           "|=========================================+========================+==================="
           "===|\n"
           "|   0  NVIDIA H100 80GB HBM3          On  |   00000000:1B:00.0 Off |                   "
           " 0 |\n"
           "| N/A   41C    P0            312W /  700W |" +
           cell(first) +
           "MiB /  81559MiB |     97%      Default |\n"
           "|                                         |                        |             "
           "Disabled |\n"
           "+-----------------------------------------+------------------------+-------------------"
           "---+\n"
           "|   1  NVIDIA H100 80GB HBM3          On  |   00000000:2B:00.0 Off |                   "
           " 0 |\n"
           "| N/A   38C    P0             72W /  700W |" +
           cell(second) +
           "MiB /  81559MiB |      0%      Default |\n"
           "|                                         |                        |             "
           "Disabled |\n"
           "+-----------------------------------------+------------------------+-------------------"
           "---+\n"
           "\n"
           "+--------------------------------------------------------------------------------------"
           "---+\n"
           "| Processes:                                                                           "
           "   |\n"
           "|  GPU   GI   CI              PID   Type   Process name                        GPU "
           "Memory |\n"
           "|        ID   ID                                                               Usage   "
           "   |\n"
           "|======================================================================================"
           "===|\n"
           "|    0   N/A  N/A           12345      C   python -m train                     " +
           QByteArray::number(first - 624) +
           "MiB |\n"
           "|    1   N/A  N/A           12346      C   python                                  "
           "600MiB |\n"
           "+--------------------------------------------------------------------------------------"
           "---+\n";
}

/// The screen of drivers before 530, without a date, of one device whose second process is unknown.
QByteArray oldScreen(int used)
{
    return "+-----------------------------------------------------------------------------+\n"
           "| NVIDIA-SMI 418.67       Driver Version: 418.67       CUDA Version: 10.1     |\n"
           "|-------------------------------+----------------------+----------------------+\n"
           "| GPU  Name        Persistence-M| Bus-Id        Disp.A | Volatile Uncorr. ECC |\n"
           "| Fan  Temp  Perf  Pwr:Usage/Cap|         Memory-Usage | GPU-Util  Compute M. |\n"
           "|===============================+======================+======================|\n"
           "|   0  Tesla T4            Off  | 00000000:00:04.0 Off |                    0 |\n"
           "| N/A   36C    P8     9W /  70W |   " +
           QByteArray::number(used).rightJustified(5) +
           "MiB / 15079MiB |      3%      Default |\n"
           "+-------------------------------+----------------------+----------------------+\n"
           "                                                                               \n"
           "+-----------------------------------------------------------------------------+\n"
           "| Processes:                                                       GPU Memory |\n"
           "|  GPU       PID   Type   Process name                             Usage      |\n"
           "|=============================================================================|\n"
           "|    0      1234      C   python                                       605MiB |\n"
           "+-----------------------------------------------------------------------------+\n";
}

} // namespace

class TestSmiScreen : public test::Test
{
    Q_OBJECT

private slots:
    void screensAreReadByDevice();
    void aScreenIsFoundInOtherText_data();
    void aScreenIsFoundInOtherText();
    void screensWithoutDateAreASecondApart();
    void instancesArePartOfTheirDevice();
    void memoryThatIsNotReportedIsSaid();
    void otherNamesOfColumnsAreUnderstood_data();
    void otherNamesOfColumnsAreUnderstood();
    void unitsOfTimeAreFollowed();
    void rocmSmiIsRead();
    void rocmSmiMayBeRepeated();
    void bracketsAloneAreNoJson_data();
    void bracketsAloneAreNoJson();
};

void TestSmiScreen::screensAreReadByDevice()
{
    const QByteArray text = screen("Mon Nov  2 10:11:12 2026", 71234, 612) +
                            screen("Mon Nov  2 10:11:17 2026", 70000, 613);
    QCOMPARE(identify({text.constData(), static_cast<std::size_t>(text.size())}, true),
             FileKind::SmiLog);
    const auto log = test::readLog(text);
    QCOMPARE(log->clock(), Clock::LocalTime);
    QCOMPARE(log->devices().size(), std::size_t(2));
    const SeriesDevice &first = log->devices()[0];
    QCOMPARE(first.ordinal, 0);
    QCOMPARE(first.name, std::string("NVIDIA H100 80GB HBM3"));
    QCOMPARE(first.identity, std::string("00000000:1B:00.0"));
    QCOMPARE(first.total, 81559 * kMiB);
    QCOMPARE(first.time[1] - first.time[0], std::int64_t(5'000'000'000));
    QCOMPARE(curve(*log, 0, CurveRole::DeviceUsed), test::mebibytes({71234, 70000}));
    QCOMPARE(curve(*log, 1, CurveRole::DeviceUsed), test::mebibytes({612, 613}));
    QCOMPARE(curve(*log, 0, CurveRole::Process), test::mebibytes({70610, 69376}));
    QCOMPARE(curve(*log, 1, CurveRole::Process), test::mebibytes({600, 600}));
    QCOMPARE(first.bytes.back().name, std::string("process 12345 python -m train"));
    QCOMPARE(first.numbers.size(), std::size_t(3));
    QCOMPARE(first.numbers[0].name, std::string("utilization.gpu"));
    QCOMPARE(first.numbers[0].values, (std::vector<double>{97, 97}));
    QCOMPARE(first.numbers[1].values, (std::vector<double>{41, 41}));
    QCOMPARE(first.numbers[2].values, (std::vector<double>{312, 312}));
    QVERIFY(log->problems().empty());
}

void TestSmiScreen::aScreenIsFoundInOtherText_data()
{
    QTest::addColumn<QByteArray>("text");
    const QByteArray one = screen("Mon Nov  2 10:11:12 2026", 71234, 612);
    QTest::newRow("behind a prompt") << "user@host:~$ nvidia-smi\n" + one;
    QTest::newRow("of watch") << "Every 2.0s: nvidia-smi      host: Mon Nov  2 10:11:12 2026\n\n" +
                                     one;
    QTest::newRow("indented") << "    " + QByteArray(one).replace("\n", "\n    ");
    QTest::newRow("with the line ends of Windows") << QByteArray(one).replace("\n", "\r\n");
    QTest::newRow("without its first lines") << one.mid(one.indexOf("|   0  NVIDIA"));
    QStringEncoder encoder(QStringEncoder::Utf16LE, QStringConverter::Flag::WriteBom);
    QTest::newRow("in UTF-16") << QByteArray(encoder(QString::fromUtf8(one)));
    QTest::newRow("before a log") << one + "\nstarting the program\nstep 1 loss 4.2\n";
}

void TestSmiScreen::aScreenIsFoundInOtherText()
{
    QFETCH(QByteArray, text);
    QCOMPARE(formatOfText(text).value(), TraceFormat::SmiLog);
    const auto log = test::readLog(text);
    QCOMPARE(curve(*log, 0, CurveRole::DeviceUsed), test::mebibytes({71234}));
    QCOMPARE(curve(*log, 1, CurveRole::DeviceUsed), test::mebibytes({612}));
    QCOMPARE(curve(*log, 0, CurveRole::Process), test::mebibytes({70610}));
}

void TestSmiScreen::screensWithoutDateAreASecondApart()
{
    const auto log = test::readLog(oldScreen(625) + oldScreen(700));
    QCOMPARE(log->devices().size(), std::size_t(1));
    QCOMPARE(log->devices()[0].name, std::string("Tesla T4"));
    QCOMPARE(log->devices()[0].time, (std::vector<std::int64_t>{0, 1'000'000'000}));
    QCOMPARE(curve(*log, 0, CurveRole::DeviceUsed), test::mebibytes({625, 700}));
    QCOMPARE(curve(*log, 0, CurveRole::Process), test::mebibytes({605, 605}));
    QCOMPARE(log->problems().size(), std::size_t(1));
    QVERIFY(log->problems()[0].kind.find("a second apart") != std::string::npos);
}

void TestSmiScreen::instancesArePartOfTheirDevice()
{
    QByteArray text = oldScreen(9000);
    text.insert(
        text.indexOf("                        "),
        "+-----------------------------------------------------------------------------+\n"
        "| MIG devices:                                                                |\n"
        "+------------------+----------------------+-----------+-----------------------+\n"
        "| GPU  GI  CI  MIG |         Memory-Usage |        Vol|         Shared        |\n"
        "|==================+======================+===========+=======================|\n"
        "|  0    1   0   0  |     13MiB /  4864MiB | 14      0 |  1   0    0    0    0 |\n"
        "|                  |      0MiB /  8191MiB |           |                       |\n");
    const auto log = test::readLog(text);
    QCOMPARE(log->devices().size(), std::size_t(1));
    QCOMPARE(curve(*log, 0, CurveRole::DeviceUsed), test::mebibytes({9000}));
    QCOMPARE(log->devices()[0].total, 15079 * kMiB);
}

void TestSmiScreen::memoryThatIsNotReportedIsSaid()
{
    QByteArray text = screen("Mon Nov  2 10:11:12 2026", 71234, 612);
    text.replace("     612MiB /  81559MiB", "          Not Supported");
    text.replace("600MiB", "   N/A");
    const auto log = test::readLog(text);
    QVERIFY(curve(*log, 1, CurveRole::DeviceUsed).empty());
    QVERIFY(curve(*log, 1, CurveRole::Process).empty());
    QCOMPARE(log->problems().size(), std::size_t(2));
}

void TestSmiScreen::otherNamesOfColumnsAreUnderstood_data()
{
    QTest::addColumn<QByteArray>("header");
    QTest::newRow("a script with pynvml")
        << QByteArray("elapsed_sec,gpu_util_pct,mem_used_mb,mem_total_mb");
    QTest::newRow("of the device") << QByteArray("time_s,util,gpu_mem_used_mib,gpu_mem_total_mib");
    QTest::newRow("without a word of use")
        << QByteArray("t,util,gpu_memory_mb,total_mem,memory_total_mb");
    QTest::newRow("in brackets") << QByteArray("time (s),util,VRAM Used (MB),VRAM Total (MB)");
}

void TestSmiScreen::otherNamesOfColumnsAreUnderstood()
{
    QFETCH(QByteArray, header);
    const bool isWide = header.count(',') == 4;
    const auto row = [&](const QByteArray &time, int used) {
        return time + ",0," + QByteArray::number(used) + (isWide ? ",0" : "") + ",49140\n";
    };
    const QByteArray text = header + "\n" + row("0.00", 472) + row("0.25", 492);
    QCOMPARE(formatOfText(text).value(), TraceFormat::SmiLog);
    const auto log = test::readLog(text);
    QCOMPARE(log->devices()[0].time, (std::vector<std::int64_t>{0, 250'000'000}));
    QCOMPARE(curve(*log, 0, CurveRole::DeviceUsed), test::mebibytes({472, 492}));
    QCOMPARE(log->devices()[0].total, 49140 * kMiB);
}

void TestSmiScreen::unitsOfTimeAreFollowed()
{
    const auto log = test::readLog("elapsed_ms,used_gb\n0,1.5\n250,2\n");
    QCOMPARE(log->devices()[0].time, (std::vector<std::int64_t>{0, 250'000'000}));
    QCOMPARE(curve(*log, 0, CurveRole::DeviceUsed), test::mebibytes({1536, 2048}));
}

void TestSmiScreen::rocmSmiIsRead()
{
    const QByteArray text = R"json({
 "card0": {"VRAM Total Memory (B)": "206141652992", "VRAM Total Used Memory (B)": "60000000000",
           "GPU use (%)": "97", "Card Series": "AMD Instinct MI300X"},
 "card3": {"VRAM Total Memory (B)": 206141652992, "VRAM Total Used Memory (B)": 63000000000},
 "system": {"Driver version": "6.10.5"}
})json";
    QCOMPARE(formatOfText(text).value(), TraceFormat::SmiLog);
    const auto log = test::readLog(text);
    QCOMPARE(log->format(), std::string("rocm-smi"));
    QCOMPARE(log->devices().size(), std::size_t(2));
    QCOMPARE(log->devices()[0].name, std::string("AMD Instinct MI300X"));
    QCOMPARE(log->devices()[0].numbers[0].name, std::string("utilization.gpu"));
    QCOMPARE(log->devices()[1].ordinal, 3);
    QCOMPARE(log->devices()[1].total, Bytes(206'141'652'992));
    QCOMPARE(curve(*log, 0, CurveRole::DeviceUsed), std::vector<Bytes>{60'000'000'000});
    QCOMPARE(curve(*log, 1, CurveRole::DeviceUsed), std::vector<Bytes>{63'000'000'000});
    QVERIFY(log->problems().empty());
}

void TestSmiScreen::rocmSmiMayBeRepeated()
{
    const auto line = [](const char *used) {
        return QByteArray(R"json({"card0": {"VRAM Total Memory (B)": "1000",)json") +
               R"json("VRAM Total Used Memory (B)": ")json" + used + R"json("}})json" + "\n";
    };
    const auto log = test::readLog(line("1") + line("2") + R"json({"card0": {"VRAM)json");
    QCOMPARE(curve(*log, 0, CurveRole::DeviceUsed), (std::vector<Bytes>{1, 2}));
    QCOMPARE(log->problems().size(), std::size_t(2)); // no times, and the last is cut off
    const auto other = R"json({"card0": {"GTT Total Memory (B)": "1"}})json";
    QCOMPARE(test::readSeries(readSmiLog, other, 64).error().code, ErrorCode::NotRecognized);
}

void TestSmiScreen::bracketsAloneAreNoJson_data()
{
    QTest::addColumn<QByteArray>("text");
    QTest::addColumn<bool>("isText");
    QTest::newRow("a date") << QByteArray("[04-03-2026 @ 13:32:00] >  Memory: 300/11019 MiB\n")
                            << true;
    QTest::newRow("a level") << QByteArray("[INFO] loading\n[INFO] done\n") << true;
    QTest::newRow("a time since start") << QByteArray("[   12.345] usb 1-1\n") << true;
    QTest::newRow("a rank") << QByteArray("[0]: training starts\n") << true;
    QTest::newRow("braces") << QByteArray("{rank 0} training starts\n") << true;
    QTest::newRow("numbers") << QByteArray("[1.5e3, 2]\n") << false;
    QTest::newRow("one number") << QByteArray("[1]\n") << false;
    QTest::newRow("words") << QByteArray("[true, null]") << false;
    QTest::newRow("nothing") << QByteArray("[ ]") << false;
}

void TestSmiScreen::bracketsAloneAreNoJson()
{
    QFETCH(QByteArray, text);
    QFETCH(bool, isText);
    const std::string error = formatOfText(text).error().text();
    QCOMPARE(error.find("text file") != std::string::npos, isText);
    QCOMPARE(error.find("JSON") == std::string::npos, isText);
}

VRAMSCOPE_TEST(TestSmiScreen)
#include "tst_smi_screen.moc"
