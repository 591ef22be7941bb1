// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/profile/profile.h"

#include <vector>

namespace vramscope {

/// The nn.Module in which each operator ran: as the file states it of the operator, else the
/// innermost Python function "nn.Module: …" around it, else that of the operator around it, and
/// where `ofForward` says so, of the forward operator that it is the backward of. Empty: not known.
[[nodiscard]] std::vector<StringId> operatorModules(const Profile &profile, bool ofForward);

} // namespace vramscope
