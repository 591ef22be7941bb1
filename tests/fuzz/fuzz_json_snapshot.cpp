// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

// Any text gives an error or a trace whose ids all lead somewhere.

#include "core/readers/byte_source.h"
#include "core/readers/formats.h"
#include "core/readers/read_trace.h"
#include "tests/fuzz/fuzzer.h"
#include "tests/fuzz/trace_check.h"
#include "tests/support/json_writer.h"
#include "tests/support/random_snapshot.h"
#include "tests/support/sample_snapshot.h"
#include "tests/support/trace_text.h"

using namespace vramscope;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t *data, std::size_t size)
{
    const auto bytes = std::as_bytes(std::span(data, size));
    (void)readTrace(bytes); // by content: any of the formats of text
    const auto read = [&](std::size_t window) {
        const auto source = memorySource(bytes);
        ByteWindow input(*source, window);
        return readJsonSnapshot(input, {});
    };
    const auto trace = read(ByteWindow::kDefaultSize);
    const auto narrow = read(64);
    fuzz::check(trace.ok() == narrow.ok());
    if (!trace.ok())
        return 0;
    fuzz::checkTrace(**trace);
    fuzz::check(test::traceText(**trace) == test::traceText(**narrow));
    return 0;
}

std::vector<std::string> fuzzSeeds()
{
    std::vector<std::string> seeds{
        test::json(test::sampleSnapshot()),
        R"({"schemaVersion": 1, "traceEvents": [{"ph": "X", "ts": 1.5}]})",
        R"([[1, 2, 3], [[0, 1, 2, 3, 4, 5, 6, 7, 8]]])",
        "[[-1, 1, 512, 3], [5, 2, 512, 3]]",
        "timestamp, memory.used [MiB]\n2023/06/22 18:56:56.252, 841 MiB\n",
        "# gpu   fb\n# Idx   MB\n    0   841\n"};
    for (unsigned seed = 0; seed < 40; ++seed) {
        std::string json = test::json(test::randomSnapshot(seed));
        if (json.size() < 20'000)
            seeds.push_back(std::move(json));
    }
    return seeds;
}
