// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/rank_run.h"

#include "tests/support/pickle_writer.h"

#include <algorithm>
#include <array>
#include <cstdio>
#include <map>
#include <vector>

namespace vramscope::test {

namespace {

constexpr std::int64_t kRunStart = 1'700'000'000'000'000; // µs
constexpr std::int64_t kFirstFailure = kRunStart + 60'000'000;
constexpr Bytes kSegmentUnit = 2 * kMiB;

/// Writes the snapshot of one rank: every allocation in a segment of its own, which goes with it.
class RankWriter
{
public:
    RankWriter(const RankRun &run, int rank, int iteration)
        : m_run(run)
        , m_rank(rank)
        , m_stage(run.stageOf(rank))
        , m_clock(kRunStart + rank + std::int64_t(iteration) * 600'000'000)
    {
        std::array<char, 64> folder{};
        std::snprintf(folder.data(), folder.size(), "/tmp/env_%04d/lib/python3.12/site-packages/",
                      rank / RankRun::kDevices);
        m_packages = folder.data();
    }

    RankSnapshot write()
    {
        constexpr int kLayers = 4;
        constexpr int kSteps = 4;
        const std::string own = "stage_" + std::to_string(m_stage);
        for (int layer = 0; layer < kLayers; ++layer)
            make((200 + 24 * m_stage) * kMiB, stack("build", "model.py", 40 + layer, own, 12));
        if (m_stage == 0)
            make(2 * kGiB, stack("embedding", "model.py", 21, own, 12));
        if (m_stage + 1 == m_run.stages)
            make(3 * kGiB, stack("head", "model.py", 29, own, 12));
        make(512 + 512 * (m_rank % 97), stack("rotary", "model.py", 33, own, 12));
        for (int step = 0; step < kSteps; ++step)
            oneStep(step, step + 1 == kSteps, own);
        return finish();
    }

private:
    Py frame(const std::string &name, const std::string &file, int line)
    {
        Py &known = m_frames[name + file + std::to_string(line)];
        if (std::holds_alternative<std::monostate>(known.content()))
            known = Py::dict({{"name", name}, {"filename", file}, {"line", line}});
        return known;
    }

    /// Innermost first: the framework, the place, who called it, the program.
    Py stack(const std::string &name, const std::string &file, int line, const std::string &caller,
             int callerLine)
    {
        const std::string project = "/home/someone/project/";
        return Py::list({frame("linear", m_packages + "torch/nn/functional.py", 3504),
                         frame(name, project + file, line),
                         frame(caller, project + file, callerLine),
                         frame("main", project + "train.py", 7)});
    }

    void event(const char *action, std::uint64_t address, Bytes size, const Py &frames)
    {
        m_clock += 10;
        const bool isFailure = std::string_view(action) == "oom";
        m_events.push_back(
            Py::dict({{"action", action},
                      {isFailure ? "device_free" : "addr", static_cast<std::int64_t>(address)},
                      {"size", size},
                      {"stream", 0},
                      {"time_us", m_clock},
                      {"compile_context", "N/A"},
                      {"user_metadata", ""},
                      {"frames", frames}}));
    }

    std::uint64_t make(Bytes size, const Py &frames)
    {
        const Bytes whole = (size + kSegmentUnit - 1) / kSegmentUnit * kSegmentUnit;
        // As the allocator does: what is left is split off where it is more than 1 MiB.
        const Bytes rounded = (size + 511) / 512 * 512;
        const Bytes block = whole - rounded > kMiB ? rounded : whole;
        const std::uint64_t address = m_next;
        m_next += static_cast<std::uint64_t>(whole);
        event("segment_alloc", address, whole, frames);
        m_reserved += whole;
        event("alloc", address, size, frames);
        m_active += block;
        m_live.emplace(address, Block{size, block, whole, frames});
        m_peakActive = std::max(m_peakActive, m_active);
        m_peakReserved = std::max(m_peakReserved, m_reserved);
        return address;
    }

    void drop(std::uint64_t address)
    {
        const Block block = m_live.at(address);
        event("free_requested", address, block.size, block.frames);
        event("free_completed", address, block.size, block.frames);
        m_active -= block.block;
        event("segment_free", address, block.whole, block.frames);
        m_reserved -= block.whole;
        m_live.erase(address);
    }

    void mark(int step, bool isStart)
    {
        m_clock += 10;
        m_marks.push_back(Py::dict({{"name", "ProfilerStep#" + std::to_string(step)},
                                    {"stage", isStart ? "START" : "END"},
                                    {"device", m_rank % RankRun::kDevices},
                                    {"time_us", m_clock}}));
        m_clock += 10;
    }

    void oneStep(int step, bool isLast, const std::string &own)
    {
        constexpr int kActivations = 5;
        mark(step, true);
        std::vector<std::uint64_t> live;
        for (int layer = 0; layer < kActivations; ++layer)
            live.push_back(make(300 * kMiB + 4096 * (m_rank % 13),
                                stack("forward", "model.py", 60 + layer, own, 14)));
        const bool isLarge = isLast && m_rank == m_run.failing;
        const Py dispatch = stack("dispatch", "moe.py", RankRun::kDispatchLine, "forward", 41);
        live.push_back(make(100 * kMiB + (isLarge ? RankRun::kExtra : 0), dispatch));
        if (isLast && m_run.fails(m_rank)) {
            m_clock = std::max(m_clock, kFirstFailure + (m_rank == m_run.failing  ? 0
                                                         : m_rank == m_run.beside ? 400'000
                                                                                  : 5'000'000));
            event("oom", kGiB, RankRun::kRequested, dispatch);
            m_failed = m_clock;
        }
        while (!live.empty()) {
            drop(live.back());
            live.pop_back();
        }
        mark(step, false);
    }

    struct Block
    {
        Bytes size;
        Bytes block; ///< with its rounding
        Bytes whole; ///< of its segment
        Py frames;
    };

    static Py blocksOf(std::int64_t address, const Block &block)
    {
        std::vector<Py> blocks{Py::dict({{"address", address},
                                         {"size", block.block},
                                         {"requested_size", block.size},
                                         {"state", "active_allocated"},
                                         {"frames", block.frames}})};
        if (block.block < block.whole)
            blocks.push_back(Py::dict({{"address", address + block.block},
                                       {"size", block.whole - block.block},
                                       {"requested_size", 0},
                                       {"state", "inactive"},
                                       {"frames", Py::list()}}));
        return Py::list(std::move(blocks));
    }

    RankSnapshot finish()
    {
        std::vector<Py> segments;
        for (const auto &[address, block] : m_live)
            segments.push_back(
                Py::dict({{"device", m_rank % RankRun::kDevices},
                          {"address", static_cast<std::int64_t>(address)},
                          {"total_size", block.whole},
                          {"allocated_size", block.block},
                          {"active_size", block.block},
                          {"requested_size", block.size},
                          {"stream", 0},
                          {"segment_type", "large"},
                          {"segment_pool_id", Py::tuple({0, 0})},
                          {"is_expandable", false},
                          {"frames", block.frames},
                          {"blocks", blocksOf(static_cast<std::int64_t>(address), block)}}));
        std::vector<Py> devices(static_cast<std::size_t>(m_rank % RankRun::kDevices), Py::list());
        const auto events = static_cast<std::int64_t>(m_events.size());
        devices.push_back(Py::list(std::move(m_events)));
        const Py snapshot =
            Py::dict({{"segments", Py::list(std::move(segments))},
                      {"device_traces", Py::list(std::move(devices))},
                      {"allocator_settings",
                       Py::dict({{"PYTORCH_CUDA_ALLOC_CONF", ""}, {"expandable_segments", false}})},
                      {"external_annotations", Py::list(std::move(m_marks))}});
        return {pickled(snapshot), m_peakActive, m_peakReserved, events, m_failed};
    }

    const RankRun &m_run;
    int m_rank;
    int m_stage;
    std::int64_t m_clock;
    std::string m_packages;
    std::map<std::string, Py> m_frames;
    std::map<std::uint64_t, Block> m_live;
    std::vector<Py> m_events;
    std::vector<Py> m_marks;
    std::uint64_t m_next = 0x7f0000000000U;
    Bytes m_active = 0;
    Bytes m_reserved = 0;
    Bytes m_peakActive = 0;
    Bytes m_peakReserved = 0;
    std::int64_t m_failed = 0;
};

} // namespace

std::string RankRun::fileName(int rank) const
{
    std::array<char, 64> name{};
    std::snprintf(name.data(), name.size(), "node%04d_rank%d.pickle", rank / kDevices, rank);
    return name.data();
}

RankSnapshot rankSnapshot(const RankRun &run, int rank, int iteration)
{
    return RankWriter(run, rank, iteration).write();
}

} // namespace vramscope::test
