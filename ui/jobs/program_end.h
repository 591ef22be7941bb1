// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

namespace vramscope {

/// Gives `status` back once the workers of all jobs have ended. Where some do not within a moment,
/// although their owners are gone and have cancelled them, the program ends here and now with this
/// status: nothing of theirs is of use any more, and Qt would wait for them.
[[nodiscard]] int endJobs(int status);

} // namespace vramscope
