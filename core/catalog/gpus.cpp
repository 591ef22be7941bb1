// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/catalog/gpus.h"

#include <algorithm>
#include <array>

namespace vramscope {

namespace {

// Raw rates of a x16 link in bytes a second and direction; NVLink-C2C is Grace's link to its GPU.
constexpr Bytes kPcie3 = 16'000'000'000;
constexpr Bytes kPcie4 = 32'000'000'000; // also PCIe 5 of eight lanes
constexpr Bytes kPcie4X8 = 16'000'000'000;
constexpr Bytes kPcie5 = 64'000'000'000;
constexpr Bytes kNvlinkC2c = 450'000'000'000;

constexpr Bytes kUnknown = 0;
constexpr const char *kUnread = "reported capacity not known";

} // namespace

std::span<const GpuPreset> gpuPresets()
{
    using enum GpuGeneration;
    // clang-format off
    static const std::array<GpuPreset, 52> presets = {{
        // name, title, generation, capacity, memory bandwidth, host link, source of the capacity
        {"t4-16gb", "Tesla T4 16 GB", Turing, 15'633'680'957, 320'000'000'000, kPcie3,
            "14.56 GiB printed (Zheng-Chong/CatVTON#133; 14.74 before in zai-org/CogVideo#741)"},
        {"v100-pcie-16gb", "V100 PCIe 16 GB", Volta, 16'943'645'983, 900'000'000'000, kPcie3,
            "16,160 MiB printed by torch in public code"},
        {"v100-sxm-16gb", "V100 SXM2 16 GB", Volta, 16'943'645'983, 900'000'000'000, kPcie3,
            "15.78 GiB printed (kchengiva/Shift-GCN#34)"},
        {"v100-sxm-32gb", "V100 SXM2 32 GB", Volta, 34'080'565'494, 900'000'000'000, kPcie3,
            "31.74 GiB printed (haotian-liu/LLaVA#812)"},
        {"rtx-2080-ti", "GeForce RTX 2080 Ti 11 GB", Turing,
            11'553'462'026, 616'000'000'000, kPcie3,
            "10.76 GiB printed (JDAI-CV/image-captioning#11)"},
        {"titan-rtx", "Titan RTX 24 GB", Turing, 25'361'781'883, 672'000'000'000, kPcie3,
            "24,190 MiB printed by torch in public code"},
        {"quadro-rtx-8000-48gb", "Quadro RTX 8000 48 GB", Turing,
            50'959'786'967, 672'000'000'000, kPcie3,
            "47.46 GiB printed (Victarry/stable-dreambooth#8)"},
        {"rtx-3060-12gb", "GeForce RTX 3060 12 GB", Ampere, 12'616'466'432, 360'000'000'000, kPcie4,
            "11.75 GiB printed (Kunhao-Liu/StyleGaussian#12)"},
        {"rtx-3070", "GeForce RTX 3070 8 GB", Ampere, 8'353'711'391, 448'000'000'000, kPcie4,
            "7.78 GiB printed (akshitac8/OW-DETR#46)"},
        {"rtx-3080-10gb", "GeForce RTX 3080 10 GB", Ampere, 10'501'195'039, 760'300'000'000, kPcie4,
            "9.78 GiB printed (zai-org/CogVideo#34)"},
        {"rtx-3080-ti", "GeForce RTX 3080 Ti 12 GB", Ampere,
            12'637'941'268, 912'400'000'000, kPcie4,
            "12,054 MiB printed by torch in public code"},
        {"rtx-3090", "GeForce RTX 3090 24 GB", Ampere, 25'318'832'210, 936'000'000'000, kPcie4,
            "23.58 GiB printed by vLLM (vllm-project/vllm#10517)"},
        {"rtx-3090-ti", "GeForce RTX 3090 Ti 24 GB", Ampere,
            25'286'619'955, 1'008'000'000'000, kPcie4,
            "24,114 MiB printed by torch in public code"},
        {"rtx-a4000-16gb", "RTX A4000 16 GB", Ampere, 16'761'109'873, 448'000'000'000, kPcie4,
            "15.61 GiB printed (DengKaiCQ/VGGT-Long#6)"},
        {"rtx-a5000-24gb", "RTX A5000 24 GB", Ampere, 25'426'206'392, 768'000'000'000, kPcie4,
            "23.68 GiB printed (zai-org/GLM-4#730)"},
        {"rtx-a6000-48gb", "RTX A6000 48 GB", Ampere, 51'045'686'313, 768'000'000'000, kPcie4,
            "48,676 MiB printed by torch (pytorch/ao, prototype/hqq)"},
        {"a10-24gb", "A10 24 GB", Ampere, 23'686'744'637, 600'000'000'000, kPcie4,
            "22.06 GiB in an out-of-memory message of public code"},
        {"a10g-24gb", "A10G 24 GB", Ampere, 23'686'744'637, 600'000'000'000, kPcie4,
            "22,587 MiB printed by torch (meta-pytorch/torchcodec)"},
        {"a30-24gb", "A30 24 GB", Ampere, 25'265'145'119, 933'000'000'000, kPcie4,
            "23.53 GiB printed (google/RB-Modulation#5)"},
        {"a40-48gb", "A40 48 GB", Ampere, 47'620'449'894, 696'000'000'000, kPcie4,
            "45,416 MiB printed by torch in public code"},
        {"a100-pcie-40gb", "A100 PCIe 40 GB", Ampere, 42'283'953'029, 1'555'000'000'000, kPcie4,
            "40,326 MiB printed by torch in public code"},
        {"a100-sxm-40gb", "A100 SXM4 40 GB", Ampere, 42'412'802'048, 1'555'000'000'000, kPcie4,
            "39.50 GiB printed (TianheWu/CoSeR#10)"},
        {"a100-pcie-80gb", "A100 PCIe 80 GB", Ampere, 85'094'039'552, 1'935'000'000'000, kPcie4,
            "81,154 MiB printed by torch in public code"},
        {"a100-sxm-80gb", "A100 SXM4 80 GB", Ampere, 84'986'665'370, 2'039'000'000'000, kPcie4,
            "79.1 to 79.2 GiB printed (lianqi1008/Control-GIC#6)"},
        {"a800-sxm-80gb", "A800 SXM4 80 GB", Ampere, 85'179'938'898, 2'039'000'000'000, kPcie4,
            "79.33 GiB printed (hahnyuan/PB-LLM#3)"},
        {"rtx-4060", "GeForce RTX 4060 8 GB", Ada, 8'181'912'699, 272'000'000'000, kPcie4X8,
            "7,807 MiB printed by torch in public code"},
        {"rtx-4060-ti-16gb", "GeForce RTX 4060 Ti 16 GB", Ada,
            16'696'685'363, 288'000'000'000, kPcie4X8,
            "15.55 GiB printed (boson-ai/higgs-audio#48)"},
        {"rtx-4070", "GeForce RTX 4070 12 GB", Ada, 12'584'254'177, 504'200'000'000, kPcie4,
            "12,002 MiB printed by torch in public code"},
        {"rtx-4070-ti", "GeForce RTX 4070 Ti 12 GB", Ada, 12'562'779'341, 504'200'000'000, kPcie4,
            "11.70 GiB printed (Kwai-Kolors/Kolors#11)"},
        {"rtx-4080", "GeForce RTX 4080 16 GB", Ada, 16'825'534'382, 716'800'000'000, kPcie4,
            "16,049 MiB printed by torch in public code"},
        {"rtx-4090", "GeForce RTX 4090 24 GB", Ada, 25'286'619'955, 1'008'000'000'000, kPcie4,
            "23.5 to 23.7 GiB in out-of-memory messages (3DTopia/Phidias-Diffusion#8)"},
        {"rtx-6000-ada-48gb", "RTX 6000 Ada 48 GB", Ada, 50'981'261'804, 960'000'000'000, kPcie4,
            "48,622 MiB printed without ECC (44.43 GiB with: DINGYANB/MTVCrafter#21)"},
        {"l4-24gb", "L4 24 GB", Ada, 23'654'532'383, 300'000'000'000, kPcie4,
            "22.03 GiB in an out-of-memory message of public code"},
        {"l20-48gb", "L20 48 GB", Ada, 47'813'723'423, 864'000'000'000, kPcie4,
            "44.53 GiB printed (Tencent-Hunyuan/HunyuanCustom#36)"},
        {"l40-48gb", "L40 48 GB", Ada, 47'674'136'986, 864'000'000'000, kPcie4,
            "44.40 GiB printed (NVlabs/Eagle#68)"},
        {"l40s-48gb", "L40S 48 GB", Ada, 47'695'611'822, 864'000'000'000, kPcie4,
            "44.42 GiB printed (stepfun-ai/Step-Video-T2V#8)"},
        {"h20-96gb", "H20 96 GB", Hopper, 102'005'473'280, 4'000'000'000'000, kPcie5,
            "95.00 GiB printed (modelscope/DiffSynth-Studio#1238)"},
        {"h100-pcie-80gb", "H100 PCIe 80 GB", Hopper, 84'943'715'697, 2'000'000'000'000, kPcie5,
            "81,008 MiB printed by torch in public code"},
        {"h100-sxm-80gb", "H100 SXM5 80 GB", Hopper, 85'029'615'043, 3'350'000'000'000, kPcie5,
            "79.19 GiB in the llm-d report on vLLM 0.19 (vLLM pull request 10511: 79.22)"},
        {"h100-sxm-96gb", "H100 SXM5 96 GB", Hopper, kUnknown, kUnknown, kPcie5, kUnread},
        {"h100-nvl-94gb", "H100 NVL 94 GB", Hopper, 100'502'234'726, 3'900'000'000'000, kPcie5,
            "93.6 GiB shown by nvidia-smi (93.00 in ali-vilab/VACE#56)"},
        {"h200-sxm-141gb", "H200 SXM 141 GB", Hopper, 150'109'106'995, 4'800'000'000'000, kPcie5,
            "about 139.8 GiB as torch reports it"},
        {"gh200-96gb", "GH200 96 GB", Hopper, 101'468'602'368, 4'000'000'000'000, kNvlinkC2c,
            "94.50 GiB printed (vllm-project/vllm#9630; 94.88 in Lightning-AI/litgpt#1892)"},
        {"gh200-144gb", "GH200 144 GB", Hopper, 153'008'209'920, 4'900'000'000'000, kNvlinkC2c,
            "153,008,209,920 bytes printed by torch in public code"},
        {"rtx-5060-ti-16gb", "GeForce RTX 5060 Ti 16 GB", Blackwell,
            16'589'311'181, 448'000'000'000, kPcie4,
            "15,816 MiB as CUDA reports it (Luce-Org/lucebox#407)"},
        {"rtx-5070-ti", "GeForce RTX 5070 Ti 16 GB", Blackwell,
            16'600'048'599, 896'000'000'000, kPcie5,
            "15,833 MiB printed by torch in public code"},
        {"rtx-5080", "GeForce RTX 5080 16 GB", Blackwell, 16'610'786'017, 960'000'000'000, kPcie5,
            "15,840 MiB printed by torch in public code"},
        {"rtx-5090", "GeForce RTX 5090 32 GB", Blackwell, 33'683'281'019, 1'792'000'000'000, kPcie5,
            "31.37 GiB printed (Wan-Video/Wan2.1#465)"},
        {"rtx-pro-6000-96gb", "RTX PRO 6000 Blackwell 96 GB", Blackwell,
            101'973'261'025, 1'792'000'000'000, kPcie5,
            "94.97 GiB as CUDA reports it (antirez/ds4#431)"},
        {"b200-sxm-192gb", "B200 180 GB", Blackwell, 191'555'541'402, 8'000'000'000'000, kPcie5,
            "178.4 GiB as torch reports it"},
        {"b300-sxm-288gb", "B300 288 GB", Blackwell, 287'429'948'867, 8'000'000'000'000, kPcie5,
            "267.69 GiB printed in public code"},
        {"gb200", "GB200", Blackwell, 197'901'355'581, 8'000'000'000'000, kNvlinkC2c,
            "184.31 GiB printed (vllm-project/vllm#43951)"},
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
