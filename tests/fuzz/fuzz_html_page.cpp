// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

// Any page gives an error or a trace whose ids all lead somewhere. An input may also be put into a
// page, as the base64 of a file or as the data of a plot.

#include "core/base/base64.h"
#include "core/readers/read_trace.h"
#include "tests/fuzz/fuzzer.h"
#include "tests/fuzz/trace_check.h"
#include "tests/support/compress.h"
#include "tests/support/sample_snapshot.h"

using namespace vramscope;

namespace {

void read(const std::string &page)
{
    const auto trace = readTrace(fuzz::bytesOf(page));
    if (trace.ok())
        fuzz::checkTrace(**trace);
}

std::string pageOf(const std::string &base64)
{
    return R"(<html>const local_files = [{"name": "a", "base64": ")" + base64 + R"("}]</html>)";
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t *data, std::size_t size)
{
    const std::string input(reinterpret_cast<const char *>(data), size);
    read("<html>" + input);
    read(pageOf(input));
    read(pageOf(vramscope::base64(input)));
    read("<html>let alloc_data = " + input);
    return 0;
}

std::vector<std::string> fuzzSeeds()
{
    const std::string pickle = test::pickled(test::sampleSnapshot());
    return {pickle, vramscope::base64(pickle), pageOf(vramscope::base64(pickle)),
            R"({"actions": [0, 1, 0, 2], "elements_size": [100, 200, 50],
 "elements_info": [3, 1, null], "elements_category": [0, 1, 0],
 "suffix_table": [[0, null], [1, 0], [2, 1], [3, 2]],
 "string_table": ["main.py:1:f", "C:/model.py:20:g", "??:0:c10::alloc", "100B allocation"],
 "initially_allocated": [2], "categories": ["activation", "unknown"]})"};
}
