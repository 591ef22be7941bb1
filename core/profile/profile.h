// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/string_pool.h"
#include "core/trace/series.h"

#include <array>
#include <cstdint>
#include <limits>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace vramscope {

class Redaction;

/// A row of a column that does not exist.
inline constexpr std::uint32_t kNoRow = std::numeric_limits<std::uint32_t>::max();
/// A number that an event does not state.
inline constexpr std::int64_t kNotStated = std::numeric_limits<std::int64_t>::min();

/// What a device ran, by the category of its event.
enum class WorkKind : std::uint8_t { Kernel, Copy, Fill };

/// A queue of a device. Work of one lane may overlap.
struct ProfileLane
{
    std::int64_t device = -1;
    std::int64_t stream = -1;
    bool operator==(const ProfileLane &) const = default;
};

/// A thread of the host, by the process and thread of its events as the file writes them.
struct ProfileThread
{
    std::string process;
    std::string thread;
    std::string name; ///< "" where no metadata names it
};

/// How a kernel was launched. Numbers that a file does not state are kNotStated.
struct LaunchShape
{
    std::array<std::int64_t, 3> grid{kNotStated, kNotStated, kNotStated};
    std::array<std::int64_t, 3> block{kNotStated, kNotStated, kNotStated};
    std::int64_t registers = kNotStated;    ///< a thread
    std::int64_t sharedMemory = kNotStated; ///< bytes
    std::int64_t occupancy = kNotStated;    ///< estimated, per cent
    bool operator==(const LaunchShape &) const = default;
};

/// A column of which many recordings state nothing: as long as all of its values are `none` it
/// takes no memory.
template<class T, T none>
class SparseColumn
{
public:
    [[nodiscard]] T operator[](std::size_t row) const
    {
        return m_values.empty() ? none : m_values[row];
    }
    [[nodiscard]] std::size_t size() const { return m_size; }
    /// Whether all values are `none`.
    [[nodiscard]] bool isEmpty() const { return m_values.empty(); }
    void push_back(T value)
    {
        if (value != none)
            fillUpTo(m_size);
        ++m_size;
        if (!m_values.empty() || value != none)
            m_values.push_back(value);
    }
    /// The value of a row behind all that have one, and `none` for those between.
    void set(std::size_t row, T value)
    {
        if (value == none)
            return;
        fillUpTo(row);
        m_values.push_back(value);
        m_size = row + 1;
    }
    /// The value of a row before the last one.
    void replace(std::size_t row, T value)
    {
        if (value != none)
            fillUpTo(m_size);
        if (!m_values.empty())
            m_values[row] = value;
    }
    /// The values of rows behind all that have one.
    void set(std::size_t row, std::span<const T> values)
    {
        if (values.empty())
            return;
        fillUpTo(row);
        m_values.insert(m_values.end(), values.begin(), values.end());
        m_size = row + values.size();
    }
    void clear()
    {
        m_values.clear();
        m_size = 0;
    }
    /// So many values, of which those behind the last one are `none`.
    void finish(std::size_t size)
    {
        if (!m_values.empty())
            fillUpTo(size);
        m_size = size;
    }
    /// Room for so many values, once there is one.
    void reserve(std::size_t size) { m_room = size; }
    /// The values; none where all are `none`.
    [[nodiscard]] std::vector<T> &values() { return m_values; }

private:
    void fillUpTo(std::size_t size)
    {
        if (m_values.empty())
            m_values.reserve(m_room);
        m_values.resize(size, none);
    }

    std::vector<T> m_values;
    std::size_t m_size = 0;
    std::size_t m_room = 0;
};
using SparseTexts = SparseColumn<StringId, StringId::Empty>;

/// What devices ran (kernels, copies, fills), one entry an index, by start and end.
struct WorkColumns
{
    std::vector<std::int64_t> start; ///< ns as the file counts them
    std::vector<std::int64_t> end;   ///< never before its start
    std::vector<StringId> name;
    std::vector<std::uint32_t> lane; ///< of Profile::lanes()
    std::vector<WorkKind> kind;
    std::vector<std::uint32_t> call;      ///< of calls(): what launched it; kNoRow: none recorded
    std::vector<std::uint32_t> operation; ///< of operators(): the innermost that launched it
    std::vector<std::uint32_t> shape;     ///< of launchShapes(); kNoRow: none stated
    std::vector<std::int64_t> bytes;      ///< of copies and fills
    std::vector<bool> hasStream; ///< whether the file states "stream" (HTA counts no other)
    [[nodiscard]] std::size_t count() const { return start.size(); }
    [[nodiscard]] std::int64_t duration(std::size_t at) const { return end[at] - start[at]; }
};

/// What a kernel states of the collective that it carries out.
struct ProfileCollective
{
    std::uint32_t work = kNoRow;
    bool isNamed = false;              ///< has "Collective name", empty or not
    StringId name = StringId::Empty;   ///< that name
    StringId dtype = StringId::Empty;  ///< "Float", "BFloat16"
    StringId group = StringId::Empty;  ///< "Process Group Name"
    StringId ranks = StringId::Empty;  ///< "Process Group Ranks"
    StringId splits = StringId::Empty; ///< "In split size" of an all-to-all
    std::int64_t sent = kNotStated;    ///< "In msg nelems"
    std::int64_t got = kNotStated;     ///< "Out msg nelems"
    std::int64_t bytes = kNotStated;   ///< of the message, where not its elements are stated
    std::int64_t size = kNotStated;    ///< "Group size"
    std::int64_t number = kNotStated;  ///< "Seq"
};

/// Calls of the device's runtime and driver, by thread and start.
struct CallColumns
{
    std::vector<std::int64_t> start;
    std::vector<std::int64_t> end;
    std::vector<StringId> name;
    std::vector<std::uint32_t> thread;
    std::vector<std::uint32_t> operation; ///< the innermost operator in which it began; kNoRow
    [[nodiscard]] std::size_t count() const { return start.size(); }
};

/// Operators of the host by thread and start, of those that start together the longer first: each
/// stands after its parent.
struct OperatorColumns
{
    std::vector<std::int64_t> start;
    std::vector<std::int64_t> end;
    std::vector<StringId> name;
    std::vector<std::uint32_t> thread;
    std::vector<std::uint32_t> parent;           ///< kNoRow: none
    std::vector<std::uint16_t> depth;            ///< 0: no parent
    SparseColumn<std::uint32_t, kNoRow> forward; ///< the operator that this is the backward of
    SparseTexts shapes; ///< "Input Dims" as json.dumps() writes it; Empty: none
    SparseTexts types;  ///< "Input type", the same
    SparseTexts stack;  ///< "Call stack" of 1.8 to 1.12
    SparseTexts module; ///< "Module Hierarchy"
    [[nodiscard]] std::size_t count() const { return start.size(); }
};

enum class RangeKind : std::uint8_t {
    User,     ///< record_function() on the host
    Device,   ///< the same where the device ran it
    Overhead, ///< of the profiler itself
    Python,   ///< a Python function, where they were asked for
    Sync,     ///< a wait that the device's records show
};

/// Ranges that are neither work nor operators, by kind, thread and start, the longer first.
struct RangeColumns
{
    std::vector<std::int64_t> start;
    std::vector<std::int64_t> end;
    std::vector<StringId> name;
    std::vector<RangeKind> kind;
    std::vector<std::uint32_t> thread; ///< of threads(); for Device and Sync of lanes()
    [[nodiscard]] std::size_t count() const { return start.size(); }
};

/// What HTA counts beside device work: events of other categories that state a stream.
struct StreamedColumns
{
    std::vector<std::int64_t> start;
    std::vector<std::int64_t> end;
    std::vector<StringId> name;
    std::vector<std::uint32_t> call;
    [[nodiscard]] std::size_t count() const { return start.size(); }
};

/// "ProfilerStep#n" on the host.
struct ProfilerStep
{
    StringId name = StringId::Empty;
    std::int64_t start = 0;
    std::int64_t end = 0;
    bool operator==(const ProfilerStep &) const = default;
};

/// The memory of one device beside the times: what its [memory] events add up to.
struct ProfileMemory
{
    std::string type; ///< "Device Type" as the file writes it: 0 host, 1 CUDA, 6 HIP, …
    std::string id;   ///< "Device Id"
    std::int64_t events = 0;
    std::int64_t peakAllocated = kNotStated;
    std::int64_t peakReserved = kNotStated;
    std::int64_t peakRunning = 0; ///< of the sum of all changes, from 0
};

/// A GPU that the file describes, used or not; as the file states it.
struct ProfileGpu
{
    std::int64_t id = kNotStated;
    std::optional<std::string> name;
    std::int64_t memory = kNotStated;
};

/// What becomes of the Python functions of a profiler trace.
enum class PythonFunctions : std::uint8_t {
    Counted, ///< they are most of a file recorded with stacks, and cost only their skipping
    Kept,
};

/// A recording of torch.profiler (one process of a run) or of Nsight Systems (one or several): what
/// ran on the devices, which calls and operators of the host launched it, the steps, and the memory
/// beside it. Constant, in columns,
/// safe to share between threads. Times are nanoseconds from base(); names are ids of text().
class Profile
{
public:
    [[nodiscard]] const WorkColumns &work() const { return m_work; }
    /// By work; only of work that states any of it.
    [[nodiscard]] std::span<const ProfileCollective> collectives() const { return m_collectives; }
    [[nodiscard]] const CallColumns &calls() const { return m_calls; }
    [[nodiscard]] const OperatorColumns &operators() const { return m_operators; }
    [[nodiscard]] const RangeColumns &ranges() const { return m_ranges; }
    [[nodiscard]] const StreamedColumns &streamed() const { return m_streamed; }
    /// By start, none twice.
    [[nodiscard]] std::span<const ProfilerStep> steps() const { return m_steps; }
    /// By device and stream.
    [[nodiscard]] std::span<const ProfileLane> lanes() const { return m_lanes; }
    /// In order of their first event.
    [[nodiscard]] std::span<const ProfileThread> threads() const { return m_threads; }
    [[nodiscard]] std::span<const LaunchShape> launchShapes() const { return m_shapes; }
    [[nodiscard]] std::span<const ProfileMemory> memory() const { return m_memory; }
    [[nodiscard]] std::span<const ProfileGpu> gpus() const { return m_gpus; }
    /// Allocated and reserved over time, facts and problems; its times count from 1970 or from
    /// where the file does: those of the columns plus base().
    [[nodiscard]] const std::shared_ptr<const Series> &curves() const { return m_curves; }

    [[nodiscard]] std::string_view text(StringId id) const { return m_strings.text(id); }
    [[nodiscard]] std::size_t textCount() const { return m_strings.size(); }
    /// Elements of "traceEvents", of whatever kind.
    [[nodiscard]] std::int64_t eventCount() const { return m_eventCount; }
    /// What times count from, in ns since 1970; 0 where the file names no base.
    [[nodiscard]] std::int64_t base() const { return m_base; }
    /// As distributedInfo has them; kNotStated where it does not.
    [[nodiscard]] std::int64_t rank() const { return m_rank; }
    [[nodiscard]] std::int64_t worldSize() const { return m_worldSize; }
    /// The start of the last event named "ProfilerStep…" where there are several such names: HTA
    /// counts only what was called before it.
    [[nodiscard]] std::optional<std::int64_t> lastStepMark() const { return m_lastStepMark; }
    /// Whether the end of the file is missing: what is not in it may have been recorded.
    [[nodiscard]] bool isCut() const { return m_isCut; }
    /// Events of Python functions that were counted and not kept.
    [[nodiscard]] std::int64_t skippedPythonFunctions() const { return m_skippedPython; }

private:
    friend class ProfileBuilder;
    friend class DeviceProfiles;
    friend std::shared_ptr<const Profile> redacted(const Profile &profile, const Redaction &names);
    Profile() = default;
    Profile(const Profile &) = default; // for redacted() and DeviceProfiles, which change the copy

    WorkColumns m_work;
    std::vector<ProfileCollective> m_collectives;
    CallColumns m_calls;
    OperatorColumns m_operators;
    RangeColumns m_ranges;
    StreamedColumns m_streamed;
    std::vector<ProfilerStep> m_steps;
    std::vector<ProfileLane> m_lanes;
    std::vector<ProfileThread> m_threads;
    std::vector<LaunchShape> m_shapes;
    std::vector<ProfileMemory> m_memory;
    std::vector<ProfileGpu> m_gpus;
    std::shared_ptr<const Series> m_curves;
    StringPool m_strings;
    std::int64_t m_eventCount = 0;
    std::int64_t m_base = 0;
    std::int64_t m_rank = kNotStated;
    std::int64_t m_worldSize = kNotStated;
    std::optional<std::int64_t> m_lastStepMark;
    std::int64_t m_skippedPython = 0;
    bool m_isCut = false;
};

} // namespace vramscope
