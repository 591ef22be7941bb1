// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/ask/asked.h"

#include <string>

namespace vramscope {

/// "Understood: …" and "Assumed: …", each in one line, above the answer.
[[nodiscard]] std::string askedText(const Asked &asked);

/// "Assumed: micro-batch 1, …"; empty where nothing is.
[[nodiscard]] std::string askedAssumptions(const Asked &asked);

/// Why there is no answer: each word that is not understood with what is near, or that several
/// models may be meant.
[[nodiscard]] std::string askedRefusal(const Asked &asked);

/// The JSON object of an answer with a member "asked" behind its others.
[[nodiscard]] std::string withAsked(const std::string &json, const Asked &asked);

} // namespace vramscope
