// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/readers/cancel_guard.h"

namespace vramscope {

/// The same bytes, read a few chunks ahead on a thread of its own, so that fetching or unfolding
/// them and using them each have a processor. Several threads look at them ahead; so does the
/// reader while it would wait. At most two megabytes wait: with fewer the threads stop for each
/// other. Destroying the source stops the threads after their current chunks and waits for all of
/// them. What `source` reads from must not be touched while this lives. While no bytes come, the
/// watch is asked at least ten times a second; read() fails with Cancelled once it is given up.
[[nodiscard]] std::unique_ptr<ByteSource> readAhead(std::unique_ptr<ByteSource> source,
                                                    CancelGuard &watch);

} // namespace vramscope
