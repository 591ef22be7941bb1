// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/profile/queue_length.h"

#include <algorithm>

namespace vramscope {

namespace {

/// Of one stream: when work was called, and when it started.
struct QueueMoves
{
    std::vector<std::int64_t> in;
    std::vector<std::int64_t> out;
};

QueueLength lengthOf(QueueMoves moves)
{
    std::ranges::sort(moves.in);
    std::ranges::sort(moves.out);
    QueueLength queue;
    std::size_t in = 0;
    std::size_t out = 0;
    while (out < moves.out.size()) {
        const std::int64_t time =
            in < moves.in.size() ? std::min(moves.in[in], moves.out[out]) : moves.out[out];
        while (in < moves.in.size() && moves.in[in] == time)
            ++in;
        queue.most = std::max(queue.most, static_cast<std::int64_t>(in - out));
        while (out < moves.out.size() && moves.out[out] == time)
            ++out;
        queue.time.push_back(time);
        queue.length.push_back(static_cast<std::int64_t>(in - out));
    }
    return queue;
}

} // namespace

std::vector<QueueLength> queueLengths(const Profile &profile)
{
    const WorkColumns &work = profile.work();
    std::vector<QueueMoves> moves(profile.lanes().size());
    for (std::size_t row = 0; row < work.count(); ++row) {
        const std::uint32_t call = work.call[row];
        if (call == kNoRow || profile.calls().start[call] > work.start[row])
            continue;
        moves[work.lane[row]].in.push_back(profile.calls().start[call]);
        moves[work.lane[row]].out.push_back(work.start[row]);
    }
    std::vector<QueueLength> queues;
    for (QueueMoves &lane : moves)
        queues.push_back(lengthOf(std::move(lane)));
    return queues;
}

} // namespace vramscope
