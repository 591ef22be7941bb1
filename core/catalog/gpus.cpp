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
constexpr Bytes kNone = 0; // one memory with the host
constexpr const char *kUnread = "reported capacity not known";

} // namespace

std::string_view vendorName(GpuVendor vendor)
{
    constexpr auto kNames =
        std::to_array<std::string_view>({"NVIDIA", "AMD", "Apple", "Intel", "Huawei", "Google"});
    return kNames[static_cast<std::size_t>(vendor)];
}

std::string_view generationName(GpuGeneration generation)
{
    constexpr auto kNames = std::to_array<std::string_view>(
        {"Volta", "Turing", "Ampere", "Ada", "Hopper", "Blackwell", "CDNA 2", "CDNA 3", "CDNA 4",
         "RDNA 3", "RDNA 4", "Apple silicon", "Xe", "Ascend", "TPU"});
    static_assert(kNames.size() == static_cast<std::size_t>(GpuGeneration::Tpu) + 1);
    return kNames[static_cast<std::size_t>(generation)];
}

std::span<const GpuPreset> gpuPresets()
{
    using enum GpuGeneration;
    using enum DeviceMemory;
    // clang-format off
    static const std::array<GpuPreset, 101> presets = {{
        // name, title, generation, capacity, memory bandwidth, host link,
        //     source of the capacity, bf16 FLOP/s (data sheets), total of the driver's tool, memory,
        //     other name
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
            "23.58 GiB printed by vLLM (vllm-project/vllm#10517)",
            71'000'000'000'000},
        {"rtx-3090-ti", "GeForce RTX 3090 Ti 24 GB", Ampere,
            25'286'619'955, 1'008'000'000'000, kPcie4,
            "24,114 MiB printed by torch in public code"},
        {"rtx-a4000-16gb", "RTX A4000 16 GB", Ampere, 16'761'109'873, 448'000'000'000, kPcie4,
            "15.61 GiB printed (DengKaiCQ/VGGT-Long#6)"},
        {"rtx-a5000-24gb", "RTX A5000 24 GB", Ampere, 25'426'206'392, 768'000'000'000, kPcie4,
            "23.68 GiB printed (zai-org/GLM-4#730)"},
        {"rtx-a6000-48gb", "RTX A6000 48 GB", Ampere, 51'045'686'313, 768'000'000'000, kPcie4,
            "48,676 MiB printed by torch (pytorch/ao, prototype/hqq)",
            154'800'000'000'000},
        {"a10-24gb", "A10 24 GB", Ampere, 23'686'744'637, 600'000'000'000, kPcie4,
            "22.06 GiB in an out-of-memory message of public code",
            125'000'000'000'000},
        {"a10g-24gb", "A10G 24 GB", Ampere, 23'686'744'637, 600'000'000'000, kPcie4,
            "22,587 MiB printed by torch (meta-pytorch/torchcodec)"},
        {"a30-24gb", "A30 24 GB", Ampere, 25'265'145'119, 933'000'000'000, kPcie4,
            "23.53 GiB printed (google/RB-Modulation#5)",
            165'000'000'000'000},
        {"a40-48gb", "A40 48 GB", Ampere, 47'620'449'894, 696'000'000'000, kPcie4,
            "45,416 MiB printed by torch in public code",
            149'700'000'000'000},
        {"a100-pcie-40gb", "A100 PCIe 40 GB", Ampere, 42'283'953'029, 1'555'000'000'000, kPcie4,
            "40,326 MiB printed by torch in public code",
            312'000'000'000'000},
        {"a100-sxm-40gb", "A100 SXM4 40 GB", Ampere, 42'412'802'048, 1'555'000'000'000, kPcie4,
            "39.50 GiB printed (TianheWu/CoSeR#10)",
            312'000'000'000'000},
        {"a100-pcie-80gb", "A100 PCIe 80 GB", Ampere, 85'094'039'552, 1'935'000'000'000, kPcie4,
            "81,154 MiB printed by torch in public code",
            312'000'000'000'000},
        {"a100-sxm-80gb", "A100 SXM4 80 GB", Ampere, 84'986'665'370, 2'039'000'000'000, kPcie4,
            "79.1 to 79.2 GiB printed (lianqi1008/Control-GIC#6)",
            312'000'000'000'000},
        {"a800-sxm-80gb", "A800 SXM4 80 GB", Ampere, 85'179'938'898, 2'039'000'000'000, kPcie4,
            "79.33 GiB printed (hahnyuan/PB-LLM#3)",
            312'000'000'000'000, 85'899'345'920, Own, "a800-80gb"},
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
            "23.5 to 23.7 GiB in out-of-memory messages (3DTopia/Phidias-Diffusion#8)",
            165'200'000'000'000, 25'757'220'864, Own, "rtx-4090-24gb"},
        {"rtx-6000-ada-48gb", "RTX 6000 Ada 48 GB", Ada, 50'981'261'804, 960'000'000'000, kPcie4,
            "48,622 MiB printed without ECC (44.43 GiB with: DINGYANB/MTVCrafter#21)",
            364'200'000'000'000},
        {"l4-24gb", "L4 24 GB", Ada, 23'654'532'383, 300'000'000'000, kPcie4,
            "22.03 GiB in an out-of-memory message of public code",
            121'000'000'000'000},
        {"l20-48gb", "L20 48 GB", Ada, 47'813'723'423, 864'000'000'000, kPcie4,
            "44.53 GiB printed (Tencent-Hunyuan/HunyuanCustom#36)",
            119'500'000'000'000, 48'305'799'168},
        {"l40-48gb", "L40 48 GB", Ada, 47'674'136'986, 864'000'000'000, kPcie4,
            "44.40 GiB printed (NVlabs/Eagle#68)",
            181'000'000'000'000},
        {"l40s-48gb", "L40S 48 GB", Ada, 47'695'611'822, 864'000'000'000, kPcie4,
            "44.42 GiB printed (stepfun-ai/Step-Video-T2V#8)",
            362'000'000'000'000, 48'305'799'168},
        {"h20-96gb", "H20 96 GB", Hopper, 102'005'473'280, 4'000'000'000'000, kPcie5,
            "95.00 GiB printed (modelscope/DiffSynth-Studio#1238)",
            148'000'000'000'000, 102'625'181'696},
        {"h100-pcie-80gb", "H100 PCIe 80 GB", Hopper, 84'943'715'697, 2'000'000'000'000, kPcie5,
            "81,008 MiB printed by torch in public code",
            756'000'000'000'000},
        {"h100-sxm-80gb", "H100 SXM5 80 GB", Hopper, 85'029'615'043, 3'350'000'000'000, kPcie5,
            "79.19 GiB in the llm-d report on vLLM 0.19 (vLLM pull request 10511: 79.22)",
            989'400'000'000'000, 85'520'809'984, Own, "h100-80gb"},
        {"h100-sxm-96gb", "H100 SXM5 96 GB", Hopper, kUnknown, kUnknown, kPcie5, kUnread, 989'400'000'000'000},
        {"h100-nvl-94gb", "H100 NVL 94 GB", Hopper, 100'502'234'726, 3'900'000'000'000, kPcie5,
            "93.6 GiB shown by nvidia-smi (93.00 in ali-vilab/VACE#56)",
            835'000'000'000'000},
        {"h200-sxm-141gb", "H200 SXM 141 GB", Hopper, 150'109'106'995, 4'800'000'000'000, kPcie5,
            "about 139.8 GiB as torch reports it",
            989'400'000'000'000, 150'754'820'096, Own, "h200-141gb"},
        {"gh200-96gb", "GH200 96 GB", Hopper, 101'468'602'368, 4'000'000'000'000, kNvlinkC2c,
            "94.50 GiB printed (vllm-project/vllm#9630; 94.88 in Lightning-AI/litgpt#1892)",
            989'400'000'000'000},
        {"gh200-144gb", "GH200 144 GB", Hopper, 153'008'209'920, 4'900'000'000'000, kNvlinkC2c,
            "153,008,209,920 bytes printed by torch in public code",
            989'400'000'000'000},
        {"rtx-5060-ti-16gb", "GeForce RTX 5060 Ti 16 GB", Blackwell,
            16'589'311'181, 448'000'000'000, kPcie4,
            "15,816 MiB as CUDA reports it (Luce-Org/lucebox#407)",
            47'400'000'000'000, 17'103'323'136},
        {"rtx-5070-ti", "GeForce RTX 5070 Ti 16 GB", Blackwell,
            16'600'048'599, 896'000'000'000, kPcie5,
            "15,833 MiB printed by torch in public code",
            87'900'000'000'000, 17'094'934'528, Own, "rtx-5070-ti-16gb"},
        {"rtx-5080", "GeForce RTX 5080 16 GB", Blackwell, 16'610'786'017, 960'000'000'000, kPcie5,
            "15,840 MiB printed by torch in public code",
            112'600'000'000'000, 17'094'934'528, Own, "rtx-5080-16gb"},
        {"rtx-5090", "GeForce RTX 5090 32 GB", Blackwell, 33'683'281'019, 1'792'000'000'000, kPcie5,
            "31.37 GiB printed (Wan-Video/Wan2.1#465)",
            209'500'000'000'000, 34'190'917'632, Own, "rtx-5090-32gb"},
        {"rtx-pro-6000-96gb", "RTX PRO 6000 Blackwell 96 GB", Blackwell,
            101'973'261'025, 1'792'000'000'000, kPcie5,
            "94.97 GiB as CUDA reports it (antirez/ds4#431)"},
        {"b200-sxm-192gb", "B200 180 GB", Blackwell, 191'555'541'402, 8'000'000'000'000, kPcie5,
            "178.4 GiB as torch reports it",
            2'250'000'000'000'000, 192'265'846'784, Own, "b200-180gb"},
        {"b300-sxm-288gb", "B300 288 GB", Blackwell, 287'429'948'867, 8'000'000'000'000, kPcie5,
            "267.69 GiB printed in public code",
            2'250'000'000'000'000, 288'400'343'040, Own, "b300-288gb"},
        {"gb200", "GB200", Blackwell, 197'901'355'581, 8'000'000'000'000, kNvlinkC2c,
            "184.31 GiB printed (vllm-project/vllm#43951)",
            2'500'000'000'000'000, 198'674'743'296, Own, "gb200-186gb"},

        // NVIDIA, with the driver's figure alone; the last three share one memory with the host
        {"h800-80gb", "H800 80 GB", Hopper, 85'520'809'984, 3'350'000'000'000, kPcie5,
            "81,559 MiB shown by nvidia-smi", 989'400'000'000'000, 85'520'809'984},
        {"rtx-5060-ti-8gb", "GeForce RTX 5060 Ti 8 GB", Blackwell,
            8'546'942'976, 448'000'000'000, kPcie4,
            "8,151 MiB shown by nvidia-smi", 47'400'000'000'000, 8'546'942'976},
        {"rtx-5070-12gb", "GeForce RTX 5070 12 GB", Blackwell,
            12'820'938'752, 672'000'000'000, kPcie5,
            "12,227 MiB shown by nvidia-smi", 61'700'000'000'000, 12'820'938'752},
        {"rtx-pro-6000-blackwell-96gb", "RTX PRO 6000 Blackwell Server Edition 96 GB", Blackwell,
            102'641'958'912, 1'597'000'000'000, kPcie5,
            "97,887 MiB shown by nvidia-smi", kUnknown, 102'641'958'912},
        {"b100-192gb", "B100 192 GB", Blackwell, kUnknown, 8'000'000'000'000, kPcie5,
            kUnread, 1'750'000'000'000'000},
        {"gb300-288gb", "GB300 288 GB", Blackwell, 298'013'687'808, 8'000'000'000'000, kNvlinkC2c,
            "284,208 MiB shown by nvidia-smi", 2'500'000'000'000'000, 298'013'687'808},
        {"gb10-128gb", "GB10 (DGX Spark) 128 GB", Blackwell,
            130'663'055'360, 273'000'000'000, kNone,
            "124,610 MiB in all as torch reports it; nvidia-smi shows none",
            125'000'000'000'000, kUnknown, Pool},
        {"jetson-thor-128gb", "Jetson AGX Thor 128 GB", Blackwell,
            131'880'452'096, 273'000'000'000, kNone,
            "125,771 MiB, the MemTotal of the system; nvidia-smi shows none",
            kUnknown, kUnknown, Pool},
        {"jetson-orin-64gb", "Jetson AGX Orin 64 GB", Ampere, kUnknown, 204'800'000'000, kNone,
            kUnread, kUnknown, kUnknown, Pool},

        // Slices of NVIDIA's cards (MIG): each is a device of its own
        {"a100-40gb-mig-1g.5gb", "A100 40 GB, MIG 1g.5gb", Ampere,
            5'100'273'664, kUnknown, kPcie4,
            "4.75 GiB listed by nvidia-smi mig -lgip in public notes"},
        {"a100-40gb-mig-2g.10gb", "A100 40 GB, MIG 2g.10gb or 1g.10gb", Ampere,
            10'329'396'346, kUnknown, kPcie4,
            "9.62 GiB listed by nvidia-smi mig -lgip in public notes (9.75 by some drivers)"},
        {"a100-40gb-mig-3g.20gb", "A100 40 GB, MIG 3g.20gb or 4g.20gb", Ampere,
            20'937'965'568, kUnknown, kPcie4,
            "19.50 GiB listed by nvidia-smi mig -lgip in public notes (19.62 by some drivers)"},
        {"a100-80gb-mig-1g.10gb", "A100 80 GB, MIG 1g.10gb", Ampere,
            10'200'547'328, kUnknown, kPcie4,
            "9.50 GiB listed by nvidia-smi mig -lgip in public notes"},
        {"a100-80gb-mig-2g.20gb", "A100 80 GB, MIG 2g.20gb or 1g.20gb", Ampere,
            20'937'965'568, kUnknown, kPcie4,
            "19.50 GiB listed by nvidia-smi mig -lgip in public notes"},
        {"a100-80gb-mig-3g.40gb", "A100 80 GB, MIG 3g.40gb or 4g.40gb", Ampere,
            42'144'366'592, kUnknown, kPcie4,
            "39.25 GiB listed by nvidia-smi mig -lgip in public notes"},
        {"h100-80gb-mig-1g.10gb", "H100 80 GB, MIG 1g.10gb", Hopper,
            10'468'982'784, kUnknown, kPcie5,
            "9.75 GiB listed by nvidia-smi mig -lgip in public notes"},
        {"h100-80gb-mig-2g.20gb", "H100 80 GB, MIG 2g.20gb or 1g.20gb", Hopper,
            21'066'814'586, kUnknown, kPcie5,
            "19.62 GiB listed by nvidia-smi mig -lgip in public notes"},
        {"h100-80gb-mig-3g.40gb", "H100 80 GB, MIG 3g.40gb or 4g.40gb", Hopper,
            42'412'802'048, kUnknown, kPcie5,
            "39.50 GiB listed by nvidia-smi mig -lgip in public notes"},
        {"h200-141gb-mig-1g.18gb", "H200 141 GB, MIG 1g.18gb", Hopper,
            17'179'869'184, kUnknown, kPcie5,
            "16.00 GiB listed by nvidia-smi mig -lgip (NVIDIA/mig-parted#120)"},
        {"h200-141gb-mig-2g.35gb", "H200 141 GB, MIG 2g.35gb or 1g.35gb", Hopper,
            34'628'173'824, kUnknown, kPcie5,
            "32.25 GiB listed by nvidia-smi mig -lgip (NVIDIA/mig-parted#120)"},
        {"h200-141gb-mig-3g.71gb", "H200 141 GB, MIG 3g.71gb or 4g.71gb", Hopper,
            74'625'056'768, kUnknown, kPcie5,
            "69.50 GiB listed by nvidia-smi mig -lgip (NVIDIA/mig-parted#120)"},

        // AMD
        {"mi210-64gb", "Instinct MI210 64 GB", Cdna2, 68'702'699'520, 1'638'400'000'000, kPcie4,
            "VRAM total of rocm-smi", 181'000'000'000'000, 68'702'699'520},
        {"mi250x-gcd-64gb", "Instinct MI250X 64 GB, one of two GCDs", Cdna2,
            68'702'699'520, 1'638'400'000'000, kUnknown,
            "VRAM total of rocm-smi for each GCD, which is a device of its own",
            191'500'000'000'000, 68'702'699'520},
        {"mi300x-192gb", "Instinct MI300X 192 GB", Cdna3,
            206'141'652'992, 5'300'000'000'000, kUnknown,
            "VRAM total of rocm-smi, in one partition (SPX)",
            1'307'400'000'000'000, 206'141'652'992},
        {"mi300a-128gb", "Instinct MI300A 128 GB", Cdna3, kUnknown, 5'300'000'000'000, kNone,
            kUnread, 980'600'000'000'000, kUnknown, Pool},
        {"mi325x-256gb", "Instinct MI325X 256 GB", Cdna3, kUnknown, 6'000'000'000'000, kUnknown,
            kUnread, 1'307'400'000'000'000},
        {"mi350x-288gb", "Instinct MI350X 288 GB", Cdna4,
            309'220'868'096, 8'000'000'000'000, kUnknown,
            "totalGlobalMem of HIP", 2'300'000'000'000'000},
        {"mi355x-288gb", "Instinct MI355X 288 GB", Cdna4,
            309'220'868'096, 8'000'000'000'000, kUnknown,
            "VRAM total of rocm-smi", 2'500'000'000'000'000, 309'220'868'096},
        {"rx-7900-xtx-24gb", "Radeon RX 7900 XTX 24 GB", Rdna3,
            25'753'026'560, 960'000'000'000, kPcie4,
            "VRAM total of rocm-smi", 122'800'000'000'000, 25'753'026'560},
        {"rx-9070-xt-16gb", "Radeon RX 9070 XT 16 GB", Rdna4,
            17'095'983'104, 640'000'000'000, kPcie5,
            "total of HIP and of the amdgpu driver", 195'000'000'000'000, 17'095'983'104},
        {"r9700-32gb", "Radeon AI PRO R9700 32 GB", Rdna4, 34'208'743'424, 640'000'000'000, kPcie5,
            "total of HIP", 191'000'000'000'000},
        {"strix-halo-128gb", "Ryzen AI Max+ 395 (Strix Halo) 128 GB", Rdna3,
            kUnknown, 256'000'000'000, kNone,
            "reported capacity not known: what the BIOS carves out, and GTT (half of the rest)",
            59'400'000'000'000, kUnknown, ShareOfPool},

        // Apple: recommendedMaxWorkingSetSize, which Metal prints in units of 10^6 bytes
        {"apple-16gb", "Apple silicon 16 GB", Apple, 11'453'250'000, kUnknown, kNone,
            "11,453.25 MB, recommendedMaxWorkingSetSize of Metal (12,713.12 MB on other systems)",
            kUnknown, kUnknown, ShareOfPool},
        {"apple-32gb", "Apple silicon 32 GB", Apple, 26'800'600'000, kUnknown, kNone,
            "26,800.60 MB, recommendedMaxWorkingSetSize of Metal", kUnknown, kUnknown, ShareOfPool},
        {"apple-36gb", "Apple silicon 36 GB", Apple, 28'991'030'000, kUnknown, kNone,
            "28,991.03 MB, recommendedMaxWorkingSetSize of Metal", kUnknown, kUnknown, ShareOfPool},
        {"apple-m4-pro-48gb", "Apple M4 Pro 48 GB", Apple, 40'200'900'000, 273'000'000'000, kNone,
            "40,200.90 MB, recommendedMaxWorkingSetSize of Metal", kUnknown, kUnknown, ShareOfPool},
        {"apple-m3-max-64gb", "Apple M3 Max 64 GB", Apple, 55'662'790'000, 400'000'000'000, kNone,
            "55,662.79 MB, recommendedMaxWorkingSetSize of Metal", kUnknown, kUnknown, ShareOfPool},
        {"apple-m4-max-128gb", "Apple M4 Max or M5 Max 128 GB", Apple,
            115'448'730'000, 546'000'000'000, kNone,
            "115,448.73 MB, recommendedMaxWorkingSetSize of Metal; iogpu.wired_limit_mb changes it",
            kUnknown, kUnknown, ShareOfPool},
        {"apple-m3-ultra-512gb", "Apple M3 Ultra 512 GB", Apple,
            498'216'210'000, 819'000'000'000, kNone,
            "498,216.21 MB, recommendedMaxWorkingSetSize of Metal",
            kUnknown, kUnknown, ShareOfPool},

        // Intel, Huawei, Google
        {"arc-a770-16gb", "Arc A770 16 GB", Xe, 16'225'243'136, 560'000'000'000, kPcie4,
            "global memory of Level Zero"},
        {"arc-b580-12gb", "Arc B580 12 GB", Xe, 12'168'933'376, 456'000'000'000, kPcie4X8,
            "total_memory of torch.xpu"},
        {"arc-pro-b60-24gb", "Arc Pro B60 24 GB", Xe, 24'385'683'456, 456'000'000'000, kPcie4,
            "device memory of OpenVINO"},
        {"max-1550-128gb", "Data Center GPU Max 1550 128 GB, two tiles", Xe,
            kUnknown, 3'276'800'000'000, kUnknown,
            kUnread},
        {"ascend-910b-64gb", "Ascend 910B 64 GB", Ascend,
            65'788'161'556, 1'600'000'000'000, kUnknown,
            "61.27 GiB printed by torch_npu; which card of the series is not known",
            kUnknown, 68'719'476'736},
        {"ascend-910c-128gb", "Ascend 910C 128 GB, two dies", Ascend,
            kUnknown, 3'200'000'000'000, kUnknown,
            kUnread},
        {"tpu-v5e", "TPU v5e chip", Tpu, 16'911'433'728, 819'000'000'000, kUnknown,
            "15.75 GiB of HBM printed by XLA", 197'000'000'000'000},
        {"tpu-v5p", "TPU v5p chip", Tpu, 102'800'042'229, 2'765'000'000'000, kUnknown,
            "95.74 GiB of HBM printed by XLA", 459'000'000'000'000},
        {"tpu-v6e", "TPU v6e (Trillium) chip", Tpu, 33'554'432'000, 1'640'000'000'000, kUnknown,
            "31.25 GiB of HBM printed by XLA", 918'000'000'000'000},
        {"tpu-v7", "TPU v7 (Ironwood) chip", Tpu, kUnknown, 7'370'000'000'000, kUnknown,
            kUnread, 2'307'000'000'000'000},
    }};
    // clang-format on
    return presets;
}

bool isDatacenterBlackwell(const GpuPreset &gpu)
{
    constexpr Bytes kStacked = 4'000'000'000'000; // cards with GDDR7 reach 1.8 TB/s
    return gpu.generation == GpuGeneration::Blackwell && gpu.memoryBandwidth >= kStacked;
}

const GpuPreset *findGpuPreset(std::string_view name)
{
    const auto presets = gpuPresets();
    const auto found = std::ranges::find_if(presets, [&](const GpuPreset &gpu) {
        return gpu.name == name || (!name.empty() && gpu.otherName == name);
    });
    return found == presets.end() ? nullptr : &*found;
}

} // namespace vramscope
