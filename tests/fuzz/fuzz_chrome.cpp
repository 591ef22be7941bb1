// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/print/profile_report.h"
#include "core/profile/profile_study.h"
#include "core/readers/formats.h"
#include "tests/fuzz/profile_check.h"
#include "tests/fuzz/series_check.h"

using namespace vramscope;
using fuzz::check;

namespace {

Result<std::shared_ptr<const Profile>> readThrough(std::span<const std::byte> bytes,
                                                   std::size_t window, PythonFunctions python)
{
    const auto source = memorySource(bytes);
    ByteWindow input(*source, window);
    return readChromeTrace(input, {}, python);
}

} // namespace

// Any bytes give an error or a profile that can be shown, the same whatever the size of the window.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t *data, std::size_t size)
{
    const auto bytes = std::as_bytes(std::span(data, size));
    const auto whole = readThrough(bytes, ByteWindow::kDefaultSize, PythonFunctions::Kept);
    const auto small = readThrough(bytes, 16, PythonFunctions::Kept);
    check(whole.ok() == small.ok());
    if (!whole.ok()) {
        check(!whole.error().detail.empty());
        return 0;
    }
    fuzz::checkProfile(**whole);
    fuzz::checkSeries(*(*whole)->curves());
    check((*whole)->eventCount() == (*small)->eventCount());
    const ProfileStudy study(*whole);
    const std::string json = profileJson(study, {"file"});
    check(json.size() > 2);
    check(json == profileJson(ProfileStudy(*small), {"file"}));
    check(!profileText(study, {"file"}).empty());
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
    const std::string linked =
        R"({"ph":"X","cat":"cuda_runtime","name":"cudaLaunchKernel","pid":7,"tid":8,"ts":101,)"
        R"("dur":2,"args":{"correlation":42,"External id":1}},)"
        R"({"ph":"s","id":1,"pid":7,"tid":8,"ts":100,"cat":"fwdbwd","name":"fwdbwd"},)"
        R"({"ph":"f","id":1,"pid":7,"tid":8,"ts":120,"cat":"fwdbwd","name":"fwdbwd","bp":"e"},)"
        R"({"ph":"X","cat":"kernel","name":"ncclDevKernel","pid":0,"tid":13,"ts":1721.5e-1,)"
        R"("dur":9,"args":{"device":0,"stream":13,"correlation":43,"Collective name":"allreduce",)"
        R"("dtype":"Float","In msg nelems":4,"Out msg nelems":4,"Group size":2}})";
    return {events, "[" + operation + "," + linked + "," + kernel + "]",
            "[" + flawed + "," + memory + "," + flawed,
            R"({"schemaVersion": 1, "deviceProperties": [{"id": 0, "name": "A",)"
            R"( "totalGlobalMem": 4096}], "distributedInfo": {"rank": 1, "world_size": 2},)"
            R"( "traceEvents": )" +
                events + R"(, "baseTimeNanoseconds": 1700000000000000000})"};
}
