// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <span>
#include <string_view>

namespace vramscope {

/// A document compiled in from resources/: an example plan, a table of measured figures, the plan
/// of a measured run, the config of a published or measured model or of the components of a
/// diffusion pipeline, a program of a recipe, or a script of a report's page.
struct ShippedDocument
{
    std::string_view path; ///< from resources/: "examples/gpt2-small-h100.vramplan"
    std::string_view text;
};

[[nodiscard]] std::span<const ShippedDocument> shippedDocuments();

/// The text of that path; empty if it does not exist.
[[nodiscard]] std::string_view shippedDocument(std::string_view path);

} // namespace vramscope
