// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/result.h"
#include "core/profile/profile.h"

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace vramscope {

/// What a piece of device work does. Copies and fills together are "memory".
enum class WorkClass : std::uint8_t { Compute, Communication, Copy, Fill };
inline constexpr std::size_t kWorkClassCount = 4;

/// The kinds of compute, for colours and tables.
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

/// Work that rules cannot tell apart: of one name and kind.
struct WorkGroup
{
    StringId name = StringId::Empty;
    WorkKind kind = WorkKind::Kernel;
    bool namesCollective = false;
    WorkClass workClass = WorkClass::Compute;
    WorkFamily family = WorkFamily::Other;
    std::uint32_t rule = kNoRow; ///< the one that took it; kNoRow: none did, so it is compute
};

/// The class of each piece of work of a profile, and which rule says so.
struct WorkClasses
{
    std::vector<WorkGroup> groups;    ///< in order of their first work
    std::vector<std::uint32_t> group; ///< of each piece of work
    std::vector<WorkClass> workClass; ///< of each piece of work
    std::vector<std::uint32_t>
        collective; ///< its row in Profile::collectives(); empty: none states any

    [[nodiscard]] const WorkGroup &groupOf(std::size_t work) const { return groups[group[work]]; }
    /// The row of Profile::collectives() that speaks of a piece of work; kNoRow.
    [[nodiscard]] std::uint32_t collectiveOf(std::size_t work) const
    {
        return collective.empty() ? kNoRow : collective[work];
    }
};

/// The same groups with the class that `rules` give each. Rules whose pattern is none take nothing.
[[nodiscard]] std::vector<WorkGroup> decided(std::vector<WorkGroup> groups, const Profile &profile,
                                             const std::vector<WorkRule> &rules);

/// Each rule is tried once a group, never once an event.
[[nodiscard]] WorkClasses classify(const Profile &profile,
                                   const std::vector<WorkRule> &rules = defaultWorkRules());

} // namespace vramscope
