// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/readers/file_kind.h"
#include "core/readers/read_trace.h"
#include "tests/support/test.h"
#include "tests/support/trace_text.h"

#include <string>
#include <utility>

using namespace vramscope;
using namespace Qt::StringLiterals;

namespace {

using Tables = std::shared_ptr<const ProfilerTables>;

Result<Tables> readTables(const std::string &text)
{
    auto recording = readRecording(test::bytesOf(text));
    if (!recording.ok())
        return recording.error();
    return std::get<Tables>(*recording);
}

QString tableComplaint(const std::string &text)
{
    const auto tables = readTables(text);
    return tables.ok() ? QString() : QString::fromStdString(tables.error().text());
}

const std::string kLong = R"("ID","Process ID","Process Name","Host Name","Kernel Name","Context",)"
                          R"("Stream","Block Size","Grid Size","Device","CC","Section Name",)"
                          R"("Metric Name","Metric Unit","Metric Value")";

/// A row of Nsight Compute's page of details.
std::string detail(const std::string &id, const std::string &kernel, const std::string &section,
                   const std::string &metric, const std::string &unit, const std::string &value)
{
    return "\n\"" + id + R"x(","42","python","host","void )x" + kernel +
           R"x((float *, int)","1","7","(256, 1, 1)","(16, 2, 1)","0","8.0",")x" + section +
           R"x(",")x" + metric + R"x(",")x" + unit + R"x(",")x" + value + '"';
}

std::string utf16(const std::string &text)
{
    std::string wide = "\xFF\xFE";
    for (const char c : text)
        wide += {c, '\0'};
    return wide;
}

} // namespace

/// What nsys stats and Nsight Compute print as CSV.
class TestProfilerTables : public test::Test
{
    Q_OBJECT

private Q_SLOTS:
    void columnsOfFixedWidthAreRead();
    void nanosecondsOfTheFirstTwoSecondsAreNoDates();
    void severalTablesOfNsysStandInOneFile()
    {
        const auto tables = readTables(
            "NOTICE: Existing SQLite export found: r.sqlite\n"
            "Processing [r.sqlite] with [/opt/nsight/reports/cuda_gpu_kern_sum.py]... \n"
            "\n"
            "Time (%),Total Time (ns),Instances,Avg (ns),Med (ns),Min (ns),Max (ns),StdDev "
            "(ns),Name\n"
            "88.7,10650240,24,443760.0,443520.0,441120,449280,2048.5,\"gemm(double *, int)\"\n"
            "11.3,1357824,24,56576.0,56512.0,56320,57344,301.2,scale\n"
            "\n"
            " ** CUDA GPU MemOps Summary (by Size) (cuda_gpu_mem_size_sum):\n"
            "\n"
            "Total (MB),Count,Avg (MB),Med (MB),Min (MB),Max (MB),StdDev (MB),Operation\n"
            "512.000,20,25.600,25.600,25.600,25.600,0.000,[CUDA memcpy Host-to-Device]\n");
        QVERIFY(tables.ok());
        QCOMPARE((*tables)->tool, TableTool::NsysStats);
        QCOMPARE((*tables)->tables.size(), 2U);
        const CellTable &kernels = (*tables)->tables[0];
        QCOMPARE(kernels.title, "cuda_gpu_kern_sum");
        QCOMPARE(kernels.rowCount(), 2U);
        QCOMPARE(kernels.columns[1].name, "Total Time");
        QCOMPARE(kernels.columns[1].unit, "ns");
        QVERIFY(kernels.columns[1].isNumber);
        QVERIFY(!kernels.columns[8].isNumber);
        QCOMPARE(kernels.cell(0, 8), "gemm(double *, int)");
        const CellTable &copies = (*tables)->tables[1];
        QCOMPARE(copies.title, "CUDA GPU MemOps Summary (by Size) (cuda_gpu_mem_size_sum)");
        QCOMPARE(copies.rowCount(), 1U);
        QCOMPARE(copies.columns[0].unit, "MB");
        QVERIFY((*tables)->problems.empty());
    }

    void headersOfAllVersionsAreKnown_data()
    {
        QTest::addColumn<QByteArray>("header");
        const auto row = [](const char *name, const char *header) {
            QTest::newRow(name) << QByteArray(header);
        };
        row("2020", "Time(%),Total Time (ns),Instances,Average,Minimum,Maximum,StdDev,Name");
        row("2020 sizes", "Total (KB),Operations,Average (KB),Minimum (KB),Maximum (KB),Operation");
        row("2023 calls", "Time (%),Total Time (ns),Num Calls,Avg (ns),Med (ns),Min (ns),Max (ns),"
                          "StdDev (ns),Name");
        row("2024 ranges", "Time (%),Total Time (ns),Instances,Avg (ns),Med (ns),Min (ns),Max "
                           "(ns),StdDev (ns),Style,Range");
        row("2024 trace", "Start (ns),Duration (ns),CorrId,GrdX,GrdY,GrdZ,BlkX,BlkY,BlkZ,Reg/Trd,"
                          "StcSMem (MB),DymSMem (MB),Bytes (MB),Throughput (MB/s),SrcMemKd,"
                          "DstMemKd,Device,Ctx,GreenCtx,Strm,Name");
        row("2025 trace", "Start:ts_ns,Duration:dur_ns,CorrId,GrdX,GrdY,GrdZ,Device,Ctx,Strm,Name");
        row("kernels by range", "NVTX Range,NVTX Inst,Kern Inst,Total Time (ns),Kernel Name");
        row("Nsight Compute", "\"ID\",\"Process ID\",\"Kernel Name\",\"Metric Name\"");
        row("its summary", "\"Process ID\",\"Kernel Name\",\"Invocations\",\"Section Name\","
                           "\"Metric Name\",\"Metric Unit\",\"Minimum\",\"Maximum\",\"Average\"");
    }
    void headersOfAllVersionsAreKnown()
    {
        QFETCH(QByteArray, header);
        const std::string text = header.toStdString() + '\n';
        QCOMPARE(identify(text, true), FileKind::Tables);
        QCOMPARE(identify("\xEF\xBB\xBF" + text, true), FileKind::Tables);
        QCOMPARE(identify(utf16(text), true), FileKind::Tables);
        const auto tables = readTables(text);
        QVERIFY(tables.ok());
        QVERIFY(QString::fromStdString((*tables)->problems.back()).contains(u"no row"_s) ||
                (*tables)->launches.empty());
    }

    void otherTablesAreNoneOfThem()
    {
        QCOMPARE(identify("Name,Age\nAda,36\n", true), FileKind::Other);
        QCOMPARE(identify("id,name,count (kg),total\n1,a,2,3\n", true), FileKind::Other);
        QCOMPARE(identify("timestamp, index, memory.used [MiB]\n", true), FileKind::SmiLog);
    }

    void aRowAMetricBecomesARowALaunch()
    {
        const std::string limits = "GPU Speed Of Light Throughput";
        const auto tables =
            readTables("==PROF== Connected to process 42 (/usr/bin/python)\nepoch 1, loss 2\n" +
                       kLong + detail("0", "gemm", limits, "Memory Throughput", "%", "80.5") +
                       detail("0", "gemm", limits, "Memory Throughput", "Gbyte/s", "1,200.25") +
                       detail("0", "gemm", limits, "DRAM Throughput", "%", "71.0") +
                       detail("0", "gemm", limits, "Duration", "us", "1,211.94") +
                       detail("0", "gemm", limits, "Compute (SM) Throughput", "%", "35.25") +
                       detail("0", "gemm", "Occupancy", "Achieved Occupancy", "%", "62.5") +
                       detail("1", "scale", limits, "Duration", "ms", "2.5") +
                       detail("1", "scale", limits, "DRAM Throughput", "", "n/a") +
                       "\n==PROF== Disconnected from process 42\n");
        QVERIFY(tables.ok());
        QCOMPARE((*tables)->tool, TableTool::NsightCompute);
        QCOMPARE((*tables)->launches.size(), 2U);
        const CounterLaunch &gemm = (*tables)->launches[0];
        QCOMPARE(gemm.name, "void gemm(float *, int)");
        QCOMPARE(gemm.duration, 1'211'940);
        QCOMPARE(gemm.device, 0);
        QCOMPARE(gemm.grid, (std::array<std::int64_t, 3>{16, 2, 1}));
        QCOMPARE(gemm.block, (std::array<std::int64_t, 3>{256, 1, 1}));
        QCOMPARE(gemm.values, (CounterValues{62.5, 35.25, 71.0}));
        const CounterLaunch &scale = (*tables)->launches[1];
        QCOMPARE(scale.duration, 2'500'000);
        QCOMPARE(scale.values, CounterValues{});
        const CellTable &table = (*tables)->tables.front();
        QCOMPARE(table.rowCount(), 2U);
        QCOMPARE(table.columns.size(), 11U + 7);
        QCOMPARE(table.cell(0, 12), "1,200.25");
        QCOMPARE(table.columns[12].unit, "Gbyte/s");
        QCOMPARE(table.columns[14].name, "Duration"); // each states its own unit
        QCOMPARE(table.columns[14].unit, "");
        QCOMPARE(table.cell(1, 14), "2.5 ms");
        QVERIFY((*tables)->problems.empty());
    }

    void aRowALaunchHasItsUnitsBelowItsHeader()
    {
        const std::string raw =
            "\"ID\",\"Process ID\",\"Process Name\",\"Host Name\",\"Kernel Name\",\"Context\","
            "\"Stream\",\"Block Size\",\"Grid Size\",\"Device\",\"CC\","
            "\"dram__throughput.avg.pct_of_peak_sustained_elapsed\",\"gpu__time_duration.sum\","
            "\"sm__throughput.avg.pct_of_peak_sustained_elapsed\","
            "\"sm__warps_active.avg.pct_of_peak_sustained_active\"\n"
            "\"\",\"\",\"\",\"\",\"\",\"\",\"\",\"\",\"\",\"\",\"\",\"%\",\"nsecond\",\"%\",\"%\"\n"
            "\"0\",\"1\",\"python3\",\"h\",\"gemm\",\"1\",\"7\",\"(128, 1, 1)\",\"(80, 1, "
            "1)\",\"3\","
            "\"8.0\",\"80.5\",\"2,000,000\",\"30.0\",\"12.5\"\n";
        const auto tables = readTables(raw + raw); // two runs into one file
        QVERIFY(tables.ok());
        QCOMPARE((*tables)->launches.size(), 2U);
        const CounterLaunch &launch = (*tables)->launches.front();
        QCOMPARE(launch.name, "gemm");
        QCOMPARE(launch.device, 3);
        QCOMPARE(launch.duration, 2'000'000);
        QCOMPARE(launch.values, (CounterValues{12.5, 30.0, 80.5}));
        QCOMPARE((*tables)->tables.size(), 1U);
        QCOMPARE((*tables)->tables.front().rowCount(), 2U);
        QCOMPARE((*tables)->tables.front().columns[12].unit, "nsecond");
    }

    void aSummaryHoldsNoLaunches()
    {
        const auto tables = readTables(
            "\"Process ID\",\"Kernel Name\",\"Invocations\",\"Section Name\",\"Metric Name\","
            "\"Metric Unit\",\"Minimum\",\"Maximum\",\"Average\"\n"
            "\"1\",\"k\",\"2\",\"Occupancy\",\"Achieved Occupancy\",\"%\",\"10\",\"30\",\"20\"\n");
        QVERIFY(tables.ok());
        QVERIFY((*tables)->launches.empty());
        QCOMPARE((*tables)->tables.front().rowCount(), 1U);
        QVERIFY(QString::fromStdString((*tables)->problems.front()).contains(u"summary"_s));
    }

    void aDamagedHeaderIsSaidAndItsRowsAreShown()
    {
        // A comma is lost behind the name of the kernel's column.
        const auto tables =
            readTables("\"ID\",\"Kernel Name\" \"Block Size\",\"Grid Size\",\"time\"\n"
                       "\"\",\"\",\"\",\"ns\"\n\"0\",\"gemm\",\"(1, 1, 1)\",\"900\"\n");
        QVERIFY(tables.ok());
        QCOMPARE((*tables)->tables.front().rowCount(), 2U);
        QVERIFY((*tables)->launches.empty());
        QVERIFY(QString::fromStdString((*tables)->problems.front()).contains(u"\"Kernel Name\""_s));
    }

    void whatIsNoRowIsCountedAndLeftOut()
    {
        const auto tables = readTables("Time (%),Total Time (ns),Instances,Name\n50.0,100,2,gemm\n"
                                       "50.0,1\n1,2,3,4,5\n50.0,100,2,\"cut");
        QVERIFY(tables.ok());
        QCOMPARE((*tables)->tables.front().rowCount(), 1U);
        QCOMPARE((*tables)->problems.size(), 2U);
        QCOMPARE((*tables)->problems[0], "Line 5: the file ends within it; it is left out.");
        QCOMPARE((*tables)->problems[1],
                 "2 lines have more or fewer cells than the table has columns, the first in line "
                 "3; left out.");
    }

    void hostileTablesAreASentence()
    {
        const std::string head = "Time (%),Total Time (ns),Instances,Name\n";
        QVERIFY(
            tableComplaint(head + "1,2,3,\"" + std::string(5 << 20, 'x')).contains(u"a quote"_s));
        QVERIFY(tableComplaint(head + "1,2,3," + std::string(5 << 20, 'x')).contains(u"4 MiB"_s));
        QVERIFY(tableComplaint(head + std::string(1'000'000, ',')).contains(u"20,000 columns"_s));
        QVERIFY(tableComplaint("Time (%),Total Time (ns),Name" + std::string(1'000'000, ','))
                    .contains(u"20,000 columns"_s));
        QVERIFY(
            tableComplaint(head + "1,2,3,k\n\"ID\",\"Kernel Name\"\n").contains(u"another tool"_s));
    }

    void metricsThatNoOtherLaunchHasTakeNoMemory()
    {
        std::string text = kLong;
        constexpr int kLaunches = 3000;
        for (int at = 0; at < kLaunches; ++at)
            text += detail(std::to_string(at), "k", "S", "m" + std::to_string(at), "%", "1");
        const auto tables = readTables(text);
        QVERIFY(tables.ok());
        QCOMPARE((*tables)->launches.size(), std::size_t(kLaunches));
        QCOMPARE((*tables)->tables.front().columns.size(), 15U); // as they are written
        QCOMPARE((*tables)->problems.size(), 1U);
    }

    void everyPrefixIsATableOrASentence()
    {
        const std::string text = "==PROF== x\n" + kLong +
                                 detail("0", "g", "Occupancy", "Achieved Occupancy", "%", "62.5") +
                                 detail("1", "g", "Occupancy", "Achieved Occupancy", "%", "62.5");
        for (std::size_t size = 1; size <= text.size(); ++size) {
            const auto tables = readTables(text.substr(0, size));
            QVERIFY(tables.ok() ? (*tables)->launches.size() <= 2 : !tables.error().detail.empty());
        }
    }

    void numbersMayHaveCommasBetweenThousands()
    {
        QCOMPARE(numberOf("1,234,567.5"), std::optional(1234567.5));
        QCOMPARE(numberOf("-1,234"), std::optional(-1234.0));
        QCOMPARE(numberOf("12"), std::optional(12.0));
        for (const char *text : {"1,23", "1,2345", ",123", "12,34,567", "1.5,000", "n/a", "", "nan",
                                 "inf", "1 2", "1234,567"})
            QVERIFY2(!numberOf(text), text);
        QCOMPARE(nanosecondsOf(1.5, "usecond"), std::optional<std::int64_t>(1500));
        QCOMPARE(nanosecondsOf(2, "s"), std::optional<std::int64_t>(2'000'000'000));
        QVERIFY(!nanosecondsOf(-1, "ns") && !nanosecondsOf(1e300, "s") && !nanosecondsOf(1, "%"));
    }
};

void TestProfilerTables::columnsOfFixedWidthAreRead()
{
    const std::string text =
        "Generating SQLite file r.sqlite\n\n ** CUDA API Summary (cuda_api_sum):\n\n"
        " Time (%)  Total Time (ns)  Num Calls   Avg (ns)         Name       \n"
        " --------  ---------------  ---------  -----------  ----------------\n"
        "     61.3      612,345,678      1,200    510,288.1  cudaLaunch Kernel\n"
        "     30.2        301234567       3600      83676.3  a  b            \n"
        "      8.5         845678\n"
        "\n ** OS Runtime Summary (osrt_sum):\n\n"
        " Time (%)  Total Time (ns)  Num Calls  Name\n"
        " --------  ---------------  ---------  ----\n"
        "    100.0               12          1  poll\n";
    for (const std::string &written : {text, utf16(text)}) {
        const auto tables = readTables(written);
        QVERIFY(tables.ok());
        QCOMPARE((*tables)->tables.size(), std::size_t(2));
        const CellTable &calls = (*tables)->tables[0];
        QCOMPARE(calls.title, std::string("CUDA API Summary (cuda_api_sum)"));
        QCOMPARE(calls.columns[1].name, std::string("Total Time"));
        QCOMPARE(calls.columns[1].unit, std::string("ns"));
        QCOMPARE(calls.rowCount(), std::size_t(2));
        QCOMPARE(calls.cell(0, 1), std::string_view("612345678"));
        QCOMPARE(calls.cell(0, 3), std::string_view("510288.1"));
        QCOMPARE(calls.cell(0, 4), std::string_view("cudaLaunch Kernel"));
        QCOMPARE(calls.cell(1, 4), std::string_view("a  b"));
        QVERIFY(calls.columns[1].isNumber && !calls.columns[4].isNumber);
        QCOMPARE((*tables)->tables[1].cell(0, 3), std::string_view("poll"));
        QCOMPARE((*tables)->problems.size(), std::size_t(1)); // the row that is cut off
    }
    // Dashes below any other line are none of it.
    QVERIFY(!readTables("Name  Age\n----  ---\nAda    36\n").ok());
}

void TestProfilerTables::nanosecondsOfTheFirstTwoSecondsAreNoDates()
{
    for (const char *start : {"1000000000", "1500000000", "1999999999", "12"}) {
        const auto tables = readTables("Start (ns),Duration (ns),CorrId,Device,Strm,Name\n" +
                                       std::string(start) + ",9000,0,GPU (0),7,sgemm\n");
        QVERIFY2(tables.ok(), start);
        QCOMPARE((*tables)->tables[0].cell(0, 0), std::string_view(start));
    }
}

VRAMSCOPE_TEST(TestProfilerTables)
#include "tst_profiler_tables.moc"
