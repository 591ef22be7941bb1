// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/validation/measured.h"
#include "core/validation/throughput.h"

#include <span>
#include <string>
#include <vector>

namespace vramscope {

/// Whether the row of that name is in the third that no width was chosen by: by its hash.
[[nodiscard]] bool isKeptBack(std::string_view id);

/// The table resources/measured/bands/rows.csv that measured rows make. A class consists of the
/// figures of allocated, reserved and device memory whose first sight was recorded, without those
/// kept back; its parents have them too. Its width is the narrowest that contains 95 of 100 further
/// figures of the same kind: ⌈0.95 (n + 1)⌉ of its n (split conformal prediction, Lei et al. 2018).
/// A class so small that this is all of them has the width of its parent, or, if more of
/// its figures are outside of that than chance explains, one widened to contain them all. A class
/// of training speeds consists of the seconds of a step that the catalogue's rates give today.
[[nodiscard]] std::string bandTable(std::span<const ComparedFigure> rows,
                                    std::span<const ComparedSpeed> speeds = {});

/// How many figures of some rows are inside the band that was stated at first sight, inside one of
/// today's width around the first figure, and inside the one stated today.
struct BandCoverage
{
    std::string name;
    BandSummary statedThen;
    BandSummary aroundFirst;
    BandSummary today;
};

/// All rows with a band, the third kept back, those with a first sight, and those kept back.
[[nodiscard]] std::vector<BandCoverage> bandCoverage(std::span<const ComparedFigure> rows);

} // namespace vramscope
