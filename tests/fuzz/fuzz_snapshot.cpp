// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

// Any bytes give an error or a trace whose ids all lead somewhere, whatever the size of the window,
// and reading fast gives what reading every value whole gives.

#include "core/readers/byte_source.h"
#include "core/readers/formats.h"
#include "tests/fuzz/fuzzer.h"
#include "tests/fuzz/trace_check.h"
#include "tests/support/random_snapshot.h"
#include "tests/support/sample_snapshot.h"
#include "tests/support/trace_text.h"

using namespace vramscope;
using test::PickleStyle;

namespace {

Result<std::shared_ptr<const Trace>> read(std::span<const std::byte> bytes, std::size_t window)
{
    const auto source = memorySource(bytes);
    ByteWindow input(*source, window);
    return readSnapshot(input, {});
}

Result<std::shared_ptr<const Trace>> readSlowly(std::span<const std::byte> bytes)
{
    const auto source = memorySource(bytes);
    ByteWindow input(*source);
    return readSnapshotSlowly(input);
}

std::string recordsOf(const Trace &trace)
{
    return test::traceText(trace, test::TraceDetail::Records);
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t *data, std::size_t size)
{
    const auto bytes = std::as_bytes(std::span(data, size));
    const auto fast = read(bytes, ByteWindow::kDefaultSize);
    if (fast.ok())
        fuzz::checkTrace(**fast);
    const auto narrow = read(bytes, 64);
    fuzz::check(fast.ok() == narrow.ok());
    const auto slow = readSlowly(bytes);
    if (slow.ok())
        fuzz::checkTrace(**slow);
    // Where a record is malformed, the two may leave out different parts of it, but both say so.
    if (slow.ok() && (*slow)->problems().empty()) {
        fuzz::check(fast.ok());
        if ((*fast)->problems().empty())
            fuzz::check(recordsOf(**fast) == recordsOf(**slow));
    }
    return 0;
}

std::vector<std::string> fuzzSeeds()
{
    std::vector<std::string> seeds;
    for (const int protocol : {0, 1, 2, 3, 4, 5})
        seeds.push_back(test::pickled(test::sampleSnapshot(), protocol));
    for (unsigned seed = 0; seed < 40; ++seed) {
        std::string pickle = test::pickled(test::randomSnapshot(seed), 4,
                                           seed % 2 ? PickleStyle::Cpp : PickleStyle::Python);
        if (pickle.size() < 20'000)
            seeds.push_back(std::move(pickle));
    }
    return seeds;
}
