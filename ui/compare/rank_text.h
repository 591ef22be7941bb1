// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/format.h"
#include "core/ranks/rank_folder.h"

#include <QString>

namespace vramscope {

/// The answer in one sentence: who ran out of memory, else who stands out, else that none does.
[[nodiscard]] QString headlineOf(const RankFolder &folder, ByteUnit unit);
/// What is to be said after it: who stands out, if that was not the answer, and how far the peaks
/// lie apart.
[[nodiscard]] QString spreadText(const RankFolder &folder, ByteUnit unit);
/// Both, as one paragraph.
[[nodiscard]] QString headingOf(const RankFolder &folder, ByteUnit unit);
[[nodiscard]] bool hasFailed(const RankFolder &folder);

/// What happened to a rank: the request that failed and in what, or its peaks and how far it lies
/// from the median.
[[nodiscard]] QString rankAnswer(const RankFolder &folder, std::size_t rank, ByteUnit unit);
/// Why a rank is not compared with the typical one: it is that. Else empty.
[[nodiscard]] QString whyNotCompared(const RankFolder &folder, std::size_t rank);
/// What was left out and why; empty where nothing was.
[[nodiscard]] QString leftOutText(const RankFolder &folder);

} // namespace vramscope
