// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/catalog/instances.h"

#include "core/base/parts.h"
#include "core/base/text.h"
#include "core/catalog/shipped_table.h"

#include <algorithm>
#include <cassert>
#include <charconv>
#include <unordered_map>

namespace vramscope {

namespace {

constexpr char kAnyNumber = '#';
constexpr std::int64_t kMostChips = 100'000; // of a slice; the largest pods have less than 10,000

std::optional<std::int64_t> countOf(std::string_view text)
{
    std::int64_t count = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), count);
    const bool isCount = error == std::errc() && end == text.data() + text.size();
    return isCount && count > 0 ? std::optional(count) : std::nullopt;
}

/// The key by which names match; "ml." of SageMaker and "Standard_" of Azure may be left out.
std::string keyOf(std::string_view words)
{
    std::string key = lowered(words);
    for (const std::string_view prefix : {"ml.", "standard"})
        if (key.starts_with(prefix))
            key.erase(0, prefix.size());
    std::erase_if(
        key, [](char c) { return std::string_view(" -_./").find(c) != std::string_view::npos; });
    return key;
}

/// A name with a number in it, "v5litepod-#".
struct NumberedName
{
    std::string prefix; ///< the key before the number
    std::size_t row = 0;
    std::int64_t perGpu = 1; ///< number of chips that make a GPU
};

class InstanceTable
{
public:
    InstanceTable()
    {
        readShippedTable("gpus/instances.csv", [&](const auto &cell) { addRow(cell); });
    }

    [[nodiscard]] std::span<const CloudInstance> rows() const { return m_rows; }

    [[nodiscard]] std::optional<CloudInstance> find(std::string_view words) const
    {
        const std::string key = keyOf(words);
        if (const auto found = m_names.find(key); found != m_names.end())
            return m_rows[found->second];
        for (const NumberedName &name : m_numbered) {
            // "deepseek v3 8 GPUs" is no v3-8.
            if (!key.starts_with(name.prefix) || words.find_last_of("-_") == words.npos)
                continue;
            const auto count = countOf(std::string_view(key).substr(name.prefix.size()));
            if (count && *count <= kMostChips && *count % name.perGpu == 0)
                return withCount(m_rows[name.row], *count, *count / name.perGpu);
        }
        return std::nullopt;
    }

private:
    static CloudInstance withCount(CloudInstance instance, std::int64_t count, std::int64_t gpus)
    {
        instance.name.replace(instance.name.find(kAnyNumber), 1, std::to_string(count));
        instance.gpus = instance.gpusPerNode = gpus;
        return instance;
    }

    void addRow(const auto &cell)
    {
        CloudInstance instance{.name = cell("name"),
                               .provider = cell("provider"),
                               .gpu = findGpuPreset(cell("gpu")),
                               .gpus = countOf(cell("gpus")).value_or(0),
                               .source = cell("source")};
        instance.gpusPerNode = instance.gpus;
        instance.hostMemoryBytes = countOf(cell("host_memory_gib")).value_or(0) * kGiB;
        if (instance.gpus > 0)
            instance.networkGigabits = countOf(cell("network_gbps")).value_or(0) / instance.gpus;
        for (const std::string_view other : partsOf(cell("others"), ' '))
            instance.others.push_back(findGpuPreset(other));
        assert(instance.gpu &&
               std::ranges::find(instance.others, nullptr) == instance.others.end());
        addName(instance.name, cell("gpus"));
        for (const std::string_view name : partsOf(cell("other_names"), ';'))
            addName(name, cell("gpus"));
        m_rows.push_back(std::move(instance));
    }

    /// For the row that is added next.
    void addName(std::string_view name, std::string_view gpus)
    {
        std::string key = keyOf(name);
        if (!key.ends_with(kAnyNumber)) {
            [[maybe_unused]] const bool isNew =
                m_names.try_emplace(std::move(key), m_rows.size()).second;
            assert(isNew);
            return;
        }
        key.pop_back();
        const std::size_t divisor = gpus.find('/');
        const auto perGpu = divisor == gpus.npos ? std::nullopt : countOf(gpus.substr(divisor + 1));
        m_numbered.push_back({std::move(key), m_rows.size(), perGpu.value_or(1)});
    }

    std::vector<CloudInstance> m_rows;
    std::unordered_map<std::string, std::size_t> m_names;
    std::vector<NumberedName> m_numbered;
};

const InstanceTable &instanceTable()
{
    static const InstanceTable table;
    return table;
}

} // namespace

std::optional<CloudInstance> findInstance(std::string_view words)
{
    return instanceTable().find(words);
}

std::span<const CloudInstance> cloudInstances()
{
    return instanceTable().rows();
}

} // namespace vramscope
