// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/format.h"
#include "core/print/plan_decision.h"
#include "ui/planner/plan_slides.h"

#include <vector>

namespace vramscope {

// What the slides of plans say of them, and what they decide.

/// "34.1 GiB too much", "17.6 GiB to spare".
[[nodiscard]] QString headroomText(const Estimate &estimate, ByteUnit unit);
/// "fits with 12.3 GiB to spare", "does not fit: 4.10 GiB too much".
[[nodiscard]] QString standingText(const Estimate &estimate, ByteUnit unit);
/// "152 to 204 GiB"
[[nodiscard]] QString rangeText(const Estimate &estimate, ByteUnit unit);
/// For the foot: "estimate, likely range 152 to 204 GiB".
[[nodiscard]] QString estimateFoot(const Estimate &estimate, ByteUnit unit);
[[nodiscard]] QString memoryText(const Estimate &estimate, ByteUnit unit);
[[nodiscard]] QString verdictOrNot(const Estimate &estimate);
/// What the likely range may make of it, in a sentence.
[[nodiscard]] QString riskText(const Estimate &estimate, ByteUnit unit);
/// "8 × H200", without what the foot of the slide says in full.
[[nodiscard]] QString shortGpusText(const Settings &settings);
/// "8 × H200 SXM 141 GB, 140 GiB each"
[[nodiscard]] QString cardsText(const Settings &settings, const Estimate &estimate, ByteUnit unit);
/// "1 billion tokens"
[[nodiscard]] QString tokensText(double tokens);
/// "Three"
[[nodiscard]] QString numberWord(std::size_t count);
/// plan_slides.cpp: each figure of the breakdown with its formula and where that comes from.
[[nodiscard]] QStringList sourcesOf(const Estimate &estimate, ByteUnit unit);
/// The bar of a plan on its GPU: its parts at the peak, the likely range and the capacity.
[[nodiscard]] SlideBar planBar(const Estimate &estimate, ByteUnit unit);

[[nodiscard]] std::vector<PlanToChoose> plansOf(const std::vector<PlanSide> &sides);
/// As they are called within a sentence.
[[nodiscard]] std::vector<std::string> namesOf(const std::vector<PlanSide> &sides);

} // namespace vramscope
