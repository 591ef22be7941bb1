// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

// make_nsight_export FILE GIGABYTES: an export of Nsight Systems of about that size, with rows as
// wide as nsys writes them, in the shares of a recording of emit_nvtx(): to a kernel two calls and
// five ranges, and now and then a copy or a wait. Two processes with a GPU each.

#include "tests/support/nsight_export.h"

#include <sqlite3.h>

#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <string>
#include <vector>

using vramscope::test::NsightExport;

namespace {

/// One prepared INSERT of whole numbers, and of one text behind them.
class Insertion
{
public:
    Insertion(const NsightExport &file, const char *table, int columns)
    {
        std::string sql = std::string("INSERT INTO ") + table + " VALUES (?";
        for (int column = 1; column < columns; ++column)
            sql += ",?";
        sql += ")";
        if (sqlite3_prepare_v2(file.database(), sql.c_str(), -1, &m_statement, nullptr) !=
            SQLITE_OK) {
            std::fprintf(stderr, "%s: %s\n", sql.c_str(), sqlite3_errmsg(file.database()));
            std::exit(1);
        }
    }
    Insertion(const Insertion &) = delete;
    Insertion &operator=(const Insertion &) = delete;
    ~Insertion() { sqlite3_finalize(m_statement); }

    void run(const std::vector<std::int64_t> &numbers, int textAt = 0, const char *text = nullptr)
    {
        int column = 0;
        for (const std::int64_t number : numbers)
            sqlite3_bind_int64(m_statement, ++column, number);
        if (text != nullptr)
            sqlite3_bind_text(m_statement, textAt, text, -1, SQLITE_STATIC);
        if (sqlite3_step(m_statement) != SQLITE_DONE)
            std::exit(1);
        sqlite3_reset(m_statement);
    }

private:
    sqlite3_stmt *m_statement = nullptr;
};

void write(NsightExport &file, const std::string &path, double gigabytes)
{
    // What nsys adds to a kernel that the program does not read.
    file.run("ALTER TABLE CUPTI_ACTIVITY_KIND_KERNEL ADD COLUMN mangledName INTEGER");
    for (int column = 0; column < 16; ++column)
        file.run("ALTER TABLE CUPTI_ACTIVITY_KIND_KERNEL ADD COLUMN further" +
                 std::to_string(column) + " INTEGER");
    std::vector<std::int64_t> kernels;
    for (int name = 0; name < 200; ++name)
        kernels.push_back(file.text("void at::native::vectorized_elementwise_kernel<(int)4, "
                                    "at::native::FillFunctor<float>, variant_" +
                                    std::to_string(name) + ">(int, T2, T3)"));
    const std::int64_t launch = file.text("cudaLaunchKernel_v7000");
    const std::int64_t record = file.text("cudaEventRecord_v3020");
    const std::vector<std::string> operators{"aten::linear", "aten::addmm", "aten::view",
                                             "aten::empty_strided", "aten::copy_"};
    Insertion kernel(file, "CUPTI_ACTIVITY_KIND_KERNEL", 35);
    Insertion call(file, "CUPTI_ACTIVITY_KIND_RUNTIME", 8);
    Insertion range(file, "NVTX_EVENTS", 9);
    Insertion copy(file, "CUPTI_ACTIVITY_KIND_MEMCPY", 11);
    Insertion wait(file, "CUPTI_ACTIVITY_KIND_SYNCHRONIZATION", 8);
    const auto wanted = static_cast<std::uintmax_t>(gigabytes * 1e9);
    std::vector<std::int64_t> row;
    for (std::int64_t step = 0;; ++step) {
        constexpr std::int64_t kBatch = 10'000;
        if (step % kBatch == 0) {
            if (step > 0)
                file.run("COMMIT");
            if (std::filesystem::file_size(path) >= wanted)
                break;
            file.run("BEGIN");
        }
        const std::int64_t rank = step % 2;
        const std::int64_t pid = 1'000 + rank;
        const std::int64_t process = NsightExport::globalPid(pid);
        const std::int64_t thread = NsightExport::globalTid(pid, pid);
        const std::int64_t time = 60'000'000'000 + step / 2 * 20'000;
        const std::int64_t correlation = 1'000 + 2 * (step / 2);
        for (std::size_t at = 0; at < operators.size(); ++at) {
            const auto shift = static_cast<std::int64_t>(at) * 1'000;
            const std::string text =
                operators[at] + ", op_id = " + std::to_string(5 * step + std::int64_t(at));
            row = {time + shift, time + 12'000 - shift, 59, 0, thread};
            range.run(row, 4, text.c_str());
        }
        call.run({time + 5'000, time + 7'000, 1, thread, correlation, launch, 0, -1});
        call.run({time + 8'000, time + 8'500, 1, thread, correlation + 1, record, 0, -1});
        row = {time + 15'000,
               time + 33'000,
               rank,
               1 + rank,
               7,
               correlation,
               process,
               kernels[std::size_t(step) % kernels.size()],
               kernels[0],
               32,
               128,
               4,
               1,
               256,
               1,
               1,
               16'384,
               1'024,
               kernels[0],
               1,
               3,
               0,
               95'813'632,
               step,
               65'536,
               0,
               0,
               0,
               0,
               0,
               0,
               0,
               0,
               0,
               0};
        kernel.run(row);
        if (step % 4 == 0)
            copy.run({time + 15'000, time + 16'000, rank, 1 + rank, 9, correlation + 1, process,
                      4'096, 1, 1, 2});
        if (step % 10 == 0)
            wait.run({time + 8'500, time + 33'000, 0, 1 + rank, 7, correlation + 1, process, 3});
    }
}

} // namespace

int main(int argc, char **argv)
{
    const double gigabytes = argc == 3 ? std::strtod(argv[2], nullptr) : 0;
    if (gigabytes <= 0) {
        std::fprintf(stderr, "make_nsight_export FILE GIGABYTES\n");
        return 1;
    }
    std::filesystem::remove(argv[1]);
    NsightExport file(argv[1]);
    write(file, argv[1], gigabytes);
    return 0;
}
