// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <string_view>

namespace vramscope {

/// What is left of a kernel's name when the ways in which tools write it are taken away.
struct KernelNameKey
{
    /// With namespaces and template arguments, without what it returns and takes: of
    /// "void at::f<(int)4, T<float> >(int)" as of "at::f<4, T<float>>".
    std::string whole;
    /// The function alone: "f".
    std::string base;
    /// Whether the name says no more than that.
    [[nodiscard]] bool isBare() const { return whole == base; }
};

/// Profilers demangle differently: blanks, casts of numbers, "(anonymous namespace)" and
/// "<unnamed>", "true" and "1", "4ul" and "4"; Nsight Compute prints names with arguments, with
/// none, or the function alone (--kernel-name-base, --print-kernel-base).
[[nodiscard]] KernelNameKey kernelNameKey(std::string_view name);

/// The name of a kernel without what changes from build to build: template arguments, parameters,
/// numbers, sizes and hash suffixes. "void at::f<int, 4>(long)" → "at::f",
/// "triton_poi_fused_add_12" → "triton_poi_fused_add". The name itself where nothing would be left.
[[nodiscard]] std::string plainName(std::string_view name);

} // namespace vramscope
