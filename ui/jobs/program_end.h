// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

namespace vramscope {

/// Returns `status` once the workers of all jobs have ended. If some do not within a moment,
/// although their owners are gone and have cancelled them, the program exits immediately with this
/// status: their results are useless by then, and Qt would wait for them.
[[nodiscard]] int endJobs(int status);

} // namespace vramscope
