// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace vramscope {

struct Settings;

/// What decides a part of a training step's memory, for comparison with measured runs.
struct VerifiedShape
{
    std::string_view part; ///< a category of the answer: "Activations"
    std::string shape;     ///< "qwen3 eager flash full"
    bool operator==(const VerifiedShape &) const = default;
};

/// The shapes of a training plan's parts; none for other workloads.
[[nodiscard]] std::vector<VerifiedShape> shapesOf(const Settings &settings);

/// Whether a measured run of that shape is met within 3 %: it has a row in
/// resources/models/verified_shapes.csv, which a test derives from the rows of resources/measured.
[[nodiscard]] bool isVerified(const VerifiedShape &shape);

} // namespace vramscope
