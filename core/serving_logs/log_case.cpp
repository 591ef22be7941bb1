// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/serving_logs/log_remedies.h"

#include "core/serving_logs/log_budget.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <initializer_list>

namespace vramscope {

const LogFigure *LogCase::figure(std::string_view key) const
{
    const LogQuantity *quantity = logQuantity(key);
    const LogFigure *found = nullptr;
    for (const LogFigure &one : log.figures) {
        if (one.key != key || one.attempt != refusal.attempt)
            continue;
        const double its = found ? found->value * std::max(bytesOfUnit(found->unit), 1.0) : 0;
        const double mine = one.value * std::max(bytesOfUnit(one.unit), 1.0);
        const bool isLarger = quantity->fold == LogFold::Largest;
        const bool isSmaller = quantity->fold == LogFold::Smallest;
        if (!found || (isLarger && mine > its) || (isSmaller && mine < its) ||
            (!isLarger && !isSmaller))
            found = &one;
    }
    return found;
}

std::optional<Bytes> LogCase::bytes(std::string_view key) const
{
    if (const LogFigure *mine = figure(key))
        return mine->bytes();
    const BestFigure *best = log.find(key);
    return best ? std::optional(best->bytes()) : std::nullopt;
}

std::optional<double> LogCase::value(std::string_view key) const
{
    if (const LogFigure *mine = figure(key))
        return mine->value;
    const BestFigure *best = log.find(key);
    return best ? std::optional(best->value) : std::nullopt;
}

std::optional<double> LogCase::setting(std::string_view name) const
{
    const std::string_view text = log.setting(name);
    double number = 0;
    const auto read = std::from_chars(text.data(), text.data() + text.size(), number);
    if (read.ec != std::errc() || number <= 0)
        return {};
    // vLLM reads 32k as 32,000 and 32K as 32,768.
    const char suffix = read.ptr < text.data() + text.size() ? *read.ptr : ' ';
    return number * (suffix == 'k' ? 1000 : suffix == 'K' ? 1024 : 1);
}

std::optional<Bytes> LogCase::total() const
{
    for (const std::string_view key :
         {"total_gpu_memory", "device_limit", "hbm_limit", "kv_total_memory", "avail_before_load"})
        if (const auto found = bytes(key); found && *found > 0)
            return found;
    return {};
}

std::optional<double> LogCase::share() const
{
    const bool isSglang = log.engine == LogEngine::Sglang || log.engine == LogEngine::KTransformers;
    const std::string_view name =
        isSglang ? "mem_fraction_static"
        : log.engine == LogEngine::TensorRtLlm || log.engine == LogEngine::LmDeploy
            ? "cache_fraction"
            : "gpu_memory_utilization";
    if (const auto stated = value(name))
        return stated;
    if (const auto stated = setting(name))
        return stated;
    // vllm/config/cache.py
    if (log.engine == LogEngine::Vllm && !log.version.empty()) {
        const LogAge age = vllmAge(log, {0, 21, 0});
        if (age != LogAge::Unknown)
            return age == LogAge::AtLeast ? 0.92 : 0.9;
    }
    return {};
}

std::optional<Bytes> LogCase::missing() const
{
    const auto wanted = bytes("oom_requested");
    const auto stated = bytes("oom_free");
    const auto free = stated ? stated : bytes("device_free_mib");
    return wanted && free && *wanted > *free ? std::optional(*wanted - *free) : std::nullopt;
}

std::optional<int> LogCase::tensorRanks() const
{
    if (const auto stated = setting("tensor_parallel_size"))
        return static_cast<int>(std::min(*stated, 1024.0));
    int most = 0;
    for (const LogFigure &one : log.figures) {
        const std::size_t at = one.rank.find("TP");
        int rank = 0;
        if (at != std::string::npos &&
            std::from_chars(one.rank.data() + at + 2, one.rank.data() + one.rank.size(), rank).ec ==
                std::errc())
            most = std::clamp(rank, most, 1024);
    }
    return most > 0 ? std::optional(most + 1) : std::nullopt;
}

RemedyBuilder &RemedyBuilder::cause(std::string clause)
{
    m_remedy.cause = std::move(clause);
    return *this;
}

RemedyBuilder &RemedyBuilder::missing(std::optional<Bytes> bytes)
{
    m_remedy.shortfall = bytes;
    return *this;
}

RemedyBuilder &RemedyBuilder::set(LogLever lever, std::string_view value, std::string reason)
{
    return say(leverOption(m_case.log.engine, lever, value), std::move(reason));
}

RemedyBuilder &RemedyBuilder::turn(std::string_view verb, LogLever lever, std::string reason)
{
    const std::string option = leverOption(m_case.log.engine, lever);
    return option.empty() ? *this : say(std::string(verb) + ' ' + option, std::move(reason));
}

RemedyBuilder &RemedyBuilder::say(std::string change, std::string reason)
{
    const bool isKnown = std::ranges::any_of(
        m_remedy.cures, [&](const LogCure &cure) { return cure.change == change; });
    if (!change.empty() && !isKnown)
        m_remedy.cures.push_back({std::move(change), std::move(reason)});
    return *this;
}

RemedyBuilder &RemedyBuilder::moreGpus()
{
    const std::string reason = "weights divided by more GPUs";
    const auto ranks = m_case.tensorRanks();
    return ranks ? set(LogLever::Gpus, std::to_string(2 * *ranks), reason)
                 : turn("raise", LogLever::Gpus, reason);
}

RemedyBuilder &RemedyBuilder::lowerShare(const std::string &reason)
{
    if (const auto share = loweredShare(m_case))
        return set(LogLever::Share, shareText(*share), reason);
    const std::string option = leverOption(m_case.log.engine, LogLever::Share);
    return option.empty()
               ? *this
               : say("lower " + option + " by " + shareText(shareToDrop(m_case)), reason);
}

std::string shareText(double share)
{
    return formatDecimals(share, 2);
}

namespace {

constexpr double kStep = 100;  // shares are given in hundredths
constexpr double kLost = 1e-6; // of a share in binary

} // namespace

double shareToDrop(const LogCase &it)
{
    constexpr double kReserve = 0.02;
    constexpr double kUsual = 0.05;
    const auto total = it.total();
    const auto missing = it.missing();
    if (!total || !missing)
        return kUsual;
    const double part = static_cast<double>(*missing) / static_cast<double>(*total);
    return std::ceil((part + kReserve) * kStep - kLost) / kStep;
}

std::optional<double> loweredShare(const LogCase &it)
{
    const auto share = it.share();
    if (!share)
        return {};
    const double lower = std::floor((*share - shareToDrop(it)) * kStep + kLost) / kStep;
    constexpr double kLeast = 0.1;
    return lower >= kLeast ? std::optional(lower) : std::nullopt;
}

std::optional<double> raisedShare(const LogCase &it, Bytes bytes)
{
    const auto share = it.share();
    const auto total = it.total();
    if (!share || !total)
        return {};
    const auto free = it.bytes("free_memory");
    constexpr double kMost = 0.98;
    const double most =
        free ? std::min(kMost, static_cast<double>(*free) / static_cast<double>(*total)) : kMost;
    const double wanted =
        std::ceil((*share + static_cast<double>(bytes) / static_cast<double>(*total)) * kStep -
                  kLost) /
        kStep;
    return wanted <= most ? std::optional(wanted) : std::nullopt;
}

} // namespace vramscope
