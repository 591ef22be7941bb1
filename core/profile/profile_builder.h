// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/in_steps.h"
#include "core/profile/profile.h"
#include "core/profile/row_order.h"
#include "core/trace/series_builder.h"

#include <memory>
#include <span>
#include <unordered_map>
#include <vector>

namespace vramscope {

/// What an event runs, by its category.
enum class ProfileEventKind : std::uint8_t {
    Work,     ///< on a device: a kernel, copy or fill
    Call,     ///< of a device's runtime or driver
    Operator, ///< cpu_op
    Range,
    Other, ///< only kept where it states a stream
};

/// A complete event ("ph": "X") as a reader hands it over. The reader reuses one, so texts are
/// already ids. What the file does not state is kNotStated, or StringId::Empty.
struct ProfileEvent
{
    ProfileEventKind kind = ProfileEventKind::Other;
    WorkKind work = WorkKind::Kernel;
    RangeKind range = RangeKind::User;
    bool marksStep = true; ///< where it is named as one: of several processes those of one do
    StringId name = StringId::Empty;
    std::int64_t start = 0; ///< ns
    std::int64_t end = 0;
    std::uint32_t thread = 0;               ///< of ProfileBuilder::thread()
    std::int64_t process = kNotStated;      ///< "pid" where it is a whole number, or text of one
    std::int64_t threadNumber = kNotStated; ///< "tid", the same
    // Of its arguments:
    std::int64_t device = kNotStated;
    std::int64_t stream = kNotStated;
    std::int64_t correlation = kNotStated;
    std::int64_t externalId = kNotStated; ///< "External id", else "external id"
    std::int64_t bytes = kNotStated;
    bool hasExternalId =
        false; ///< "External id" with a capital letter, for calls without correlation
    LaunchShape shape;
    bool hasShape = false;
    bool statesCollective = false;
    ProfileCollective collective; ///< without its work
    // Of operators:
    StringId shapes = StringId::Empty;
    StringId types = StringId::Empty;
    StringId stack = StringId::Empty;
    StringId module = StringId::Empty;
    std::int64_t sequence = kNotStated;      ///< "Sequence number"
    std::int64_t forwardThread = kNotStated; ///< "Fwd thread id": positive of backward operators
};

/// A change of a device's memory ("[memory]"), or an allocation that failed ("[OutOfMemory]").
struct ProfileMemoryEvent
{
    std::int64_t time = 0;
    std::int64_t index = kNotStated; ///< "Ev Idx": the order of equal times
    std::int64_t bytes = kNotStated;
    std::int64_t address = kNotStated;
    std::int64_t allocated = kNotStated;
    std::int64_t reserved = kNotStated;
    std::int64_t deviceType = kNotStated;
    std::int64_t deviceId = kNotStated;
    std::uint32_t thread = 0; ///< kNoRow: not known
    bool failed = false;
};

/// Events of one kind that follow each other in the file, by columns; the spans without values are
/// those that none of the events states.
struct OperatorRows
{
    std::span<const std::int64_t> start;
    std::span<const std::int64_t> end; ///< never before its start
    std::span<const StringId> name;    ///< none of a step
    std::span<const StringId> shapes;  ///< of as many of the first as state any, as what follows
    std::span<const std::int64_t> sequence;
    std::span<const std::int64_t> forwardThread;
};
struct CallRows
{
    std::span<const std::int64_t> start;
    std::span<const std::int64_t> end;
    std::span<const StringId> name;
    std::span<const std::int64_t> correlation;
};
/// Kernels.
struct KernelRows
{
    std::span<const std::int64_t> start;
    std::span<const std::int64_t> end;
    std::span<const StringId> name;
    std::span<const std::uint32_t> lane;  ///< of ProfileBuilder::lane()
    std::span<const std::uint32_t> shape; ///< of ProfileBuilder::shape()
    std::span<const std::int64_t> correlation;
};

/// The only writer of Profile: takes events in the order of the file, then orders, nests and links
/// them (profiler-model sections 4 and 5; how, is said in profile_builder_finish.cpp).
class ProfileBuilder
{
public:
    /// `format`: of Series::format().
    explicit ProfileBuilder(std::string format = "chrome-trace");

    StringId internText(std::string_view text) { return m_profile->m_strings.intern(text); }
    [[nodiscard]] std::string_view text(StringId id) const { return m_profile->text(id); }
    /// The thread of these two values, each as the file writes it (a text with its quotes).
    std::uint32_t thread(std::string_view process, std::string_view thread);
    /// As metadata name it, whether or not anything of it is recorded.
    void nameThread(std::string_view process, std::string_view thread, StringId name);

    /// So many events of a kind are about to come.
    void reserve(ProfileEventKind kind, std::size_t count);
    void add(const ProfileEvent &event);
    void add(std::uint32_t thread, const OperatorRows &rows);
    void add(std::uint32_t thread, const CallRows &rows);
    void add(const KernelRows &rows);
    std::uint32_t lane(std::int64_t device, std::int64_t stream);
    [[nodiscard]] ProfileLane laneAt(std::uint32_t lane) const { return m_profile->m_lanes[lane]; }
    std::uint32_t shape(const LaunchShape &shape);
    void addMemory(const ProfileMemoryEvent &event, std::int64_t offset = -1);
    /// One end of a "fwdbwd" flow: where a forward operator began (`begins`), or its backward one.
    void addFlow(std::int64_t id, bool begins, std::uint32_t thread, std::int64_t time);
    void skipPythonFunction() { ++m_profile->m_skippedPython; }

    void setEventCount(std::int64_t count) { m_profile->m_eventCount = count; }
    void setBase(std::int64_t base, Clock clock);
    void setRank(std::int64_t rank, std::int64_t worldSize);
    /// As Profile::isCut().
    void setCut() { m_profile->m_isCut = true; }
    void addGpu(ProfileGpu gpu);
    /// `value` is JSON text.
    void addFact(std::string_view name, std::string_view value) { m_curves.addFact(name, value); }
    void addProblem(std::string_view kind, std::int64_t offset = -1, std::int64_t count = 1)
    {
        m_curves.addProblem(kind, offset, count);
    }

    /// All operators and calls have come: orders and links them, on any thread, while work and
    /// ranges come on another one. False where tick() said to stop. Otherwise finish() does it.
    [[nodiscard]] bool finishHost(const Tick &tick);
    /// The finished profile; nothing where tick() said to stop. The builder is empty afterwards.
    [[nodiscard]] std::shared_ptr<const Profile> finish(const Tick &tick);

private:
    /// What only links rows: gone once they are.
    struct WorkLinks
    {
        std::vector<std::int64_t> correlation;
        SparseColumn<std::int64_t, kNotStated> externalId;
    };
    struct OperatorLinks
    {
        SparseColumn<std::int64_t, kNotStated> externalId;
        SparseColumn<std::int64_t, kNotStated> sequence;
        SparseColumn<std::int64_t, kNotStated> forwardThread;
        std::vector<std::uint32_t> inFile; // by row: which it was in the file, where ids ask for it

        void reserve(std::size_t count)
        {
            externalId.reserve(count);
            sequence.reserve(count);
            forwardThread.reserve(count);
        }
        void finish(std::size_t count)
        {
            externalId.finish(count);
            sequence.finish(count);
            forwardThread.finish(count);
        }
    };
    struct RangeRecord
    {
        std::int64_t start;
        std::int64_t end;
        StringId name;
        std::uint32_t thread;
        RangeKind kind;
    };
    struct StreamedRecord
    {
        std::int64_t start;
        std::int64_t end;
        std::int64_t correlation;
        StringId name;
    };
    struct Flow
    {
        std::int64_t id;
        std::int64_t time;
        std::uint32_t thread;
        bool begins;
    };
    class CallIndex;
    class OperatorIds;

    void addWork(const ProfileEvent &event, std::uint32_t lane, bool hasStream);
    void addOperator(const ProfileEvent &event);
    void addStep(const ProfileEvent &event);
    bool isStepName(StringId name);
    void addMarks(std::span<const std::int64_t> start, std::span<const std::int64_t> end,
                  std::span<const StringId> name);
    std::vector<std::uint32_t> orderLanes();
    bool placeWork(const Tick &tick);
    bool orderWork(const Tick &tick);
    bool cutContradictedWork();
    bool linkWork(const Tick &tick);
    void placeCollectives(std::span<const std::uint32_t> order);
    bool placeCalls(const Tick &tick);
    bool placeOperators(const Tick &tick);
    bool nest(const Tick &tick);
    bool linkBackward(const Tick &tick);
    [[nodiscard]] std::uint32_t operatorFrom(const Flow &flow) const;
    void linkBySequence();
    bool placeRanges(const Tick &tick);
    void placeSteps();
    bool placeMemory(const Tick &tick);
    void placeThreadNames();
    void countSpans();
    const std::string &threadKey(std::string_view process, std::string_view thread);

    std::shared_ptr<Profile> m_profile;
    SeriesBuilder m_curves;
    bool m_isHostFinished = false;
    WorkLinks m_workLinks;
    std::vector<std::int64_t> m_callCorrelation; // by call; the same
    OperatorLinks m_operatorLinks;
    std::vector<std::uint8_t> m_stepNames; // by name: whether it begins as those of steps
    std::vector<RangeRecord> m_ranges;
    std::vector<StreamedRecord> m_streamed;
    std::vector<Flow> m_flows;
    std::vector<ProfileMemoryEvent> m_memory;
    std::vector<ProfilerStep> m_marks; // "ProfilerStep…" of any category
    std::unordered_map<std::string, std::uint32_t> m_threads;
    std::unordered_map<std::string, StringId> m_threadNames;
    std::string m_threadKey;
    std::uint32_t m_lastThread = 0;
    std::unordered_map<std::uint64_t, std::vector<std::uint32_t>> m_laneIds;
    std::uint32_t m_lastLane = 0;
    std::unordered_map<std::uint64_t, std::vector<std::uint32_t>> m_shapeIds;
    std::uint32_t m_lastShape = 0;
};

} // namespace vramscope
