// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/ranks/record_json.h"

// The records of a profiler trace. Not for headers.

namespace vramscope {

/// What the record "profile" holds beside its head, and what "calls" does.
void addProfile(RecordJson &json, const ProfileSummary &profile);
void addCalls(RecordJson &json, const ProfileSummary &profile);

/// What they hold; `fields` remembers what is wrong.
void readProfile(RecordFields &fields, ProfileSummary &profile);
void readCalls(RecordFields &fields, ProfileSummary &profile);

} // namespace vramscope
