// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/profile/profile_builder.h"
#include "core/profile/profile_study.h"

#include <memory>
#include <random>
#include <string>
#include <string_view>

namespace vramscope::test {

/// Something that a device ran, as a test states it.
struct StatedWork
{
    std::string_view name = "gemm";
    std::int64_t start = 0;
    std::int64_t end = 0;
    std::int64_t stream = 7;
    std::int64_t device = 0;
    std::int64_t correlation = kNotStated;
    WorkKind kind = WorkKind::Kernel;
};

/// An operator of the host, as a test states it.
struct StatedOperator
{
    std::string_view name = "aten::mm";
    std::int64_t start = 0;
    std::int64_t end = 0;
    std::string_view thread = "1";
    std::string_view shapes = {};
    std::int64_t sequence = kNotStated;
    std::int64_t forwardThread = kNotStated;
    std::string_view module = {};
};

/// A collective that a kernel carries out, as a test states it.
struct StatedCollective
{
    std::string_view name;
    std::int64_t start = 0;
    std::int64_t end = 0;
    std::int64_t elements = kNotStated;
    std::string_view group = "0";
    std::int64_t size = 4;
    std::int64_t number = kNotStated;
    std::int64_t stream = 13;
    std::string_view dtype = "Float";
};

/// A profile put together event by event.
class StatedProfile
{
public:
    StatedProfile &work(const StatedWork &made)
    {
        m_builder.add(eventOf(made));
        return *this;
    }
    StatedProfile &collective(const StatedCollective &made)
    {
        ProfileEvent event = eventOf({"ncclDevKernel_Generic", made.start, made.end, made.stream});
        event.statesCollective = true;
        event.collective.isNamed = !made.name.empty();
        event.collective.name = m_builder.internText(made.name);
        event.collective.dtype = m_builder.internText(made.dtype);
        event.collective.group = m_builder.internText(made.group);
        event.collective.sent = event.collective.got = made.elements;
        event.collective.size = made.size;
        event.collective.number = made.number;
        m_builder.add(event);
        return *this;
    }
    StatedProfile &call(std::string_view name, std::int64_t start, std::int64_t end,
                        std::int64_t correlation, std::string_view thread = "1")
    {
        ProfileEvent event = onHost(ProfileEventKind::Call, name, start, end, thread);
        event.correlation = correlation;
        m_builder.add(event);
        return *this;
    }
    StatedProfile &operation(const StatedOperator &made)
    {
        ProfileEvent event =
            onHost(ProfileEventKind::Operator, made.name, made.start, made.end, made.thread);
        event.shapes = m_builder.internText(made.shapes);
        event.module = m_builder.internText(made.module);
        event.sequence = made.sequence;
        event.forwardThread = made.forwardThread;
        m_builder.add(event);
        return *this;
    }
    StatedProfile &range(std::string_view name, std::int64_t start, std::int64_t end,
                         RangeKind kind = RangeKind::User, std::string_view thread = "1")
    {
        ProfileEvent event = onHost(ProfileEventKind::Range, name, start, end, thread);
        event.range = kind;
        m_builder.add(event);
        return *this;
    }
    /// The end of the file is missing.
    StatedProfile &cut()
    {
        m_builder.setCut();
        m_builder.addProblem("The file ends in the middle.");
        return *this;
    }
    StatedProfile &rank(std::int64_t rank)
    {
        m_builder.setRank(rank, kNotStated);
        return *this;
    }

    [[nodiscard]] std::shared_ptr<const Profile> done()
    {
        return m_builder.finish([] { return true; });
    }
    [[nodiscard]] std::shared_ptr<const ProfileStudy> study()
    {
        return std::make_shared<const ProfileStudy>(done());
    }

private:
    ProfileEvent eventOf(const StatedWork &made)
    {
        ProfileEvent event;
        event.kind = ProfileEventKind::Work;
        event.work = made.kind;
        event.name = m_builder.internText(made.name);
        event.start = made.start;
        event.end = made.end;
        event.stream = made.stream;
        event.device = made.device;
        event.correlation = made.correlation;
        return event;
    }
    ProfileEvent onHost(ProfileEventKind kind, std::string_view name, std::int64_t start,
                        std::int64_t end, std::string_view thread)
    {
        ProfileEvent event;
        event.kind = kind;
        event.name = m_builder.internText(name);
        event.start = start;
        event.end = end;
        event.thread = m_builder.thread("1", thread);
        return event;
    }

    ProfileBuilder m_builder;
};

/// Some hundred events of all kinds on two devices, three streams and two threads, many of them at
/// once, with steps; the same for the same seed.
[[nodiscard]] inline std::shared_ptr<const Profile> randomProfile(unsigned seed)
{
    std::mt19937 random(seed);
    const auto below = [&](std::uint32_t count) {
        return static_cast<std::int64_t>(random() % count);
    };
    constexpr std::array<std::string_view, 6> kNames{
        "gemm", "ncclDevKernel_AllReduce", "fillBufferAligned", "softmax", "hipMemcpyAsync", "add"};
    constexpr std::array<std::string_view, 4> kOperators{"aten::mm", "aten::add", "aten::to", "f"};
    StatedProfile made;
    for (int step = 0; step < 3; ++step)
        made.range("ProfilerStep#" + std::to_string(step), step * 200, step * 200 + 190);
    for (std::int64_t at = 0; at < 150; ++at) {
        const std::int64_t called = below(600);
        const std::int64_t start = called + below(90) - 5;
        const std::string_view thread = at % 3 == 0 ? "2" : "1";
        if (at % 7 != 0)
            made.call(at % 5 == 0 ? "cudaMemcpy" : "cudaLaunchKernel", called, called + below(9),
                      at, thread);
        made.work({kNames[static_cast<std::size_t>(below(6))], start, start + below(20),
                   7 + below(3), below(2), at, at % 11 == 0 ? WorkKind::Copy : WorkKind::Kernel});
        const std::int64_t begun = below(600);
        made.operation({kOperators[static_cast<std::size_t>(below(4))], begun, begun + below(60),
                        thread, at % 2 == 0 ? "[[1]]" : ""});
    }
    return made.done();
}

} // namespace vramscope::test
