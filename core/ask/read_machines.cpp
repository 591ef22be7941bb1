// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/ask/machine_reader.h"
#include "core/base/text.h"
#include "core/catalog/gpu_names.h"

#include <algorithm>
#include <array>

namespace vramscope {

namespace {

/// "160 GB (2x80)": of a size the GPUs that it is the sum of.
void takeProductBehind(Reading &r, NamedMachine &machine)
{
    std::size_t at = machine.last + 1;
    while (r.isWord(at, "of") || isAnyWord(r, at, kDeviceWords))
        ++at; // "160 gigs of vram"
    const auto count = r.number(at);
    const auto each = r.number(at + 2);
    if (machine.isNamed || !machine.counts.empty() || machine.gigabytes == 0 || !count || !each ||
        !r.isWord(at + 1, "x") || *count * *each != machine.gigabytes)
        return;
    machine.counts = {*count};
    machine.gigabytes = *each;
    for (std::size_t i = at; i < at + 3; ++i)
        r.used[i] = true;
}

void takeHostMemory(Reading &r)
{
    for (std::size_t at = 0; at < r.words.size(); ++at) {
        const WrittenSize size = sizeAt(r, at);
        if (size.words == 0 || !isOfHost(r, at, at + size.words))
            continue;
        std::size_t end = at + size.words;
        while (isAnyWord(r, end, kHostWords) || r.isWord(end, "memory") || r.isWord(end, "of"))
            ++end;
        r.take(at, end - at);
        r.machines.push_back({.piece = r.asked.pieces.size() - 1,
                              .first = at,
                              .last = end - 1,
                              .gigabytes = size.gigabytes,
                              .isHost = true});
    }
}

/// Whether nothing but a comma stands between two namings.
bool isListed(const Reading &r, const NamedMachine &one, const NamedMachine &other)
{
    return one.last + 1 == other.first && r.words[other.first].afterBreak;
}

/// Whether words stand between two namings that join them: "a 3090 and a 4090", "24 + 16 GB",
/// "two M40 24GB in a box, plus a 3060".
bool isJoined(const Reading &r, const NamedMachine &one, const NamedMachine &other)
{
    for (std::size_t at = one.last + 1; at < other.first; ++at)
        if (r.isWord(at, "plus") && r.words[at].afterBreak && one.gpu && other.gpu)
            return true;
    bool joins = false;
    for (std::size_t at = one.last + 1; at < other.first; ++at) {
        joins = joins || isAnyWord(r, at, kJoining);
        const bool isPlain = r.isFree(at) && isOrdinary(r.words[at].text); // "an old 3080"
        if (!isAnyWord(r, at, kJoining) && !isPlain)
            return false;
    }
    return joins;
}

/// "Two 4060 Ti instead of a 3090", "sold my old 1070", "upgraded from a 3080": what nobody will
/// have.
bool isGone(const Reading &r, const NamedMachine &machine)
{
    constexpr auto kGiven = std::to_array<std::string_view>(
        {"sold", "sell", "selling", "returned", "retired", "traded", "ditched", "replaced",
         "replace", "swapped", "verkauft", "卖了", "卖掉"});
    constexpr auto kMoved = std::to_array<std::string_view>(
        {"upgraded", "upgrade", "upgrading", "moved", "moving", "switched", "switching", "coming"});
    constexpr auto kOwners =
        std::to_array<std::string_view>({"a", "an", "my", "our", "the", "old", "meine", "meiner"});
    if (r.isReplaced(machine.first))
        return true;
    std::size_t at = machine.first;
    while (at > 0 && isOneOf(r.words[at - 1].text, kOwners))
        --at;
    return (at > 0 && isOneOf(r.words[at - 1].text, kGiven)) ||
           (at > 1 && isOneOf(r.words[at - 2].text, kMoved) && r.words[at - 1].text == "from");
}

/// Whether another machine is named behind it as a correction: "a 4090 - scratch that, an A6000".
bool isCorrected(const Reading &r, const NamedMachine &machine)
{
    constexpr auto kCorrections =
        std::to_array<std::string_view>({"sorry", "meant", "scratch", "correction"});
    std::size_t at = machine.last + 1;
    while (at < r.words.size() && !isAnyWord(r, at, kCorrections))
        ++at;
    return std::ranges::any_of(r.machines, [&](const NamedMachine &other) {
        return other.first > at && other.gpu && other.gpu != machine.gpu;
    });
}

/// Drops the machines of which `isGone` holds, unless that is all of them. The first `hosts` have
/// no GPU.
template<class IsGone>
void dropMachines(Reading &r, std::size_t hosts, IsGone isGone)
{
    if (std::all_of(r.machines.begin() + static_cast<std::ptrdiff_t>(hosts), r.machines.end(),
                    isGone))
        return;
    std::erase_if(r.machines, [&](const NamedMachine &machine) {
        const bool drops = !machine.isHost && isGone(machine);
        if (drops)
            Reading::passOver(r.asked.pieces[machine.piece],
                              "is not the machine that is asked about");
        return drops;
    });
}

void dropReplaced(Reading &r, std::size_t hosts)
{
    dropMachines(r, hosts, [&r](const NamedMachine &machine) {
        return isGone(r, machine) || isCorrected(r, machine);
    });
    dropMachines(r, hosts, [&r](const NamedMachine &machine) {
        return r.isOfThePast(r.asked.pieces[machine.piece].begin);
    });
}

/// "Only one of its two T4s" uses one.
void takeOneOfSeveral(const Reading &r, NamedMachine &machine)
{
    constexpr auto kOwners = std::to_array<std::string_view>(
        {"its", "the", "my", "our", "these", "those", "their", "both"});
    const std::size_t at = machine.first;
    if (at > 2 && isAnyWord(r, at - 1, kOwners) && r.isWord(at - 2, "of") &&
        r.number(at - 3).value_or(0) == 1 && machine.counts.size() == 1)
        machine.counts = {1};
}

/// "One 4070 Ti (sorry, two of them)": how many there are in the end.
void takeCountBehind(Reading &r, std::size_t hosts)
{
    constexpr auto kThem = std::to_array<std::string_view>({"them", "those", "these"});
    constexpr auto kOnly = std::to_array<std::string_view>({"just", "only", "nur"});
    for (std::size_t at = 0; at + 2 < r.words.size(); ++at) {
        const auto count = r.number(at);
        const bool ends = at + 3 >= r.words.size() || r.words[at + 3].afterBreak;
        const bool isOnly = at > 0 && isOneOf(r.words[at - 1].text, kOnly); // "just one of them"
        const bool isOfThem = count.value_or(0) > (isOnly ? 0 : 1) && r.isWord(at + 1, "of") &&
                              (r.isWord(at + 2, "them") || (ends && isAnyWord(r, at + 2, kThem)));
        if (!isOfThem)
            continue;
        const auto machine = std::find_if(r.machines.rbegin(),
                                          r.machines.rend() - static_cast<std::ptrdiff_t>(hosts),
                                          [at](const NamedMachine &it) { return it.last < at; });
        if (machine == r.machines.rend() - static_cast<std::ptrdiff_t>(hosts) ||
            machine->counts.size() > 1)
            continue;
        machine->counts = {*count};
        r.used[at] = r.used[at + 1] = r.used[at + 2] = true;
    }
}

/// "NVIDIA A40, 46068 MiB" once for each GPU, as nvidia-smi lists them.
void joinListed(Reading &r)
{
    const auto isListed = [&](const NamedMachine &it) {
        return it.gpu && it.counts.empty() && r.number(it.last + 1) && r.isWord(it.last + 2, "mib");
    };
    for (std::size_t i = 0; i < r.machines.size(); ++i) {
        if (!isListed(r.machines[i]))
            continue;
        std::int64_t count = 1;
        for (std::size_t other = i + 1; other < r.machines.size(); ++other)
            count += isListed(r.machines[other]) && r.machines[other].gpu == r.machines[i].gpu;
        if (count > 1)
            r.machines[i].counts = {count};
        for (std::size_t at : {r.machines[i].last + 1, r.machines[i].last + 2})
            r.used[at] = true;
        for (std::size_t other = r.machines.size(); other-- > i + 1;) {
            const NamedMachine &it = r.machines[other];
            if (it.gpu != r.machines[i].gpu || !isListed(it))
                continue;
            r.asked.pieces[it.piece].fields = {FieldPath("hardware.gpus")};
            r.used[it.last + 1] = r.used[it.last + 2] = true;
            r.machines.erase(r.machines.begin() + static_cast<std::ptrdiff_t>(other));
        }
    }
}

/// "The DGX A100 has eight 40 GB cards": which of the GPUs that an instance is sold with.
void takeSizesOfInstances(Reading &r)
{
    for (NamedMachine &instance : r.machines) {
        for (const NamedMachine &size : r.machines) {
            const auto other = std::ranges::find_if(instance.others, [&](const GpuPreset *gpu) {
                return soldGigabytes(*gpu) == size.gigabytes;
            });
            if (!instance.isInstance || size.isNamed || size.isHost || !size.saysDevice ||
                other == instance.others.end())
                continue;
            instance.gpu = *other;
            instance.others.clear();
            break;
        }
    }
}

/// Whether "or" stands between two namings.
bool isOr(const Reading &r, const NamedMachine &one, const NamedMachine &other)
{
    for (std::size_t at = one.last + 1; at < other.first; ++at)
        if (isAnyWord(r, at, kOr))
            return true;
    return false;
}

/// "70b on 48?": of a question that names no machine a size that cards are sold with, unless as
/// many GPUs are common.
void takeBareSize(Reading &r)
{
    constexpr auto kSizes =
        std::to_array<std::int64_t>({11, 12, 20, 24, 36, 40, 48, 80, 96, 141, 192});
    constexpr auto kOn = std::to_array<std::string_view>({"on", "auf", "sur", "en"});
    for (std::size_t at = 1; at < r.words.size(); ++at) {
        const std::int64_t size = r.number(at).value_or(0);
        const bool ends = at + 1 == r.words.size() || r.words[at + 1].afterBreak;
        if (!isAnyWord(r, at - 1, kOn) || !ends || r.words[at].text != std::to_string(size) ||
            std::ranges::find(kSizes, size) == kSizes.end())
            continue;
        r.take(at, 1);
        r.machines.push_back({.piece = r.asked.pieces.size() - 1,
                              .first = at,
                              .last = at,
                              .gigabytes = size,
                              .saysDevice = true});
        return;
    }
}

/// "Mac mini M4, 32 GB RAM": of a machine with one memory, that of the host is its own.
void takeSharedMemory(Reading &r, std::size_t hosts)
{
    if (hosts != 1)
        return;
    NamedMachine &host = r.machines.front();
    for (std::size_t i = hosts; i < r.machines.size(); ++i) {
        NamedMachine &machine = r.machines[i];
        if (!machine.gpu || !machine.gpu->unified() ||
            (machine.gigabytes > 0 && machine.gigabytes != host.gigabytes))
            continue;
        const NamedGpu named = findNamedGpu(machine.name, host.gigabytes);
        if (!named.gpu)
            continue;
        machine.gpu = named.gpu;
        machine.others = named.others;
        machine.remark.clear();
        host.isHost = false;
        host.isNamed = false;
        host.gpu = named.gpu;
        return;
    }
}

} // namespace

void takeMachines(Reading &r)
{
    takeHostMemory(r);
    const std::size_t hosts = r.machines.size();
    for (std::size_t at = 0; at < r.words.size(); ++at) {
        if (!r.isFree(at) || !takeMachine(r, at))
            continue;
        at = r.machines.back().last;
        takeProductBehind(r, r.machines.back());
        takeOneOfSeveral(r, r.machines.back());
    }
    joinListed(r);
    takeSizesOfInstances(r);
    takeCountBehind(r, hosts);
    dropReplaced(r, hosts);
    if (r.machines.empty())
        takeBareSize(r);
    takeSharedMemory(r, hosts);
    for (std::size_t i = hosts + 1; i < r.machines.size(); ++i) {
        r.machines[i].isAlternative = isOr(r, r.machines[i - 1], r.machines[i]);
        r.machines[i].isJoined = isJoined(r, r.machines[i - 1], r.machines[i]);
    }
    // "a 5090, a 4090 and a 3090"; a comma alone may as well divide what is to be chosen from.
    for (std::size_t i = r.machines.size(); i-- > hosts + 1;)
        if (i + 1 < r.machines.size() && r.machines[i + 1].isJoined &&
            isListed(r, r.machines[i - 1], r.machines[i]))
            r.machines[i].isJoined = true;
}

} // namespace vramscope
