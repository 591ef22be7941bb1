// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/bytes.h"
#include "core/base/string_pool.h"
#include "core/trace/trace.h"

#include <array>
#include <cstdint>
#include <limits>
#include <memory>
#include <span>
#include <string>
#include <vector>

namespace vramscope {

enum class DeviceKind : std::uint8_t { Cpu, Cuda, Hip, Xpu, Other };

/// The origin of a Series' times, which are always nanoseconds.
enum class Clock : std::uint8_t {
    Epoch,     ///< since 1970 in UTC: comparable with other files
    LocalTime, ///< since 1970 in an unknown time zone: off by whole quarters of an hour
    Relative,  ///< since a moment that the file does not name
};

/// The meaning of a curve's bytes.
enum class CurveRole : std::uint8_t {
    Allocated,      ///< by the caching allocator of one process
    Reserved,       ///< by the same process, including what it does not use
    Category,       ///< one of several that add up to the memory allocated
    DeviceUsed,     ///< of the whole device, by all users
    DeviceFree,     ///< of the whole device
    DeviceTotal,    ///< the device's size
    DeviceReserved, ///< reserved by driver and firmware, if a tool does not count it as used
    Process,        ///< of the device, by one process or by all that were listed
};

/// A missing value in a sample of a curve.
inline constexpr Bytes kNoBytes = std::numeric_limits<Bytes>::min();

/// A column of sizes parallel to SeriesDevice::time.
struct ByteCurve
{
    std::string name; ///< "allocated", "activation", "memory.used"
    CurveRole role = CurveRole::Allocated;
    std::vector<Bytes> values; ///< kNoBytes if missing
};

/// A column of other numbers: utilization, power, temperature. NaN if missing.
struct NumberCurve
{
    std::string name; ///< "utilization.gpu"
    std::string unit; ///< "%", "W"; empty where the file names none
    std::vector<double> values;
};

/// An allocation that failed.
struct FailedAllocation
{
    std::int64_t time = 0;
    Bytes requested = kNoBytes;
    Bytes allocated = kNoBytes; ///< at that moment
    Bytes reserved = kNoBytes;
    StringId operation = StringId::Empty;
};

/// The curves of one device. Every nonempty column has an entry for each time.
struct SeriesDevice
{
    DeviceKind kind = DeviceKind::Cuda;
    int ordinal = -1;     ///< -1: not in the file
    std::string label;    ///< short and unique in its file: "cuda:0", "cpu", "GPU 3"
    std::string name;     ///< "NVIDIA H100 80GB HBM3"; empty if unknown
    std::string identity; ///< UUID or PCI bus id; empty if unknown
    Bytes total = kNoBytes;

    std::vector<std::int64_t> time; ///< never goes back
    std::vector<ByteCurve> bytes;
    std::vector<NumberCurve> numbers;
    /// What happened at each sample, if samples are single allocations and frees.
    std::vector<Bytes> change; ///< bytes allocated, negative if freed
    std::vector<std::uint64_t> address;
    std::vector<StringId> operation; ///< the innermost operator that ran then
    std::vector<FailedAllocation> failed;

    /// The first curve of a role, or nullptr.
    [[nodiscard]] const ByteCurve *curve(CurveRole role) const;
};

enum class SpanKind : std::uint8_t {
    Kernel,
    Copy,
    Fill,
    Annotation,       ///< on the host: a profiler step, a record_function range
    DeviceAnnotation, ///< an annotation as the device ran it
};
inline constexpr std::size_t kSpanKindCount = 5;

/// "kernel", "copy", "fill", "annotation", "device annotation"
[[nodiscard]] std::string_view spanKindName(SpanKind kind);

/// A device that the file describes, with or without curves.
struct DeviceDescription
{
    int ordinal = 0;
    std::string name;
    Bytes total = kNoBytes;
};

/// A recording of curves over time instead of a history of blocks, made by SeriesBuilder::finish().
/// Constant, in columns, safe to share between threads.
class Series
{
public:
    /// By kind and ordinal, the host last.
    [[nodiscard]] std::span<const SeriesDevice> devices() const { return m_devices; }
    /// The numbers of kernels, copies and so on in the recording in addition to the curves, by
    /// SpanKind.
    [[nodiscard]] const std::array<std::int64_t, kSpanKindCount> &spanCounts() const
    {
        return m_spanCounts;
    }
    [[nodiscard]] std::span<const DeviceDescription> descriptions() const { return m_descriptions; }
    [[nodiscard]] Clock clock() const { return m_clock; }
    [[nodiscard]] std::string_view text(StringId id) const { return m_strings.text(id); }
    /// The rank of the recorded process; -1 if unknown.
    [[nodiscard]] int rank() const { return m_rank; }
    [[nodiscard]] int worldSize() const { return m_worldSize; }
    /// The file's facts about itself, as JSON text.
    [[nodiscard]] std::span<const Setting> facts() const { return m_facts; }
    [[nodiscard]] std::span<const Problem> problems() const { return m_problems; }
    /// "chrome-trace", "nsight-systems", "memory-timeline", "nvidia-smi", …
    [[nodiscard]] const std::string &format() const { return m_format; }

private:
    friend class SeriesBuilder;
    friend class Redaction;
    Series() = default;
    Series(const Series &) = default; // for Redaction, which rewrites the copy's texts

    std::vector<SeriesDevice> m_devices;
    std::array<std::int64_t, kSpanKindCount> m_spanCounts{};
    std::vector<DeviceDescription> m_descriptions;
    Clock m_clock = Clock::Relative;
    StringPool m_strings;
    int m_rank = -1;
    int m_worldSize = -1;
    std::vector<Setting> m_facts;
    std::vector<Problem> m_problems;
    std::string m_format;
};

} // namespace vramscope
