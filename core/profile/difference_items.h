// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/string_pool.h"
#include "core/profile/pair_ids.h"
#include "core/profile/profile_difference.h"

#include <array>
#include <cstdint>
#include <string>
#include <vector>

namespace vramscope {

/// Something to match: a key for each level, the same number for the same thing on both sides, and
/// figures that add up.
template<std::size_t Levels, std::size_t Width>
struct DifferenceItem
{
    std::array<std::uint32_t, Levels> keys{};
    std::array<std::int64_t, Width> figures{};
};

using OperatorItem = DifferenceItem<4, 3>; ///< host self, device, count
using KernelItem = DifferenceItem<2, 2>;   ///< total, count

/// What one side has of a scope.
struct DifferenceSide
{
    std::vector<std::uint32_t> work; ///< its rows of Profile::work()
    std::vector<OperatorItem> operators;
    std::vector<KernelItem> kernels;
    std::int64_t deviceTime = 0;
};

/// The numbers of names, paths and keys that both sides share.
class DifferenceKeys
{
public:
    /// Operators and work of a step; of everything where there is none.
    [[nodiscard]] DifferenceSide side(const ProfileStudy &study,
                                      const std::optional<std::string> &step);

    /// "outer > inner | [[8, 1024]]": the key of an operator on a level, from 1.
    [[nodiscard]] std::string operatorText(std::uint32_t key, int level) const;
    [[nodiscard]] WorkClass kernelClass(std::uint32_t key, int level) const;
    [[nodiscard]] std::string kernelName(std::uint32_t key, int level) const;

private:
    class Names;
    void addOperators(DifferenceSide &side, const ProfileStudy &study,
                      const std::vector<TimeInterval> *within, Names &names);
    void addKernels(DifferenceSide &side, const ProfileStudy &study, Names &names);
    [[nodiscard]] OperatorItem operatorItem(std::uint32_t path, std::uint32_t name,
                                            std::uint32_t shapes);
    [[nodiscard]] std::string pathText(std::uint32_t path) const;

    StringPool m_texts;
    PairIds m_paths;      ///< (outer path, name)
    PairIds m_pathShapes; ///< (path, shapes)
    PairIds m_nameShapes; ///< (name, shapes)
    PairIds m_kernels;    ///< (class, name)
    PairIds m_plain;      ///< (class, plain name)
};

} // namespace vramscope
