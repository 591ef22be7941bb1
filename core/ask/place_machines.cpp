// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/ask/reading.h"
#include "core/base/format.h"
#include "core/catalog/gpu_names.h"

#include <algorithm>

namespace vramscope {

namespace {

constexpr Bytes kGigabyteOfRam = Bytes(1) << 30; // modules are sold in units of two

/// A size that is not that of the GPU which is named: the sum of all, or of the host where it is
/// larger.
void placeOtherSize(Reading &r, AskedPiece &piece, std::int64_t gigabytes)
{
    const GpuPreset *gpu = findGpuPreset(r.plan.hardware.gpu.value_or(std::string()));
    if (gpu && gigabytes == soldGigabytes(*gpu) * r.plan.hardware.gpus.value_or(1))
        piece.fields = {FieldPath("hardware.gpu")};
    else if (gpu && gigabytes > soldGigabytes(*gpu) && !r.isSaid("hardware.host_memory_bytes"))
        r.set(piece, fieldAt("hardware.host_memory_bytes"),
              std::to_string(gigabytes * kGigabyteOfRam));
    else
        Reading::passOver(piece, "is not the memory of the named GPU");
}

void placeKind(Reading &r, const NamedMachine &machine)
{
    AskedPiece &piece = r.asked.pieces[machine.piece];
    if (!machine.isHost)
        r.plan.hardware.gpuList.reset(); // of an open plan
    if (machine.gpu)
        r.set(piece, fieldAt("hardware.gpu"), machine.gpu->name, machine.isInstance);
    else if (machine.isNamed && machine.gigabytes == 0)
        Reading::passOver(piece, "is sold in several sizes; say which");
    else if (machine.isNamed)
        Reading::passOver(piece, machine.remark);
    else if (machine.isHost)
        r.set(piece, fieldAt("hardware.host_memory_bytes"),
              std::to_string(machine.gigabytes * kGigabyteOfRam));
    else if (machine.gigabytes > 0 && r.isSaid("hardware.gpu"))
        placeOtherSize(r, piece, machine.gigabytes);
    else if (machine.gigabytes > 0 && r.isSaid("hardware.capacity_bytes") && !machine.saysDevice)
        Reading::passOver(piece, "is another size than that of the card");
    else if (machine.gigabytes > 0)
        r.set(piece, fieldAt("hardware.capacity_bytes"),
              std::to_string(usualCapacity(machine.gigabytes)));
    if (machine.hostBytes > 0 && !r.isSaid("hardware.host_memory_bytes"))
        r.plan.hardware.hostMemory = machine.hostBytes;
}

void placeCounts(Reading &r, const NamedMachine &machine)
{
    AskedPiece &piece = r.asked.pieces[machine.piece];
    const std::vector<std::int64_t> &counts = machine.counts;
    for (const std::int64_t count : counts) {
        if (count < 1 || count > kMostGpus)
            return Reading::contradict(piece, "counts " + formatCount(count) +
                                                  " GPUs; 1 to 1,000,000 are planned for");
    }
    if (piece.state != AskedState::Understood)
        return;
    const bool isNodesAlone = machine.saysNodes && counts.size() == 1;
    if (isNodesAlone && r.nodes && r.nodes != counts.front())
        return Reading::contradict(piece, "counts nodes that were counted otherwise before");
    // Of an instance somebody may use a part: "half a DGX, 4 GPUs".
    const bool isWeak = machine.isInstance;
    if (counts.size() == 2)
        r.set(piece, fieldAt("hardware.gpus_per_node"), std::to_string(counts.back()), isWeak);
    if (isNodesAlone) {
        r.nodes = counts.front();
        piece.fields.push_back("hardware.gpus");
    } else if (!counts.empty()) {
        const std::int64_t all = counts.front() * (counts.size() == 2 ? counts.back() : 1);
        const bool isBare = !machine.isNamed && machine.gigabytes == 0;
        const auto said = std::ranges::find(r.claims, FieldPath("hardware.gpus"), &Claim::field);
        const bool isFirm = said != r.claims.end() && !said->ofFile && !said->isWeak;
        if (isBare && isFirm && r.plan.hardware.gpus.value_or(all) > all)
            return Reading::passOver(piece, "counts some of the " +
                                                formatCount(*r.plan.hardware.gpus) +
                                                " GPUs; a plan has one number of GPUs");
        // "4 K80, so 8 GPUs": some cards have two.
        if (isBare && isFirm && all == 2 * r.plan.hardware.gpus.value_or(all))
            std::erase_if(r.claims, [](const Claim &claim) {
                return claim.field == FieldPath("hardware.gpus");
            });
        r.set(piece, fieldAt("hardware.gpus"), std::to_string(all), isWeak);
    }
}

/// Whether one of them says no more than the other: "4x L4 (g6.12xlarge)", "a 4090, 24 GB".
bool isSame(const NamedMachine &one, const NamedMachine &other)
{
    const auto sizeOf = [](const NamedMachine &machine) {
        return machine.gpu ? soldGigabytes(*machine.gpu) : machine.gigabytes;
    };
    const bool isOneKind =
        one.gpu && other.gpu ? one.gpu == other.gpu : sizeOf(one) == sizeOf(other);
    const bool isOneCount =
        one.counts.empty() || other.counts.empty() || one.counts == other.counts;
    return isOneKind && isOneCount && sizeOf(one) > 0;
}

/// The kinds of GPUs of one machine, where several are named and joined; else nothing.
std::vector<const NamedMachine *> joinedKinds(const Reading &r)
{
    std::vector<const NamedMachine *> kinds;
    bool differ = false;
    for (const NamedMachine &machine : r.machines) {
        if (machine.isHost)
            continue;
        const bool isKind = machine.gpu || (!machine.isNamed && machine.gigabytes > 0);
        const bool isOneOfThem = isKind && !machine.isInstance && !machine.saysNodes &&
                                 !machine.isAlternative && (kinds.empty() || machine.isJoined);
        if (!isOneOfThem)
            return {};
        differ = differ || (!kinds.empty() && !isSame(*kinds.front(), machine));
        kinds.push_back(&machine);
    }
    return differ ? kinds : std::vector<const NamedMachine *>();
}

/// GPUs of several kinds, in the order in which they are named.
void placeList(Reading &r, const std::vector<const NamedMachine *> &kinds)
{
    constexpr std::int64_t kMostListed = 1024;
    std::string list;
    std::int64_t count = 0;
    for (const NamedMachine *kind : kinds) {
        count += kind->all();
        if (count > kMostListed)
            return Reading::contradict(r.asked.pieces[kind->piece],
                                       "makes more than 1,024 GPUs of several kinds");
        for (std::int64_t i = 0; i < kind->all(); ++i)
            list += (list.empty() ? "" : ",") +
                    (kind->gpu ? kind->gpu->name : std::to_string(kind->gigabytes));
    }
    r.plan.hardware.gpu.reset();
    r.plan.hardware.capacity.reset();
    for (const NamedMachine *kind : kinds) {
        r.set(r.asked.pieces[kind->piece], fieldAt("hardware.gpu_list"), list);
        r.set(r.asked.pieces[kind->piece], fieldAt("hardware.gpus"), std::to_string(count));
    }
}

} // namespace

void placeMachines(Reading &r)
{
    std::vector<const NamedMachine *> kinds = joinedKinds(r);
    if (!kinds.empty())
        placeList(r, kinds);
    else // a size without a name says less than a name that stands behind it
        std::stable_partition(
            r.machines.begin(), r.machines.end(),
            [](const NamedMachine &machine) { return machine.gpu || machine.isHost; });
    if (kinds.empty()) // "9.5G for 200 steps, then OOM on a 12 GB card"
        std::stable_partition(r.machines.begin(), r.machines.end(),
                              [](const NamedMachine &machine) {
                                  return machine.gpu || machine.isHost || machine.saysDevice;
                              });
    for (const NamedMachine &machine : r.machines) {
        if (machine.isAlternative || (!machine.isHost && r.isSaid("hardware.gpu_list")))
            continue;
        const bool isKind = !machine.isHost && (machine.gpu || machine.gigabytes > 0);
        const auto found = std::ranges::find_if(
            kinds, [&](const NamedMachine *kind) { return isSame(*kind, machine); });
        const NamedMachine *same = isKind && found != kinds.end() ? *found : nullptr;
        if (same) {
            r.asked.pieces[machine.piece].fields = {FieldPath("hardware.gpu")};
            if (machine.gpu && !same->gpu) { // a size first, and then its name
                r.plan.hardware.capacity.reset();
                placeKind(r, machine);
            }
        } else {
            placeKind(r, machine);
        }
        if (isKind && !same)
            kinds.push_back(&machine);
        placeCounts(r, machine);
    }
    for (const OthersMemory &others : r.others)
        r.set(r.asked.pieces[others.piece], fieldAt("hardware.system_bytes"),
              std::to_string(others.bytes));
}

} // namespace vramscope
