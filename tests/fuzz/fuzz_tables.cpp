// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/csv.h"
#include "core/print/tables_report.h"
#include "core/profile/kernel_counters.h"
#include "core/readers/formats.h"
#include "tests/fuzz/fuzzer.h"
#include "tests/fuzz/text_check.h"
#include "tests/support/sample_profile.h"

#include <span>

using namespace vramscope;
using fuzz::check;

namespace {

auto tablesOf(std::span<const std::byte> bytes, std::size_t window)
{
    const auto source = memorySource(bytes);
    ByteWindow input(*source, window);
    return readProfilerTables(input, {});
}

/// The counters of Nsight Compute, joined to a recording that has kernels of other names.
void join(const std::shared_ptr<const ProfilerTables> &tables)
{
    static const auto profile = test::twoStepProfile();
    const KernelCounters counters = joinCounters(*profile, tables);
    check(counters.joined + counters.otherName + counters.otherShape + counters.tooMany ==
          static_cast<std::int64_t>(tables->launches.size()));
    for (const std::uint32_t launch : counters.launch)
        check(launch == kNoRow || launch < tables->launches.size());
    for (const std::string &sentence : joinSentences(counters))
        fuzz::checkText(sentence);
}

void checkCsv(std::string_view text)
{
    const auto csv = parseCsv(text);
    if (!csv)
        return;
    for (const CsvRow &row : csv->rows)
        check(row.cells.size() == csv->columns.size());
}

} // namespace

/// Any bytes are an error or tables whose rows are full, the same whatever the size of the window,
/// which can be shown and joined to a recording.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t *data, std::size_t size)
{
    const auto bytes = std::as_bytes(std::span(data, size));
    checkCsv({reinterpret_cast<const char *>(data), size});
    const auto tables = tablesOf(bytes, ByteWindow::kDefaultSize);
    const auto same = tablesOf(bytes, 64);
    check(tables.ok() == same.ok());
    if (!tables) {
        check(!tables.error().text().empty());
        return 0;
    }
    check(!(*tables)->tables.empty());
    for (const CellTable &table : (*tables)->tables)
        check(!table.columns.empty());
    for (const std::size_t most : {std::size_t(0), std::size_t(1)}) {
        const std::string json =
            fuzz::twice([&] { return profilerTablesJson(**tables, "file", most); });
        fuzz::checkJsonText(json);
        check(json == profilerTablesJson(**same, "file", most));
        fuzz::checkText(profilerTablesText(**tables, "file", most));
    }
    join(*tables);
    return 0;
}

std::vector<std::string> fuzzSeeds()
{
    using namespace std::string_literals;
    const std::string counters =
        R"("ID","Process ID","Process Name","Host Name","Kernel Name","Context","Stream",)"
        R"("Block Size","Grid Size","Device","CC","Section Name","Metric Name","Metric Unit",)"
        R"("Metric Value")";
    const std::string row = "\n\"0\",\"42\",\"python\",\"host\",\"reduce_kernel\",\"1\",\"7\","
                            "\"(256, 1, 1)\",\"(16, 2, 1)\",\"0\",\"8.0\",";
    return {"NOTICE: Existing SQLite export found: r.sqlite\n"
            "Processing [r.sqlite] with [/opt/reports/cuda_gpu_kern_sum.py]... \n\n"
            "Time (%),Total Time (ns),Instances,Avg (ns),Med (ns),Min (ns),Max (ns),StdDev "
            "(ns),Name\n88.7,10650240,24,443760.0,443520.0,441120,449280,2048.5,\"gemm(double *, "
            "int)\"\n11.3,1357824,24,56576.0,56512.0,56320,57344,301.2,scale\n\n"
            " ** CUDA GPU MemOps Summary (by Size) (cuda_gpu_mem_size_sum):\n\n"
            "Total (MB),Count,Avg (MB),Med (MB),Min (MB),Max (MB),StdDev (MB),Operation\n"
            "512.000,20,25.600,25.600,25.600,25.600,0.000,[CUDA memcpy Host-to-Device]\n",
            "Start (ns),Duration (ns),CorrId,GrdX,GrdY,GrdZ,Device,Ctx,Strm,Name\n"
            "1,2,3,4,5,6,A (0),1,7,\"k\"\"ernel\"\n",
            "Time(%),Total Time (ns),Instances,Average,Minimum,Maximum,StdDev,Name\n1,2,3,4,5,6,7,"
            "x\n",
            "==PROF== Connected to process 42\n" + counters + row +
                R"("GPU Speed Of Light Throughput","Memory Throughput","%","80.5")" + row +
                R"("GPU Speed Of Light Throughput","Duration","us","1,200.5")" + row +
                R"("Occupancy","Achieved Occupancy","%","n/a")" + '\n',
            R"("ID","Kernel Name","Block Size","Grid Size","gpu__time_duration.sum",)"
            R"("sm__warps_active.avg.pct_of_peak_sustained_active")"
            "\n\"\",\"\",\"\",\"\",\"ns\",\"%\"\n\"0\",\"reduce_kernel\",\"(32, 1, 1)\","
            "\"(1, 1, 1)\",\"900\",\"12.5\"\n",
            "\xFF\xFET\0o\0t\0a\0l\0 \0(\0K\0B\0)\0,\0O\0p\0e\0r\0a\0t\0i\0o\0n\0\n\0001\0,\0x\0"s};
}
