// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/progress.h"

#include <cstddef>
#include <functional>

namespace vramscope {

/// The processors that the process may use, which are fewer than the machine's if it is bound to
/// some of them, like the tasks of a cluster. At least 1.
[[nodiscard]] std::size_t usableProcessors();

/// The processor on which this thread runs; -1 if the system does not report it.
[[nodiscard]] int currentProcessor();
/// Moves this thread to another processor, if it may use another, and leaves it free to move. A new
/// thread begins on the processor of its creator, and may wait for it for milliseconds.
void leaveProcessor(int processor);

/// Calls both and returns when both are done: the second on another thread while the first runs on
/// this one, or after it if only one processor or no thread is available. Throws what either
/// throws.
void runBoth(const std::function<void()> &first, const std::function<void()> &second);

/// Calls job(0) … job(count - 1), each once, on as many threads as there are usableProcessors(),
/// and after each finished(index) in order on the calling thread; finished() returns false to stop.
/// Jobs run at most two for each thread ahead of the last finished one, so that their results stay
/// bounded, and all have ended on return. With one thread, or if no other can be started,
/// everything runs on the calling one, with the same outcome. What either function throws, for
/// example for lack of memory, is thrown here once all jobs have ended; a job may write only what
/// belongs to its index.
void runInOrder(std::size_t count, const std::function<void(std::size_t)> &job,
                const std::function<bool(std::size_t)> &finished);

/// Calls job(0, …) … job(count - 1, …), each once, on as many threads as there are
/// usableProcessors(); each reports its own share of work to its Progress and stops when that
/// returns false. `progress` is called only on the calling thread, some fifty times a second, with
/// the share of all. Returns false if it asked to stop. All jobs have ended on return, and when an
/// exception of one of them is thrown here. Jobs write only what belongs to their index.
[[nodiscard]] bool runTogether(std::size_t count,
                               const std::function<void(std::size_t, const Progress &)> &job,
                               const Progress &progress);

} // namespace vramscope
