// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

struct sqlite3;

namespace vramscope::test {

/// An export of Nsight Systems as a test says it: a database in memory or in a file, with the
/// tables that nsys 2026 writes, empty at first.
class NsightExport
{
public:
    /// `file`: empty for one in memory.
    explicit NsightExport(const std::string &file = {});
    NsightExport(const NsightExport &) = delete;
    NsightExport &operator=(const NsightExport &) = delete;
    ~NsightExport();

    /// Runs any SQL; asserts that it can be.
    void run(const std::string &sql);
    /// The id of a text in StringIds.
    std::int64_t text(std::string_view value);

    [[nodiscard]] static std::int64_t globalPid(std::int64_t pid);
    [[nodiscard]] static std::int64_t globalTid(std::int64_t pid, std::int64_t tid);

    void addKernel(std::int64_t start, std::int64_t end, std::int64_t pid, std::int64_t device,
                   std::int64_t stream, std::int64_t correlation, std::string_view name);
    void addCall(std::int64_t start, std::int64_t end, std::int64_t pid, std::int64_t tid,
                 std::int64_t correlation, std::string_view name);
    void addRange(std::int64_t start, std::int64_t end, std::int64_t pid, std::int64_t tid,
                  std::string_view name, std::string_view payload = {});
    void addMemory(std::int64_t time, std::int64_t pid, std::int64_t device, std::int64_t address,
                   std::int64_t bytes, int kind, int operation);

    /// The bytes of the file that it would be.
    [[nodiscard]] std::string bytes() const;
    [[nodiscard]] sqlite3 *database() const { return m_database; }

private:
    sqlite3 *m_database = nullptr;
    std::int64_t m_texts = 0;
};

/// A payload as NCCL writes it: two of 8 bytes, or one and two of 4, behind 32 bytes.
[[nodiscard]] std::string ncclPayload(std::uint32_t schema, std::uint64_t communicator,
                                      std::uint64_t second);

/// Two processes with a GPU each, operators, a collective of known size, memory and a wait.
[[nodiscard]] std::string sampleNsightExport();

} // namespace vramscope::test
