// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace vramscope {

/// A model that is published in fewer than 16 bits: a row of resources/models/formats.csv.
struct PublishedModel
{
    std::string preset;
    std::string weightFormat; ///< as in formats.h
    /// Modules that stay in 16 bit in these files, in the words of
    /// inference.modules_to_not_convert.
    std::vector<std::string> notConverted;
    std::string source;
};

/// The row of a preset, or nullptr: published in 16 bit.
[[nodiscard]] const PublishedModel *findPublished(std::string_view preset);

} // namespace vramscope
