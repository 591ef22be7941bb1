// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/readers/cancel_guard.h"

namespace vramscope {

/// The same bytes, read some chunks ahead on a thread of its own, so that fetching or unfolding
/// them and using them each have a processor, and looked at ahead on several; by the reader, too,
/// while it would wait. At most two megabytes wait: with fewer the threads stop for each other.
/// Destroying the source stops the threads after the chunks at hand and waits for them: none is
/// left behind. What `source` reads
/// from must not be touched while this lives. While nothing comes, the watch is asked ten times a
/// second and more; read() fails with Cancelled once it is given up.
[[nodiscard]] std::unique_ptr<ByteSource> readAhead(std::unique_ptr<ByteSource> source,
                                                    CancelGuard &watch);

} // namespace vramscope
