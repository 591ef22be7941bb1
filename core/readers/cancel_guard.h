// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/progress.h"
#include "core/readers/byte_source.h"

#include <atomic>
#include <memory>
#include <thread>

namespace vramscope {

/// Shared by the threads that unfold a file and the one that reads it: the progress in the file,
/// and whether reading was given up. Sources may unfold gigabytes to nothing; the waiting thread
/// still reports progress, and the sources stop at their next look at the file. Belongs to the
/// thread that makes it: `progress` is called only there.
class CancelGuard
{
public:
    explicit CancelGuard(const Progress &progress)
        : m_progress(progress)
    {
    }
    CancelGuard(const CancelGuard &) = delete;
    CancelGuard &operator=(const CancelGuard &) = delete;

    /// Asks whether to go on; on other threads, whether it was given up.
    [[nodiscard]] bool goesOn();
    [[nodiscard]] bool isGivenUp() const { return m_givenUp; }
    void giveUp() { m_givenUp = true; }
    /// How much of the file has been read, from 0 to 1.
    void setFraction(double fraction) { m_fraction = fraction; }

private:
    const Progress m_progress;
    const std::thread::id m_owner = std::this_thread::get_id();
    std::atomic<double> m_fraction = 0;
    std::atomic<bool> m_givenUp = false;
};

/// The error of whatever was given up.
[[nodiscard]] Error readingCancelled();

/// `source`, which reports its progress to the watch and fails with Cancelled once given up.
[[nodiscard]] std::unique_ptr<ByteSource> cancellableSource(std::unique_ptr<ByteSource> source,
                                                            CancelGuard &watch);

} // namespace vramscope
