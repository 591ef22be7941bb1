// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/nsight_export.h"

#include <sqlite3.h>

#include <cassert>
#include <cstdio>
#include <cstdlib>

namespace vramscope::test {

namespace {

constexpr const char *kTables = R"(
CREATE TABLE StringIds (id INTEGER NOT NULL PRIMARY KEY, value TEXT NOT NULL);
CREATE TABLE META_DATA_EXPORT (name TEXT NOT NULL, value TEXT);
CREATE TABLE TARGET_INFO_SESSION_START_TIME (utcEpochNs INTEGER, utcTime TEXT);
CREATE TABLE TARGET_INFO_GPU (id INTEGER, name TEXT, totalMemory INTEGER);
CREATE TABLE TARGET_INFO_CUDA_DEVICE (gpuId INTEGER, cudaId INTEGER NOT NULL, pid INTEGER NOT NULL);
CREATE TABLE ThreadNames (nameId INTEGER NOT NULL, priority INTEGER, globalTid INTEGER);
CREATE TABLE DIAGNOSTIC_EVENT (timestamp INTEGER, severity INTEGER NOT NULL, text TEXT NOT NULL);
CREATE TABLE CUPTI_ACTIVITY_KIND_KERNEL (start INTEGER NOT NULL, end INTEGER NOT NULL,
    deviceId INTEGER NOT NULL, contextId INTEGER NOT NULL, streamId INTEGER NOT NULL,
    correlationId INTEGER, globalPid INTEGER, demangledName INTEGER NOT NULL,
    shortName INTEGER NOT NULL, registersPerThread INTEGER, gridX INTEGER, gridY INTEGER,
    gridZ INTEGER, blockX INTEGER, blockY INTEGER, blockZ INTEGER, staticSharedMemory INTEGER,
    dynamicSharedMemory INTEGER);
CREATE TABLE CUPTI_ACTIVITY_KIND_MEMCPY (start INTEGER NOT NULL, end INTEGER NOT NULL,
    deviceId INTEGER NOT NULL, contextId INTEGER, streamId INTEGER NOT NULL, correlationId INTEGER,
    globalPid INTEGER, bytes INTEGER NOT NULL, copyKind INTEGER NOT NULL, srcKind INTEGER,
    dstKind INTEGER);
CREATE TABLE CUPTI_ACTIVITY_KIND_MEMSET (start INTEGER NOT NULL, end INTEGER NOT NULL,
    deviceId INTEGER NOT NULL, contextId INTEGER, streamId INTEGER NOT NULL, correlationId INTEGER,
    globalPid INTEGER, value INTEGER, bytes INTEGER NOT NULL, memKind INTEGER);
CREATE TABLE CUPTI_ACTIVITY_KIND_RUNTIME (start INTEGER NOT NULL, end INTEGER NOT NULL,
    eventClass INTEGER, globalTid INTEGER, correlationId INTEGER, nameId INTEGER NOT NULL,
    returnValue INTEGER, callchainId INTEGER);
CREATE TABLE CUPTI_ACTIVITY_KIND_SYNCHRONIZATION (start INTEGER NOT NULL, end INTEGER NOT NULL,
    deviceId INTEGER NOT NULL, contextId INTEGER, streamId INTEGER NOT NULL, correlationId INTEGER,
    globalPid INTEGER, syncType INTEGER NOT NULL);
CREATE TABLE PROFILER_OVERHEAD (start INTEGER NOT NULL, end INTEGER NOT NULL, globalTid INTEGER,
    nameId INTEGER NOT NULL);
CREATE TABLE NVTX_EVENTS (start INTEGER NOT NULL, end INTEGER, eventType INTEGER NOT NULL,
    text TEXT, globalTid INTEGER, textId INTEGER, domainId INTEGER, jsonText TEXT, binaryData BLOB);
CREATE TABLE NVTX_PAYLOAD_SCHEMA_ENTRIES (domainId INTEGER, schemaId INTEGER, idx INTEGER,
    type INTEGER, name TEXT, offset INTEGER);
CREATE TABLE CUDA_GPU_MEMORY_USAGE_EVENTS (start INTEGER NOT NULL, globalPid INTEGER,
    deviceId INTEGER NOT NULL, contextId INTEGER, address INTEGER NOT NULL, bytes INTEGER NOT NULL,
    memKind INTEGER NOT NULL, memoryOperationType INTEGER NOT NULL, name TEXT);
INSERT INTO NVTX_PAYLOAD_SCHEMA_ENTRIES VALUES
    (1, 18, 0, 18, 'NCCL communicator ID', NULL), (1, 18, 1, 5, 'No. of ranks', 8),
    (1, 20, 0, 18, 'NCCL communicator ID', NULL), (1, 20, 1, 22, 'Message size [bytes]', 8);
)";

template<class... Values>
std::string row(const char *table, Values... values)
{
    std::string sql = std::string("INSERT INTO ") + table + " VALUES (";
    bool isFirst = true;
    const auto add = [&](const std::string &value) {
        sql += (isFirst ? "" : ", ") + value;
        isFirst = false;
    };
    (add(std::to_string(values)), ...);
    return sql + ")";
}

} // namespace

NsightExport::NsightExport(const std::string &file)
{
    if (sqlite3_open(file.empty() ? ":memory:" : file.c_str(), &m_database) != SQLITE_OK)
        std::abort();
    run(std::string("PRAGMA journal_mode=OFF; PRAGMA synchronous=OFF; PRAGMA page_size=") +
        (file.empty() ? "512" : "4096"));
    run(kTables);
}

NsightExport::~NsightExport()
{
    sqlite3_close(m_database);
}

void NsightExport::run(const std::string &sql)
{
    char *problem = nullptr;
    if (sqlite3_exec(m_database, sql.c_str(), nullptr, nullptr, &problem) != SQLITE_OK) {
        std::fprintf(stderr, "%s: %s\n", sql.c_str(), problem);
        std::abort();
    }
}

std::int64_t NsightExport::text(std::string_view value)
{
    char *sql = sqlite3_mprintf("INSERT INTO StringIds VALUES (%lld, %Q)",
                                static_cast<long long>(++m_texts), std::string(value).c_str());
    run(sql);
    sqlite3_free(sql);
    return m_texts;
}

std::int64_t NsightExport::globalPid(std::int64_t pid)
{
    constexpr std::int64_t kMachine = std::int64_t(1) << 48;
    return kMachine | pid << 24;
}

std::int64_t NsightExport::globalTid(std::int64_t pid, std::int64_t tid)
{
    return globalPid(pid) | tid;
}

void NsightExport::addKernel(std::int64_t start, std::int64_t end, std::int64_t pid,
                             std::int64_t device, std::int64_t stream, std::int64_t correlation,
                             std::string_view name)
{
    const std::int64_t id = text(name);
    run(row("CUPTI_ACTIVITY_KIND_KERNEL", start, end, device, 1, stream, correlation,
            globalPid(pid), id, id, 32, 4, 2, 1, 128, 1, 1, 1024, 512));
}

void NsightExport::addCall(std::int64_t start, std::int64_t end, std::int64_t pid, std::int64_t tid,
                           std::int64_t correlation, std::string_view name)
{
    run(row("CUPTI_ACTIVITY_KIND_RUNTIME", start, end, 0, globalTid(pid, tid), correlation,
            text(name), 0, 0));
}

void NsightExport::addRange(std::int64_t start, std::int64_t end, std::int64_t pid,
                            std::int64_t tid, std::string_view name, std::string_view payload)
{
    sqlite3_stmt *statement = nullptr;
    if (sqlite3_prepare_v2(m_database, "INSERT INTO NVTX_EVENTS VALUES (?,?,59,?,?,NULL,0,NULL,?)",
                           -1, &statement, nullptr) != SQLITE_OK)
        std::abort();
    sqlite3_bind_int64(statement, 1, start);
    sqlite3_bind_int64(statement, 2, end);
    sqlite3_bind_text(statement, 3, name.data(), static_cast<int>(name.size()), SQLITE_TRANSIENT);
    sqlite3_bind_int64(statement, 4, globalTid(pid, tid));
    if (!payload.empty())
        sqlite3_bind_blob(statement, 5, payload.data(), static_cast<int>(payload.size()),
                          SQLITE_TRANSIENT);
    if (sqlite3_step(statement) != SQLITE_DONE)
        std::abort();
    sqlite3_finalize(statement);
}

void NsightExport::addMemory(std::int64_t time, std::int64_t pid, std::int64_t device,
                             std::int64_t address, std::int64_t bytes, int kind, int operation)
{
    run("INSERT INTO CUDA_GPU_MEMORY_USAGE_EVENTS VALUES (" + std::to_string(time) + ", " +
        std::to_string(globalPid(pid)) + ", " + std::to_string(device) + ", 1, " +
        std::to_string(address) + ", " + std::to_string(bytes) + ", " + std::to_string(kind) +
        ", " + std::to_string(operation) + ", NULL)");
}

std::string NsightExport::bytes() const
{
    sqlite3_int64 size = 0;
    unsigned char *data = sqlite3_serialize(m_database, "main", &size, 0);
    std::string all(reinterpret_cast<const char *>(data), static_cast<std::size_t>(size));
    sqlite3_free(data);
    return all;
}

std::string ncclPayload(std::uint32_t schema, std::uint64_t communicator, std::uint64_t second)
{
    std::string bytes;
    const auto add = [&](std::uint64_t value, int size) {
        for (int at = 0; at < size; ++at)
            bytes += static_cast<char>(value >> (8 * at) & 0xFF);
    };
    add(1, 8); // domain
    add(schema, 8);
    add(16, 8); // its size
    add(48, 8); // with these 32 bytes
    add(communicator, 8);
    add(second, 8);
    return bytes;
}

std::string sampleNsightExport()
{
    NsightExport file;
    file.run("INSERT INTO META_DATA_EXPORT VALUES ('EXPORT_SCHEMA_VERSION', '3.25.0')");
    file.run("INSERT INTO TARGET_INFO_SESSION_START_TIME VALUES (1700000000000000000, '')");
    file.run("INSERT INTO TARGET_INFO_GPU VALUES (0, 'NVIDIA H100', 1000000), (1, 'NVIDIA H100', "
             "1000000)");
    file.run("INSERT INTO TARGET_INFO_CUDA_DEVICE VALUES (0, 0, 11), (1, 1, 12)");
    for (const std::int64_t rank : {0, 1}) {
        const std::int64_t pid = 11 + rank;
        file.addRange(0, 10'000, pid, pid, "ProfilerStep#1, op_id = 1");
        file.addRange(10'000, 20'000, pid, pid, "ProfilerStep#2, op_id = 2");
        file.addRange(100, 900, pid, pid,
                      "aten::linear, seq = 3, op_id = 7, sizes = [[2, 3], [4, 3]]");
        file.addRange(200, 800, pid, pid, "aten::addmm, op_id = 8");
        file.addCall(300, 400, pid, pid, 1, "cudaLaunchKernel_v7000");
        file.addKernel(1'000 + rank, 3'600, pid, rank, 7, 1, "void gemm<float>(int)");
        file.addRange(500, 510, pid, pid, "ncclCommInitRank", ncclPayload(18, 0xABC, 2));
        file.addRange(3'000, 3'600, pid, pid, "ncclAllReduce", ncclPayload(20, 0xABC, 4'096));
        file.addCall(3'100, 3'200, pid, pid, 2, "cudaLaunchKernelExC_v11060");
        file.addKernel(3'300, 4'000 + 500 * rank, pid, rank, 20, 2, "ncclDevKernel_AllReduce_Sum");
        file.addCall(11'000, 11'100, pid, pid, 3, "cudaMemcpyAsync_v3020");
        file.run("INSERT INTO CUPTI_ACTIVITY_KIND_MEMCPY VALUES (12000, 12500, " +
                 std::to_string(rank) + ", 1, 7, 3, " +
                 std::to_string(NsightExport::globalPid(pid)) + ", 4096, 1, 1, 2)");
        file.run("INSERT INTO CUPTI_ACTIVITY_KIND_MEMSET VALUES (12600, 12700, " +
                 std::to_string(rank) + ", 1, 7, 4, " +
                 std::to_string(NsightExport::globalPid(pid)) + ", 0, 512, 2)");
        file.run("INSERT INTO CUPTI_ACTIVITY_KIND_SYNCHRONIZATION VALUES (12000, 12800, 0, 1, "
                 "4294967295, 5, " +
                 std::to_string(NsightExport::globalPid(pid)) + ", 4)");
        file.addMemory(50, pid, rank, 4'096, 1'000, 2, 0);
        file.addMemory(60, pid, rank, 8'192, 3'000, 2, 0);
        file.addMemory(70, pid, rank, 4'096, 1'000, 2, 1);
    }
    return file.bytes();
}

} // namespace vramscope::test
