// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/readers/formats.h"
#include "tests/fuzz/series_check.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t *data, std::size_t size)
{
    vramscope::fuzz::checkReader(vramscope::readMemoryTimeline, data, size);
    return 0;
}

std::vector<std::string> fuzzSeeds()
{
    return {"[[10, 20], [[0, 1, 2, 3, 4, 5, 6, 7, 8], [0, 8, 7, 6, 5, 4, 3, 2, 1]]]",
            "[[-1, 1, 512, 7], [5, 2, 1024, 4], [5, 3, -512, 7], [5, 3, 512, 0], [9, 4, -512, 0]]"};
}
