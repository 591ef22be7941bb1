// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/profile/call_kinds.h"

#include "core/base/text.h"

#include <array>

namespace vramscope {

namespace {

/// "Memcpy" of cudaMemcpy, hipMemcpy and cuMemcpy; the whole name where it has none of these.
std::string_view withoutPrefix(std::string_view call)
{
    for (const std::string_view prefix : {"cuda", "hip", "cu"}) {
        if (call.starts_with(prefix))
            return call.substr(prefix.size());
    }
    return call;
}

} // namespace

bool waitsForDevice(std::string_view call)
{
    const std::string_view name = withoutPrefix(call);
    if (name.find("Synchronize") != name.npos)
        return true;
    const bool copies = name.starts_with("Memcpy") || name.starts_with("Memset");
    // hipMemcpyWithStream orders itself behind a stream and waits for it.
    return copies && name.find("Async") == name.npos;
}

bool mayBlock(std::string_view call)
{
    constexpr std::array<std::string_view, 12> kMemory{
        "Malloc",        "Free",     "MallocHost", "FreeHost", "HostAlloc",    "HostFree",
        "MallocManaged", "MemAlloc", "MemFree",    "MemMap",   "MemAllocHost", "MemUnmap"};
    std::string_view name = withoutPrefix(call);
    if (const std::size_t version = name.rfind("_v"); version != name.npos)
        name = name.substr(0, version); // cuMemAlloc_v2
    return waitsForDevice(call) || isOneOf(name, kMemory);
}

bool launchesGraph(std::string_view call)
{
    return call.find("GraphLaunch") != call.npos;
}

CallPurpose purposeOf(std::string_view call)
{
    const auto has = [&](std::string_view part) { return call.find(part) != call.npos; };
    if (has("Launch"))
        return CallPurpose::Launch;
    if (has("Memcpy") || has("Memset"))
        return CallPurpose::Copy;
    return has("Synchronize") ? CallPurpose::Wait : CallPurpose::Other;
}

std::vector<bool> callsThat(const Profile &profile, bool (*test)(std::string_view))
{
    enum class Known : std::uint8_t { Not, Yes, No };
    const CallColumns &calls = profile.calls();
    std::vector<Known> known(profile.textCount(), Known::Not);
    std::vector<bool> result(calls.count());
    for (std::size_t row = 0; row < calls.count(); ++row) {
        Known &name = known[static_cast<std::size_t>(calls.name[row])];
        if (name == Known::Not)
            name = test(profile.text(calls.name[row])) ? Known::Yes : Known::No;
        result[row] = name == Known::Yes;
    }
    return result;
}

} // namespace vramscope
