// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/readers/formats.h"
#include "tests/fuzz/series_check.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t *data, std::size_t size)
{
    vramscope::fuzz::checkReader(vramscope::readSmiLog, data, size);
    return 0;
}

std::vector<std::string> fuzzSeeds()
{
    using namespace std::string_literals;
    return {"timestamp, index, name, memory.used [MiB], memory.total [MiB]\n"
            "2023/06/22 18:56:56.252, 0, A, 841 MiB, 8192 MiB\n"
            "2023/06/22 18:56:56.254, 1, A, [N/A], 8192 MiB\n",
            "2023/06/22 18:56:56.252, 0, \"A, B\", 35 %, 841 MiB, 8192 MiB\n",
            "timestamp,gpu,index,memory.used\n2025-09-08T17:26:50+08:00,0,0,4\n"
            "2025-09-08T17:26:50+08:00,1,0,5\n",
            "timestamp,memory_used\n1746556382.8348258,0\n1746556382.8348258,5\n",
            "timestamp, pid, used_gpu_memory [MiB]\n1700000000, 11, 100 MiB\n",
            "#Date     Time     gpu   fb\n#YYYYMMDD HH:MM:SS Idx   MB\n 20240102 03:04:05 0 1000\n",
            "====NVSMI LOG====\nTimestamp : Thu Jun 22 18:56:56 2023\nGPU 00000000:3B:00.0\n"
            "    Product Name : A\n    FB Memory Usage\n        Total : 8192 MiB\n"
            "        Used : 841 MiB\n    Utilization\n        Gpu : N/A\n    Processes\n"
            "        Process ID : 1\n            Name : a\n            Used GPU Memory : 3 MiB\n",
            "<?xml version=\"1.0\" ?>\n<nvidia_smi_log>\n<timestamp>Thu Jun 22 18:56:56 2023"
            "</timestamp>\n<gpu id=\"00000000:3B:00.0\">\n<uuid>GPU-1</uuid><fb_memory_usage>"
            "<total>8192 MiB</total>\n<used>841 MiB</used></fb_memory_usage><processes>"
            "<process_info><pid>1</pid><used_memory>N/A</used_memory></process_info></processes>\n"
            "</gpu></nvidia_smi_log>\n",
            // UTF-16 as PowerShell redirects it; the literal knows its own length.
            "\xFF\xFEt\0s\0,\0f\0b\0\n\0001\0,\0002\0\n\0"s};
}
