// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/serving_logs/log_verdict.h"

#include "core/serving_logs/log_refusals.h"
#include "core/serving_logs/log_stages.h"

#include <algorithm>

namespace vramscope {

namespace {

/// How much a refusal says: only that it failed, what failed, or also in which stage.
int tellsOf(const LogRefusal &refusal)
{
    if (refusal.kind == LogRefusalKind::EngineFailed)
        return 0;
    return refusal.rule && refusal.rule->stage != LogStage::Unknown ? 2 : 1;
}

std::string cureText(const LogCure &cure)
{
    return cure.change + (cure.reason.empty() ? std::string() : " (" + cure.reason + ")");
}

std::string curesText(const LogRemedy &remedy)
{
    std::string text;
    for (const LogCure &cure : remedy.cures)
        text += (&cure == remedy.cures.data() ? "Change: "
                 : &cure == &remedy.cures[1]  ? " Or: "
                                              : "; ") +
                cureText(cure) + (&cure == remedy.cures.data() ? "." : "");
    return text + (remedy.cures.size() > 1 ? "." : "");
}

} // namespace

const LogRefusal *decisiveRefusal(const ServingLog &log, int attempt)
{
    const LogRefusal *decisive = nullptr;
    for (const LogRefusal &refusal : log.refusals) {
        if (refusal.attempt != attempt)
            continue;
        const int more = decisive ? tellsOf(refusal) - tellsOf(*decisive) : 1;
        // A repetition comes from another rank; another line says more about the first.
        if (more > 0 || (more == 0 && refusal.rule != decisive->rule && tellsOf(refusal) > 0))
            decisive = &refusal;
    }
    return decisive;
}

std::optional<LogVerdict> verdictOf(const ServingLog &log, ByteUnit unit)
{
    if (log.refusals.empty())
        return {};
    int attempt = 0;
    for (const LogRefusal &refusal : log.refusals)
        attempt = std::max(attempt, refusal.attempt);
    const LogRefusal &decisive = *decisiveRefusal(log, attempt);
    const LogCase it(log, decisive, unit);
    LogVerdict verdict{.kind = decisive.kind,
                       .stage = decisive.stage,
                       .attempt = attempt,
                       .line = decisive.line,
                       .remedy = (decisive.rule ? decisive.rule->remedy : remedyOfFailure)(it),
                       .isFinal = attempt == log.attempts};
    // vLLM says only that it failed after it printed that the cache is smaller than nothing.
    const auto cache = it.bytes("kv_cache_memory");
    if (verdict.kind == LogRefusalKind::EngineFailed && cache && *cache <= 0) {
        verdict.kind = LogRefusalKind::NoCacheLeft;
        verdict.stage = LogStage::Cache;
    }
    return verdict;
}

bool startFailed(const ServingLog &log)
{
    const auto verdict = verdictOf(log);
    return verdict && verdict->isFinal;
}

std::string verdictText(const LogVerdict &verdict, ByteUnit unit)
{
    const std::string_view phrase = logStagePhrase(verdict.stage);
    // Some servers go on after it.
    const bool isServing =
        verdict.stage == LogStage::Serving && verdict.kind != LogRefusalKind::EngineFailed;
    std::string text = verdict.isFinal ? "The server stopped" : "An earlier attempt stopped";
    text += phrase.empty() ? "" : " " + std::string(phrase);
    if (isServing)
        text = "Memory ran out while the server served requests";
    text += ": " + verdict.remedy.cause + ".";
    const std::string missing = formatBytes(verdict.remedy.shortfall.value_or(0), unit);
    const bool isInCause = verdict.remedy.cause.find(missing) != std::string::npos;
    if (verdict.remedy.shortfall && *verdict.remedy.shortfall > 0 && !isInCause)
        text += " Missing: " + missing + ".";
    const std::string cures = curesText(verdict.remedy);
    return cures.empty() ? text : text + " " + cures;
}

std::string refusalRemedy(const ServingLog &log, const LogRefusal &refusal, ByteUnit unit)
{
    const LogCase it(log, refusal, unit);
    return curesText((refusal.rule ? refusal.rule->remedy : remedyOfFailure)(it));
}

} // namespace vramscope
