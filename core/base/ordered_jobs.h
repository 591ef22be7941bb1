// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/progress.h"

#include <cstddef>
#include <functional>

namespace vramscope {

/// The processors that the process may use, which are fewer than the machine has where it is bound
/// to some of them, as the tasks of a cluster are. At least 1.
[[nodiscard]] std::size_t usableProcessors();

/// The processor that this thread runs on; -1 where the system does not tell.
[[nodiscard]] int currentProcessor();
/// Moves this thread to another processor, if it may use another, and leaves it free to move. A new
/// thread begins where the one that starts it runs, and may stay behind it for milliseconds.
void leaveProcessor(int processor);

/// Calls both and returns when both are through: the second on another thread while the first runs
/// on this one, or after it where there is one processor or no thread to be had. Throws what either
/// throws.
void runBoth(const std::function<void()> &first, const std::function<void()> &second);

/// Calls job(0) … job(count - 1), each once, on as many threads as there are usableProcessors(),
/// and after each finished(index) in order on the calling thread; finished() gives false to stop.
/// Jobs run at most two for each thread ahead of the last finished one, so that what they leave
/// behind stays bounded, and on return none runs any more. Where there is one thread, or none can
/// be started, everything runs on the calling one, with the same outcome. What either function
/// throws, as for want of memory, is thrown here once no job runs any more; a job may write only
/// what belongs to its index.
void runInOrder(std::size_t count, const std::function<void(std::size_t)> &job,
                const std::function<bool(std::size_t)> &finished);

/// Calls job(0, …) … job(count - 1, …), each once, on as many threads as there are
/// usableProcessors(); each tells its own share of work to the Progress that it gets and stops when
/// that says so. `progress` is called on the calling thread alone, some fifty times a second, with
/// the share of all. False when it asked to stop. No job runs any more on return, nor when what one
/// of them threw is thrown here. Jobs write only what belongs to their index.
[[nodiscard]] bool runTogether(std::size_t count,
                               const std::function<void(std::size_t, const Progress &)> &job,
                               const Progress &progress);

} // namespace vramscope
