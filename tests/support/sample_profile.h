// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/profile/profile_builder.h"

#include <memory>
#include <string>
#include <string_view>

namespace vramscope::test {

/// Writes a profile event by event, with times in nanoseconds.
class SampleProfile
{
public:
    SampleProfile()
        : m_host(m_builder.thread("1", "10"))
    {
        m_builder.nameThread("1", "10", m_builder.internText("python"));
    }

    ProfileBuilder &builder() { return m_builder; }
    [[nodiscard]] std::uint32_t host() const { return m_host; }

    ProfileEvent event(ProfileEventKind kind, std::string_view name, std::int64_t start,
                       std::int64_t end)
    {
        ProfileEvent event;
        event.kind = kind;
        event.name = m_builder.internText(name);
        event.start = start;
        event.end = end;
        event.thread = m_host;
        return event;
    }
    /// A kernel, or a copy of so many bytes; launched by call() of the same correlation.
    void work(std::string_view name, std::int64_t start, std::int64_t end, std::int64_t stream = 7,
              std::int64_t correlation = kNotStated, std::int64_t copied = kNotStated,
              std::int64_t device = 0)
    {
        ProfileEvent made = event(ProfileEventKind::Work, name, start, end);
        made.work = copied == kNotStated ? WorkKind::Kernel : WorkKind::Copy;
        made.bytes = copied;
        made.device = device;
        made.stream = stream;
        made.correlation = correlation;
        m_builder.add(made);
    }
    void call(std::string_view name, std::int64_t start, std::int64_t end,
              std::int64_t correlation = kNotStated)
    {
        ProfileEvent made = event(ProfileEventKind::Call, name, start, end);
        made.correlation = correlation;
        m_builder.add(made);
    }
    void operation(std::string_view name, std::int64_t start, std::int64_t end,
                   std::string_view shapes = {})
    {
        ProfileEvent made = event(ProfileEventKind::Operator, name, start, end);
        made.shapes = m_builder.internText(shapes);
        m_builder.add(made);
    }
    void range(std::string_view name, std::int64_t start, std::int64_t end,
               RangeKind kind = RangeKind::User)
    {
        ProfileEvent made = event(ProfileEventKind::Range, name, start, end);
        made.range = kind;
        m_builder.add(made);
    }
    void memory(std::int64_t time, std::int64_t allocated, std::int64_t reserved)
    {
        ProfileMemoryEvent made;
        made.time = time;
        made.bytes = 512;
        made.address = 4096;
        made.allocated = allocated;
        made.reserved = reserved;
        made.deviceType = 1;
        made.deviceId = 0;
        made.thread = m_host;
        m_builder.addMemory(made);
    }
    [[nodiscard]] std::shared_ptr<const Profile> finish()
    {
        return m_builder.finish([] { return true; });
    }

private:
    ProfileBuilder m_builder;
    std::uint32_t m_host;
};

/// Two steps of 100 µs on one GPU: kernels on stream 7, of which two overlap, an all-reduce on
/// stream 9 half hidden behind them, a copy that nothing hides, operators three deep, and memory
/// that peaks in the second step. Every third of a step is idle.
inline std::shared_ptr<const Profile> twoStepProfile()
{
    SampleProfile made;
    for (std::int64_t step = 0; step < 2; ++step) {
        const std::int64_t at = step * 100'000;
        const std::int64_t id = step * 10;
        made.range("ProfilerStep#" + std::to_string(step), at, at + 100'000);
        made.operation("aten::linear", at + 1'000, at + 30'000, "[[4, 8], [8, 8]]");
        made.operation("aten::addmm", at + 2'000, at + 20'000);
        made.call("cudaLaunchKernel", at + 3'000, at + 5'000, id + 1);
        made.call("cudaLaunchKernel", at + 6'000, at + 7'000, id + 2);
        made.operation("aten::add", at + 22'000, at + 25'000);
        made.call("cudaLaunchKernel", at + 23'000, at + 24'000, id + 3);
        made.operation("nccl:all_reduce", at + 40'000, at + 50'000);
        made.call("cudaLaunchKernelExC", at + 42'000, at + 44'000, id + 4);
        made.call("cudaMemcpyAsync", at + 60'000, at + 62'000, id + 5);
        made.call("cudaDeviceSynchronize", at + 65'000, at + 95'000);
        made.work("sm90_xmma_gemm_bf16", at + 10'000, at + 30'000, 7, id + 1);
        made.work("vectorized_elementwise_kernel", at + 28'000, at + 40'000, 7, id + 2);
        made.work("reduce_kernel", at + 40'000, at + 50'000, 7, id + 3);
        made.work("ncclDevKernel_AllReduce_Sum_bf16_RING_LL", at + 45'000, at + 65'000, 9, id + 4);
        made.work("Memcpy DtoH (Device -> Pinned)", at + 70'000, at + 80'000, 7, id + 5, 4096);
        made.memory(at + 2'500, 1'000'000 + step * 500'000, 4'000'000);
        made.memory(at + 60'000, 500'000, 4'000'000);
    }
    made.builder().setRank(3, 8);
    made.builder().addGpu({0, "NVIDIA Test GPU", std::int64_t(80) << 30});
    made.builder().setEventCount(44);
    return made.finish();
}

} // namespace vramscope::test
