// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <span>
#include <string_view>

namespace vramscope {

/// An example plan, a table of measured figures, the plan of a measured run, or the config of a
/// published model, of a measured one or of the components of a diffusion pipeline, or a program of
/// a recipe, compiled in as it stands in resources/.
struct ShippedDocument
{
    std::string_view path; ///< from resources/: "examples/gpt2-small-h100.vramplan"
    std::string_view text;
};

[[nodiscard]] std::span<const ShippedDocument> shippedDocuments();

/// The text of that path; empty where there is none.
[[nodiscard]] std::string_view shippedDocument(std::string_view path);

} // namespace vramscope
