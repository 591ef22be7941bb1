// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/catalog/gpus.h"

#include <algorithm>
#include <array>

namespace vramscope {

namespace {

// Raw rates of a x16 link in bytes a second and direction; NVLink-C2C is Grace's link to its GPU.
constexpr Bytes kPcie3 = 16'000'000'000;
constexpr Bytes kPcie4 = 32'000'000'000;
constexpr Bytes kPcie5 = 64'000'000'000;
constexpr Bytes kNvlinkC2c = 450'000'000'000;

constexpr Bytes kUnknown = 0;
constexpr const char *kUnread = "reported capacity not known";

} // namespace

std::span<const GpuPreset> gpuPresets()
{
    using enum GpuGeneration;
    // clang-format off
    static const std::array<GpuPreset, 14> presets = {{
        // name, title, generation, capacity, memory bandwidth, host link, source of the capacity
        {"rtx-3090", "GeForce RTX 3090 24 GB", Ampere, 25'318'832'210, 936'000'000'000, kPcie4,
            "23.58 GiB printed by vLLM (vllm-project/vllm#10517)"},
        {"rtx-4090", "GeForce RTX 4090 24 GB", Ada, 25'286'619'955, 1'008'000'000'000, kPcie4,
            "23.5 to 23.7 GiB in out-of-memory messages (3DTopia/Phidias-Diffusion#8)"},
        {"rtx-a6000-48gb", "RTX A6000 48 GB", Ampere, kUnknown, 768'000'000'000, kPcie4, kUnread},
        {"a10g-24gb", "A10G 24 GB", Ampere, kUnknown, 600'000'000'000, kPcie4, kUnread},
        {"l40s-48gb", "L40S 48 GB", Ada, 47'695'611'822, 864'000'000'000, kPcie4,
            "44.42 GiB printed (stepfun-ai/Step-Video-T2V#8)"},
        {"v100-sxm-16gb", "V100 SXM2 16 GB", Volta, 16'943'645'983, 900'000'000'000, kPcie3,
            "15.78 GiB printed (kchengiva/Shift-GCN#34)"},
        {"a100-sxm-40gb", "A100 SXM4 40 GB", Ampere, 42'412'802'048, 1'555'000'000'000, kPcie4,
            "39.50 GiB printed (TianheWu/CoSeR#10)"},
        {"a100-sxm-80gb", "A100 SXM4 80 GB", Ampere, 84'986'665'370, 2'039'000'000'000, kPcie4,
            "79.1 to 79.2 GiB printed (lianqi1008/Control-GIC#6)"},
        {"h100-sxm-80gb", "H100 SXM5 80 GB", Hopper, 85'029'615'043, 3'350'000'000'000, kPcie5,
            "79.19 GiB in the llm-d report on vLLM 0.19 (vLLM pull request 10511: 79.22)"},
        {"h100-sxm-96gb", "H100 SXM5 96 GB", Hopper, kUnknown, kUnknown, kPcie5, kUnread},
        {"h100-nvl-94gb", "H100 NVL 94 GB", Hopper, 100'502'234'726, 3'900'000'000'000, kPcie5,
            "93.6 GiB shown by nvidia-smi (93.00 in ali-vilab/VACE#56)"},
        {"h200-sxm-141gb", "H200 SXM 141 GB", Hopper, 150'109'106'995, 4'800'000'000'000, kPcie5,
            "about 139.8 GiB as torch reports it"},
        {"b200-sxm-192gb", "B200 180 GB", Blackwell, 191'555'541'402, 8'000'000'000'000, kPcie5,
            "178.4 GiB as torch reports it"},
        {"gb200", "GB200", Blackwell, kUnknown, 8'000'000'000'000, kNvlinkC2c, kUnread},
    }};
    // clang-format on
    return presets;
}

const GpuPreset *findGpuPreset(std::string_view name)
{
    const auto presets = gpuPresets();
    const auto found = std::ranges::find(presets, name, &GpuPreset::name);
    return found == presets.end() ? nullptr : &*found;
}

} // namespace vramscope
