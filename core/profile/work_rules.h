// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/result.h"
#include "core/profile/profile.h"

#include <array>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace vramscope {

/// What a piece of device work does. Copies and fills together are "memory".
enum class WorkClass : std::uint8_t { Compute, Communication, Copy, Fill };
inline constexpr std::size_t kWorkClassCount = 4;

/// Compute, told apart for colours and tables.
enum class WorkFamily : std::uint8_t {
    None, ///< no compute
    MatrixProduct,
    Attention,
    Convolution,
    Normalization,
    Elementwise,
    Reduction,
    Softmax,
    Embedding,
    Optimizer,
    Triton,
    Other,
};

/// "compute", "communication", "copy", "fill".
[[nodiscard]] std::string_view textOf(WorkClass workClass);
/// "matrix product", "attention", …; "" for None.
[[nodiscard]] std::string_view textOf(WorkFamily family);
/// "kernel", "copy", "fill": what the file says that it is.
[[nodiscard]] std::string_view textOf(WorkKind kind);

/// One row of the table by which work gets its class: the first that fits decides.
struct WorkRule
{
    std::string pattern;            ///< of the name, see NamePattern
    std::optional<WorkKind> kind{}; ///< only work that the file files under this
    bool namesCollective = false;   ///< only work that names a collective
    WorkClass workClass = WorkClass::Compute;
    WorkFamily family = WorkFamily::None;
    bool operator==(const WorkRule &) const = default;
};

/// The rules that ship. Communication comes first, by the names of its libraries (NCCL, RCCL,
/// MSCCL, HCCL, NVSHMEM, DeepEP, custom all-reduces) or by the arguments of the kernel; then fills
/// and copies, which ROCm runs as kernels; the rest is compute.
[[nodiscard]] const std::vector<WorkRule> &defaultWorkRules();

/// Rules as JSON, one object a rule, to be edited: [{"pattern","kind","collective","class",
/// "family"}], where "kind", "collective" and "family" may be left out.
[[nodiscard]] std::string workRulesJson(const std::vector<WorkRule> &rules);
/// The same read; the error says which rule is wrong, and how.
[[nodiscard]] Result<std::vector<WorkRule>> workRulesFromJson(std::string_view text);

} // namespace vramscope
