// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/readers/chrome_trace.h"
#include "tests/fuzz/series_check.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t *data, std::size_t size)
{
    vramscope::fuzz::checkReader(vramscope::readChromeTrace, data, size);
    return 0;
}

std::vector<std::string> fuzzSeeds()
{
    const std::string memory =
        R"({"ph":"i","cat":"cpu_instant_event","s":"t","name":"[memory]","pid":7,"tid":8,)"
        R"("ts":115.25,"args":{"Device Type":1,"Device Id":0,"Addr":4096,"Bytes":512,)"
        R"("Total Allocated":512,"Total Reserved":4096,"Ev Idx":5}})";
    const std::string operation =
        R"({"ph":"X","cat":"cpu_op","name":"aten::mm","pid":7,"tid":8,"ts":100,"dur":50.5})";
    const std::string kernel =
        R"({"ph":"X","cat":"kernel","name":"gemm","pid":0,"tid":7,"ts":120,"dur":3.5,)"
        R"("args":{"device":0,"stream":7,"correlation":42,"grid":[1,2,3]}})";
    const std::string flawed =
        R"~({"ph":"X","cat":"cpu_op","name":"f("a", C:\Users\x)","pid":7,"tid":8,"ts":NaN,})~";
    const std::string events = "[" + operation + ",\n " + memory + "," + kernel + "]";
    return {events, "[" + flawed + "," + memory + "," + flawed,
            R"({"schemaVersion": 1, "deviceProperties": [{"id": 0, "name": "A",)"
            R"( "totalGlobalMem": 4096}], "distributedInfo": {"rank": 1, "world_size": 2},)"
            R"( "traceEvents": )" +
                events + R"(, "baseTimeNanoseconds": 1700000000000000000})"};
}
