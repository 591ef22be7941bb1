// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/llama_cpp/llama_flags.h"

#include <nlohmann/json_fwd.hpp>

#include <string>

namespace vramscope {

/// {"context","window_cells","flags","devices":[{"name","free","model","cache","compute","output",
/// "projector","draft","total","fits","layers","terms":[{"name","bytes","formula"}]}],"host":
/// {the same},"layer_devices":[…],"notes":[…]}; "layers" are those of a device with the output as
/// one, -1 in layer_devices is the host, and "fits" is null where free memory is not stated.
[[nodiscard]] nlohmann::ordered_json
splitJson(const LlamaSplit &split, const LlamaSettings &settings, const LlamaMachine &machine);

/// A row a device and the host, then how the compute buffers are estimated.
[[nodiscard]] std::string splitText(const LlamaSplit &split, const LlamaSettings &settings,
                                    const LlamaMachine &machine);

/// "fits, 2.10 GiB left" or "does not fit: 1.20 GiB too much".
[[nodiscard]] std::string fitWords(Bytes total, Bytes free);

} // namespace vramscope
