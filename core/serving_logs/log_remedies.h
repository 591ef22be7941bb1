// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/format.h"
#include "core/serving_logs/log_levers.h"
#include "core/serving_logs/serving_log.h"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace vramscope {

/// One thing to change.
struct LogCure
{
    std::string change; ///< "--max-model-len 114432", "lower -c", "end the other processes"
    std::string reason; ///< why, or under which condition; empty where the cause says it
};

/// What a refusal means.
struct LogRemedy
{
    std::string cause;              ///< a clause: "118,000 tokens need 6.30 GiB of cache, …"
    std::optional<Bytes> shortfall; ///< how much is missing, where the log tells
    std::vector<LogCure> cures;     ///< the best one first
};

/// A refusal with the figures of the attempt that it ended.
class LogCase
{
public:
    LogCase(const ServingLog &ofLog, const LogRefusal &ofRefusal, ByteUnit unit)
        : log(ofLog)
        , refusal(ofRefusal)
        , m_unit(unit)
    {
    }

    const ServingLog &log;
    const LogRefusal &refusal;

    /// The figure of this attempt, or else the one that counts in the log.
    [[nodiscard]] std::optional<Bytes> bytes(std::string_view key) const;
    [[nodiscard]] std::optional<double> value(std::string_view key) const;
    /// A setting that is a number.
    [[nodiscard]] std::optional<double> setting(std::string_view name) const;
    [[nodiscard]] std::string text(Bytes bytes) const { return formatBytes(bytes, m_unit); }

    [[nodiscard]] std::optional<Bytes> total() const;  ///< memory of the GPU
    [[nodiscard]] std::optional<double> share() const; ///< that the engine may use
    /// What a request that failed missed.
    [[nodiscard]] std::optional<Bytes> missing() const;
    /// Over which the weights are divided; nothing where the log does not tell.
    [[nodiscard]] std::optional<int> tensorRanks() const;

private:
    [[nodiscard]] const LogFigure *figure(std::string_view key) const;

    ByteUnit m_unit;
};

/// Each for one kind of refusal; log_refusals.cpp says for which.
using LogRemedyMaker = LogRemedy (*)(const LogCase &);
[[nodiscard]] LogRemedy remedyOfAllocation(const LogCase &it); ///< by the stage in which it failed
[[nodiscard]] LogRemedy remedyOfExecutor(const LogCase &it);   ///< TensorRT-LLM
[[nodiscard]] LogRemedy remedyOfFreeMemory(const LogCase &it);
[[nodiscard]] LogRemedy remedyOfUnevenGpus(const LogCase &it);
[[nodiscard]] LogRemedy remedyOfLongSequence(const LogCase &it);
[[nodiscard]] LogRemedy remedyOfModelLength(const LogCase &it);
[[nodiscard]] LogRemedy remedyOfEmptyCache(const LogCase &it);
[[nodiscard]] LogRemedy remedyOfStaticShare(const LogCase &it);
[[nodiscard]] LogRemedy remedyOfSequences(const LogCase &it);
[[nodiscard]] LogRemedy remedyOfProfileRace(const LogCase &it);
[[nodiscard]] LogRemedy remedyOfHostMemory(const LogCase &it);
[[nodiscard]] LogRemedy remedyOfHostCache(const LogCase &it); ///< SGLang
[[nodiscard]] LogRemedy remedyOfPrefill(const LogCase &it);
[[nodiscard]] LogRemedy remedyOfBudget(const LogCase &it);      ///< MLC
[[nodiscard]] LogRemedy remedyOfCeiling(const LogCase &it);     ///< oMLX
[[nodiscard]] LogRemedy remedyOfGuardrail(const LogCase &it);   ///< LM Studio
[[nodiscard]] LogRemedy remedyOfBufferLimit(const LogCase &it); ///< Metal
[[nodiscard]] LogRemedy remedyOfFailure(const LogCase &it);     ///< no reason is in the log

/// Puts a remedy together; a change for which the engine has no option is left out.
class RemedyBuilder
{
public:
    explicit RemedyBuilder(const LogCase &it)
        : m_case(it)
    {
    }

    RemedyBuilder &cause(std::string clause);
    RemedyBuilder &missing(std::optional<Bytes> bytes);
    /// The option with a value.
    RemedyBuilder &set(LogLever lever, std::string_view value, std::string reason = {});
    /// The option alone, after a verb: "lower --max-num-seqs".
    RemedyBuilder &turn(std::string_view verb, LogLever lever, std::string reason = {});
    RemedyBuilder &say(std::string change, std::string reason = {});
    /// Weights divided by more GPUs: twice those that there are.
    RemedyBuilder &moreGpus();
    /// The share less what is missing, or by how much to lower it.
    RemedyBuilder &lowerShare(const std::string &reason);
    [[nodiscard]] LogRemedy remedy() && { return std::move(m_remedy); }

private:
    const LogCase &m_case;
    LogRemedy m_remedy;
};

/// By how much the share has to fall for what is missing and two hundredths more, in hundredths;
/// five of them where the log does not tell.
[[nodiscard]] double shareToDrop(const LogCase &it);
/// The share less that; nothing where the log does not tell the share.
[[nodiscard]] std::optional<double> loweredShare(const LogCase &it);
/// A share that takes `bytes` more, in hundredths; nothing where the GPU has not that much.
[[nodiscard]] std::optional<double> raisedShare(const LogCase &it, Bytes bytes);
/// "0.85"
[[nodiscard]] std::string shareText(double share);

} // namespace vramscope
