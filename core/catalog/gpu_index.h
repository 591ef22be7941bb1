// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/catalog/gpus.h"

#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace vramscope {

using NameWords = std::vector<std::string>;

/// "NVIDIA A100-SXM4-80G": nvidia, a100, sxm, 80gb. Words of a driver's name without further
/// meaning ("Generation", "HBM3") are left out.
[[nodiscard]] NameWords nameWordsOf(std::string_view name);

/// "80gb".
[[nodiscard]] bool isSizeWord(std::string_view word);

/// The meaning of a name's words.
struct NameMeanings
{
    const GpuPreset *stated = nullptr;      ///< by its whole name, or by names.csv
    bool listed = false;                    ///< in names.csv
    std::vector<const GpuPreset *> usual{}; ///< GPUs whose names also have a form or a size
    std::vector<const GpuPreset *> rarer{}; ///< GPUs that are meant only if a size shows it
};

/// The names of all GPUs: those of plans, titles, and resources/gpus/names.csv.
class GpuIndex
{
public:
    GpuIndex();

    /// In any order of the words; nullptr where no GPU has that name.
    [[nodiscard]] const NameMeanings *find(const NameWords &words) const;

    /// Names of machines that are sold with several GPUs: "mac studio".
    [[nodiscard]] std::span<const NameWords> machines() const { return m_machines; }

private:
    enum class Lacks { Nothing, FormOrSize, RarerForm };

    void addName(const GpuPreset &gpu, const NameWords &words);
    void addShorter(const GpuPreset &gpu, const NameWords &words, std::size_t at,
                    const NameWords &kept, Lacks lacks);
    void addKeys(const GpuPreset &gpu, const NameWords &words, Lacks lacks);
    void addListed(std::string_view name, std::string_view gpu, std::string_view others);

    std::unordered_map<std::string, NameMeanings> m_keys;
    std::vector<NameWords> m_machines;
};

} // namespace vramscope
