// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/serving_logs/read_serving_log.h"

#include "core/base/counted.h"
#include "core/base/format.h"
#include "core/base/text.h"
#include "core/readers/byte_source.h"
#include "core/readers/line_reader.h"
#include "core/readers/sources.h"
#include "core/serving_logs/best_figures.h"
#include "core/serving_logs/log_budget.h"
#include "core/serving_logs/log_checks.h"
#include "core/serving_logs/log_patterns.h"
#include "core/serving_logs/log_refusals.h"
#include "core/serving_logs/log_stages.h"
#include "core/serving_logs/log_values.h"
#include "core/serving_logs/log_verdict.h"

#include <algorithm>
#include <array>
#include <map>
#include <optional>
#include <span>
#include <tuple>
#include <utility>
#include <vector>

using namespace std::string_view_literals;

namespace vramscope {

namespace {

constexpr std::size_t kMostSettings = 400;
constexpr std::size_t kMostRefusals = 100;
constexpr std::size_t kLongestSetting = 240;
constexpr std::size_t kLongestSentence = 600;

/// Engines whose logs have lines of the engine that they are built on.
constexpr std::array kBuiltOnOthers = {LogEngine::Ollama, LogEngine::LmStudio,
                                       LogEngine::KTransformers, LogEngine::Omlx};

/// "a, b, c".
std::string listed(std::span<const std::string_view> words)
{
    std::string text;
    for (const std::string_view word : words)
        text.append(text.empty() ? "" : ", ").append(word);
    return text;
}

/// What is put together while lines go by.
class LogCollector
{
public:
    /// Takes the line of this number. False when there is enough.
    bool take(std::string_view line, std::int64_t number);
    [[nodiscard]] bool any() const { return !m_log.figures.empty() || !m_log.refusals.empty(); }
    [[nodiscard]] Result<ServingLog> finished(bool lastLineEnded);
    [[nodiscard]] GrowingServingLog::Reached reached() const
    {
        return {m_stages.now(), m_stages.attempt(), m_log.refusals.size()};
    }

private:
    void takeMessage(const LogLine &line);
    void takeMatch(const LogPattern &pattern, const ShapeMatch &match, const LogLine &line);
    void addFigure(const LogPattern &pattern, const ShapeNumber &number, std::string_view device,
                   const LogLine &line);
    void addSetting(std::string_view name, std::string_view value);
    void enterModel(std::string_view file);
    void addRefusal(const LogPattern &pattern, const LogLine &line);
    void takeStage(const LogStageMark &mark, const ShapeMatch &match, const LogLine &line);
    [[nodiscard]] LogStages::Place placeOf(const LogLine &line) const
    {
        return {m_log.lines, m_model, line.rank};
    }
    void forgetAttempt();
    void finishStages();
    void chooseEngine();
    void takeWrapped(std::string_view line);
    void takeCommand(std::string_view line);
    void chooseTarget();
    void seen(const LogPattern &pattern);

    ServingLog m_log;
    std::vector<std::uint16_t> m_candidates;
    std::vector<std::uint16_t> m_inMessage;
    std::string m_lastLine;             ///< where the next one may go on with it
    std::vector<std::size_t> m_claimed; ///< places of the numbers of this message that are taken
    bool m_knowsEngine = false;
    bool m_lineEndsInNumber = false;
    bool m_commandGoesOn = false; ///< on the next line
    LogStages m_stages;
    int m_start = 0;
    int m_load = 0;
    int m_context = 0;
    int m_model = 0;
    std::vector<std::string> m_models;           ///< files, in the order of their first loading
    std::vector<std::string> m_refusedInAttempt; ///< of the allocations of llama.cpp
    std::int64_t m_attempt = 0;                  ///< the line at which it began
    std::int64_t m_refusedLine = 0;              ///< the last line with a refusal
    bool m_figuresInStart = false;
    bool m_buffersInLoad = false;
    bool m_buffersInContext = false;
};

bool LogCollector::take(std::string_view line, std::int64_t number)
{
    m_log.lines = number;
    m_lineEndsInNumber = false;
    takeWrapped(line);
    if (m_commandGoesOn)
        takeCommand(line);
    LogPatterns::all().candidates(line, m_candidates);
    if (m_candidates.empty())
        return true;
    for (const LogLine &one : logLines(line))
        takeMessage(one);
    if (m_log.figures.size() < kMostLogFigures)
        return true;
    m_log.problems.push_back(
        "The log states more than " + formatCount(static_cast<std::int64_t>(kMostLogFigures)) +
        " figures; what follows line " + formatCount(m_log.lines) + " was not read.");
    return false;
}

/// Reads what a wrapped line and the one before it say together: shapes that lie on both.
void LogCollector::takeWrapped(std::string_view line)
{
    constexpr std::size_t kLongest = 240; // a wider line was not wrapped
    const std::string_view text = trimmed(line);
    const bool isShort = text.size() <= kLongest;
    constexpr std::size_t kNarrowest = 20; // a shorter line was not wrapped either
    if (isShort && m_lastLine.size() >= kNarrowest && goesOnWithSentence(text)) {
        const std::size_t boundary = m_lastLine.size();
        LogLine joined{{}, m_lastLine + ' ' + std::string(text), {}};
        LogPatterns::all().candidates(joined.message, m_inMessage);
        m_claimed.clear();
        for (const std::uint16_t index : m_inMessage) {
            const LogPattern &pattern = logPatterns()[index];
            if (pattern.shape.find("<*>") != pattern.shape.npos ||
                pattern.engine == LogEngine::Unknown)
                continue;
            const auto match = LogPatterns::all().shape(index).find(joined.message, 0);
            if (match && match->begin < boundary && match->end > boundary + 1)
                takeMatch(pattern, *match, joined);
        }
    }
    m_lastLine = isShort ? text : std::string_view();
}

void LogCollector::takeMessage(const LogLine &line)
{
    if (!line.date.empty())
        m_log.date = line.date;
    const LogPatterns &patterns = LogPatterns::all();
    patterns.candidates(line.message, m_inMessage);
    m_claimed.clear();
    constexpr int kMostInLine = 256; // glued progress bars
    for (const std::uint16_t index : m_inMessage) {
        const LogPattern &pattern = logPatterns()[index];
        if (pattern.engine == LogEngine::Unknown && m_knowsEngine)
            continue;
        std::size_t from = 0;
        for (int times = 0; times < kMostInLine && m_log.figures.size() < kMostLogFigures;
             ++times) {
            const auto match = patterns.shape(index).find(line.message, from);
            if (!match)
                break;
            takeMatch(pattern, *match, line);
            if (match->end <= from || pattern.kind != LogPatternKind::Figures)
                break;
            from = match->end;
        }
    }
}

void LogCollector::takeMatch(const LogPattern &pattern, const ShapeMatch &match,
                             const LogLine &line)
{
    seen(pattern);
    switch (pattern.kind) {
    case LogPatternKind::Figures:
        for (const ShapeNumber &number : match.numbers)
            if (!number.key.empty())
                addFigure(pattern, number, match.device, line);
        return;
    case LogPatternKind::Setting:
        for (const ShapeWord &word : match.words) {
            if (pattern.engine == LogEngine::LlamaCpp && word.name == "model")
                enterModel(word.text);
            addSetting(word.name, word.text);
        }
        return;
    case LogPatternKind::Options:
        for (const LogOption &option : logOptions())
            addSetting(option.setting,
                       optionValue(
                           std::string_view(line.message).substr(match.end > 0 ? match.end - 1 : 0),
                           option.name));
        return;
    case LogPatternKind::Sign:
        return;
    case LogPatternKind::Stage:
        takeStage(*pattern.mark, match, line);
        return;
    case LogPatternKind::Command:
        takeCommand(line.message);
        return;
    case LogPatternKind::Start:
        if (m_figuresInStart)
            m_stages.startAgain();
        m_start += m_figuresInStart ? 1 : 0;
        m_figuresInStart = false;
        return;
    case LogPatternKind::Load:
        m_load += m_buffersInLoad ? 1 : 0;
        m_buffersInLoad = false;
        m_attempt = m_log.lines;
        m_refusedInAttempt.clear();
        return;
    case LogPatternKind::Context:
        m_context += m_buffersInContext ? 1 : 0;
        m_buffersInContext = false;
        m_attempt = m_log.lines;
        m_refusedInAttempt.clear();
        return;
    case LogPatternKind::Retry:
        forgetAttempt();
        addSetting("pipeline_parallelism", "off: its buffers did not fit");
        return;
    case LogPatternKind::Refusal:
        addRefusal(pattern, line);
        return;
    }
}

void LogCollector::takeCommand(std::string_view line)
{
    constexpr std::size_t kLongest = 8000;
    const std::string_view command = trimmed(line.substr(0, kLongest));
    m_commandGoesOn = command.ends_with('\\');
    for (const LogOption &option : logOptions()) {
        std::string name = "--" + std::string(option.name);
        std::ranges::replace(name, '_', '-');
        addSetting(option.setting, commandValue(command, name));
    }
    constexpr std::array<std::pair<std::string_view, std::string_view>, 6> kShort = {
        {{"-tp", "tensor_parallel_size"},
         {"--tp", "tensor_parallel_size"},
         {"-pp", "pipeline_parallel_size"},
         {"-c", "n_ctx"},
         {"-ub", "n_ubatch"},
         {"--kv_cache_free_gpu_memory_fraction", "cache_fraction"}}};
    for (const auto &[name, setting] : kShort)
        addSetting(setting, commandValue(command, name));
}

void LogCollector::seen(const LogPattern &pattern)
{
    if (pattern.isShared)
        return;
    m_log.engine = m_knowsEngine ? m_log.engine : pattern.engine;
    m_knowsEngine = true;
    if (std::ranges::find(m_log.engines, pattern.engine) == m_log.engines.end())
        m_log.engines.push_back(pattern.engine);
    if (pattern.engine != m_log.engine)
        return;
    const auto from = engineVersion(pattern.from);
    const auto knownFrom = engineVersion(m_log.versionFrom);
    if (from && (!knownFrom || from->isNewerThan(*knownFrom)))
        m_log.versionFrom = pattern.from;
    const auto to = engineVersion(pattern.to);
    const auto knownTo = engineVersion(m_log.versionTo);
    if (to && (!knownTo || knownTo->isNewerThan(*to)))
        m_log.versionTo = pattern.to;
}

void LogCollector::addFigure(const LogPattern &pattern, const ShapeNumber &number,
                             std::string_view device, const LogLine &line)
{
    if (std::ranges::find(m_claimed, number.at) != m_claimed.end())
        return;
    LogFigure figure;
    std::string_view key = number.key;
    const bool ofDevice = key.ends_with('@');
    key.remove_suffix(ofDevice ? 1 : 0);
    std::string_view unitText = number.unit;
    if (const std::size_t at = key.find('='); at != key.npos) {
        unitText = key.substr(at + 1);
        key = key.substr(0, at);
    }
    const LogQuantity *quantity = logQuantity(key);
    if (!quantity)
        return;
    figure.unit = quantity->unit;
    if (!unitText.empty()) {
        const auto unit = unitOfText(unitText);
        if (!unit)
            return;
        figure.unit = *unit;
    }
    // Builds of early 2026 print a negative rest as what is left of it without a sign.
    constexpr double kWrapped = 1.7e13;
    if (key == "breakdown_unaccounted" && number.value > kWrapped)
        return;
    m_claimed.push_back(number.at);
    figure.key = key;
    if (ofDevice)
        figure.key.append(":").append(firstBytes(device, 64));
    figure.value = number.value;
    figure.decimals = number.decimals;
    figure.rank = line.rank;
    figure.line = m_log.lines;
    figure.engine = pattern.engine;
    figure.start = m_start;
    figure.load = m_load;
    figure.context = m_context;
    figure.model = m_model;
    if (pattern.engine != LogEngine::Unknown)
        m_stages.pass(stageOfKey(key), placeOf(line));
    figure.attempt = m_stages.attempt();
    m_figuresInStart = true;
    m_buffersInLoad = m_buffersInLoad || quantity->fold == LogFold::SumOfLoad;
    m_buffersInContext = m_buffersInContext || quantity->fold == LogFold::SumOfCache;
    m_lineEndsInNumber =
        number.unit.empty() && number.at + number.text.size() == line.message.size();
    // Other engines have names of their own for the same; both are kept.
    constexpr std::array<std::pair<std::string_view, std::string_view>, 3> kOtherNames = {
        {{"kv_allocated", "kv_cache_memory"},
         {"kv_paged_tokens", "kv_tokens"},
         {"sequences_wanted", "max_num_seqs"}}};
    const auto *const other =
        std::ranges::find(kOtherNames, key, &std::pair<std::string_view, std::string_view>::first);
    m_log.figures.push_back(figure);
    if (other != kOtherNames.end()) {
        figure.key = other->second;
        m_log.figures.push_back(std::move(figure));
    }
}

void LogCollector::takeStage(const LogStageMark &mark, const ShapeMatch &match, const LogLine &line)
{
    if (mark.isFrame)
        return m_stages.enterFrame(mark.stage);
    std::optional<double> seconds;
    for (const ShapeNumber &number : match.numbers)
        if (number.key == "seconds")
            seconds = number.value;
    m_stages.enter(mark.stage, placeOf(line), seconds);
}

void LogCollector::addSetting(std::string_view name, std::string_view value)
{
    if (value.empty() || value == "None" || m_log.settings.size() >= kMostSettings)
        return;
    std::string text = excerpt(value, kLongestSetting);
    if (name == "version") {
        m_log.version = text;
        return;
    }
    const bool isKnown = std::ranges::any_of(m_log.settings, [&](const LogSetting &one) {
        return one.name == name && one.value == text && one.model == m_model;
    });
    if (!isKnown)
        m_log.settings.push_back({std::string(name), std::move(text), m_log.lines, m_model});
}

/// From here on lines are of the model in a file. Ollama, which writes such lines too, runs each
/// model in a process of its own, of which only one counts.
void LogCollector::enterModel(std::string_view file)
{
    constexpr std::size_t kMostModels = 64;
    if (std::ranges::find(m_log.engines, LogEngine::Ollama) != m_log.engines.end())
        return;
    const auto known = std::ranges::find(m_models, file);
    if (known == m_models.end() && m_models.size() == kMostModels)
        return;
    m_model = static_cast<int>(known - m_models.begin()) + 1;
    if (known == m_models.end())
        m_models.emplace_back(file);
}

void LogCollector::addRefusal(const LogPattern &pattern, const LogLine &line)
{
    const LogRefusalRule &rule = *pattern.rule;
    std::string sentence = excerpt(line.message, kLongestSentence);
    const bool isReason = rule.kind != LogRefusalKind::EngineFailed;
    const LogStage stage = m_stages.refuse(rule.stage, placeOf(line), isReason);
    const bool isSameLine = m_refusedLine == m_log.lines;
    if (!isSameLine && pattern.engine == LogEngine::LlamaCpp &&
        rule.kind == LogRefusalKind::OutOfMemory)
        m_refusedInAttempt.push_back(sentence);
    const auto known = std::ranges::find_if(m_log.refusals, [&](const LogRefusal &one) {
        return one.sentence == sentence && one.attempt == m_stages.attempt();
    });
    if (known != m_log.refusals.end()) {
        // When two rules fit one line, the one that knows the stage counts.
        known->count += isSameLine ? 0 : 1;
        const bool isVague = known->rule->stage == LogStage::Unknown;
        if (isSameLine && isVague && rule.stage != LogStage::Unknown && isReason) {
            known->kind = rule.kind;
            known->stage = stage;
            known->rule = &rule;
        }
    } else if (m_log.refusals.size() < kMostRefusals) {
        m_log.refusals.push_back({.kind = rule.kind,
                                  .sentence = std::move(sentence),
                                  .line = m_log.lines,
                                  .stage = stage,
                                  .attempt = m_stages.attempt(),
                                  .rule = &rule});
    } else {
        return;
    }
    m_refusedLine = m_log.lines;
}

/// Takes back what llama.cpp could not allocate since it began to load a model or to make a
/// context: it goes on in another way.
void LogCollector::forgetAttempt()
{
    for (const std::string &sentence : m_refusedInAttempt) {
        const auto refusal =
            std::find_if(m_log.refusals.rbegin(), m_log.refusals.rend(),
                         [&](const LogRefusal &one) { return one.sentence == sentence; });
        if (refusal != m_log.refusals.rend() && --refusal->count == 0)
            m_log.refusals.erase(std::next(refusal).base());
    }
    m_refusedInAttempt.clear();
    std::erase_if(m_log.figures, [&](const LogFigure &figure) {
        return figure.line >= m_attempt && figure.key == "oom_requested";
    });
    m_attempt = m_log.lines;
}

/// The first model that is not named as a draft.
void LogCollector::chooseTarget()
{
    const auto isDraft = [&](const std::string &file) {
        return std::ranges::any_of(m_log.settings, [&](const LogSetting &setting) {
            return setting.name == "draft_model" && setting.value == excerpt(file, kLongestSetting);
        });
    };
    const auto target = std::ranges::find_if_not(m_models, isDraft);
    m_log.target = target == m_models.end() ? 1 : static_cast<int>(target - m_models.begin()) + 1;
    if (m_models.size() > 1)
        m_log.problems.push_back("llama.cpp loaded " + counted(std::ssize(m_models), "model") +
                                 ": weights, caches and activations are those of all, "
                                 "settings and layers those of the first that is no draft.");
}

/// When there are several, the one that is built on the others counts. What unknown programs say
/// counts only where no line is of a known engine.
void LogCollector::chooseEngine()
{
    for (const LogEngine wrapper : kBuiltOnOthers)
        if (std::ranges::find(m_log.engines, wrapper) != m_log.engines.end())
            m_log.engine = wrapper;
    const auto isOfUnknown = [](const LogRefusal &refusal) {
        return refusal.rule && refusal.rule->engine == LogEngine::Unknown;
    };
    if (m_knowsEngine) {
        std::erase_if(m_log.figures,
                      [](const LogFigure &figure) { return figure.engine == LogEngine::Unknown; });
        std::erase_if(m_log.refusals, isOfUnknown);
        return;
    }
    const bool isTorch = std::ranges::any_of(
        m_log.figures, [](const LogFigure &figure) { return figure.engine == LogEngine::Torch; });
    m_log.engine = isTorch || !std::ranges::all_of(m_log.refusals, isOfUnknown)
                       ? LogEngine::Torch
                       : LogEngine::Unknown;
}

/// Says of each attempt where it ended, and of each stage what it took.
void LogCollector::finishStages()
{
    m_log.attempts = m_stages.attempt();
    m_log.stages = std::move(m_stages).spans();
    const LogBudget budget = budgetOf(m_log);
    for (LogStageSpan &span : m_log.stages) {
        const LogRefusal *decisive = decisiveRefusal(m_log, span.attempt);
        span.failed = decisive && decisive->stage == span.stage;
        if (span.attempt != m_log.attempts)
            continue;
        span.bytes = span.stage == LogStage::LoadWeights ? budget.weights
                     : span.stage == LogStage::Cache     ? budget.cache
                     : span.stage == LogStage::Graphs    ? budget.graphs
                     : span.stage == LogStage::Profile || span.stage == LogStage::ComputeBuffers
                         ? budget.activations
                         : std::nullopt;
    }
}

Result<ServingLog> LogCollector::finished(bool lastLineEnded)
{
    if (!any())
        return Error{ErrorCode::NotRecognized,
                     "No line states the memory of a serving engine; open what vLLM, SGLang, "
                     "llama.cpp, ollama, TensorRT-LLM or text-generation-inference logged while it "
                     "started."};
    chooseEngine();
    chooseTarget();
    m_log.best = bestFigures(m_log);
    finishStages();
    m_log.starts = m_log.figures.empty() ? 1 : m_log.figures.back().start + 1;
    m_log.checks = checksOf(m_log);
    if (m_log.starts > 1)
        m_log.problems.push_back("The log holds " + counted(m_log.starts, "start") +
                                 " of a server; the figures are those of the last one.");
    std::vector<std::string_view> others;
    for (const LogEngine engine : m_log.engines)
        if (engine != m_log.engine)
            others.push_back(logEngineName(engine));
    const bool isBuiltOnIt =
        m_log.engine == LogEngine::Verl || m_log.engine == LogEngine::Slime ||
        std::ranges::find(kBuiltOnOthers, m_log.engine) != kBuiltOnOthers.end();
    if (!others.empty() && !isBuiltOnIt) {
        std::string text =
            "There are lines of " + std::string(logEngineName(m_log.engine)) + " and of ";
        m_log.problems.push_back(text + listed(others) +
                                 ": figures of one are not those of the other.");
    }
    if (!lastLineEnded && m_lineEndsInNumber)
        m_log.problems.push_back("The last line has no end: its last number, \"" +
                                 formatNumber(m_log.figures.back().value) + "\", may be cut off.");
    return std::move(m_log);
}

/// The servers of a file, distinguished by their containers.
class ServerCollector
{
    /// Whether a log is asked about before another one.
    static bool isBefore(const ServingLog &log, const ServingLog &other)
    {
        return std::tuple(startFailed(log), log.figures.size()) >
               std::tuple(startFailed(other), other.figures.size());
    }

public:
    /// False when there is enough.
    bool take(std::string_view line)
    {
        ++m_lines;
        constexpr std::size_t kMostServers = 32;
        std::string name = containerOf(line);
        if (!m_servers.contains(name) && m_servers.size() >= kMostServers)
            name.clear();
        m_last = name;
        return m_servers[name].take(line, m_lines);
    }

    [[nodiscard]] bool any() const
    {
        return std::ranges::any_of(m_servers, [](const auto &one) { return one.second.any(); });
    }
    [[nodiscard]] GrowingServingLog::Reached reached() const
    {
        const auto last = m_servers.find(m_last);
        return last != m_servers.end() ? last->second.reached() : GrowingServingLog::Reached();
    }

    [[nodiscard]] Result<ServingLog> finished(bool lastLineEnded)
    {
        std::vector<std::string_view> names;
        std::optional<ServingLog> chosen;
        std::size_t at = 0; // in names
        for (auto &[name, server] : m_servers) {
            if (!server.any())
                continue;
            Result<ServingLog> log = server.finished(name != m_last || lastLineEnded);
            if (!log.ok())
                continue;
            names.push_back(name.empty() ? "no container"sv : name);
            if (!chosen || isBefore(*log, *chosen)) {
                chosen = std::move(*log);
                at = names.size() - 1;
            }
        }
        if (!chosen)
            return LogCollector().finished(lastLineEnded);
        chosen->lines = m_lines;
        if (names.size() > 1)
            chosen->problems.push_back(
                "The log has lines of " + counted(std::ssize(names), "server") + " (" +
                listed(names) + "); the figures are those of " + std::string(names[at]) + ".");
        return *std::move(chosen);
    }

private:
    std::map<std::string, LogCollector> m_servers;
    std::string m_last; ///< who wrote the last line
    std::int64_t m_lines = 0;
};

Result<ServingLog> readFrom(ByteSource &source, const Progress &progress)
{
    ByteWindow window(source);
    ServerCollector collector;
    bool tooFar = false;
    const auto tick = [&] {
        tooFar = !collector.any() && window.offset() > kUnrecognisedBytes;
        return !tooFar && (!progress || progress(window.fraction()));
    };
    LineReader reader(window, tick);
    std::string line;
    bool ended = true;
    while (reader.next(line)) {
        ended = reader.ended();
        if (!collector.take(line))
            break;
    }
    if (reader.stopped() && !tooFar)
        return Error{ErrorCode::Cancelled, "Reading was stopped."};
    if (!window.status().ok() && !collector.any())
        return window.status().error();
    Result<ServingLog> log = collector.finished(ended);
    if (log.ok() && !window.status().ok())
        log->problems.push_back("Not all of the file was read: " + window.status().error().detail);
    return log;
}

} // namespace

Result<ServingLog> readServingLog(const std::filesystem::path &file, const Progress &progress)
{
    Result<std::unique_ptr<ByteSource>> source = openUnpacked(file);
    if (!source.ok()) {
        if (source.error().code == ErrorCode::Empty)
            return Error{ErrorCode::Empty,
                         "The file is empty: nothing was logged; start the engine again with its "
                         "output written to a file."};
        return source.error();
    }
    return readFrom(**source, progress);
}

Result<ServingLog> readServingLogText(std::string_view text)
{
    const auto source = memorySource(std::as_bytes(std::span(text)));
    return readFrom(*source, {});
}

struct GrowingServingLog::State
{
    ServerCollector collector;
    std::string line; ///< without its end so far
    bool isFull = false;

    void takeLine()
    {
        if (line.ends_with('\r'))
            line.pop_back();
        isFull = isFull || !collector.take(line);
        line.clear();
    }
};

GrowingServingLog::GrowingServingLog()
    : m_state(std::make_unique<State>())
{
}

GrowingServingLog::~GrowingServingLog() = default;

void GrowingServingLog::append(std::string_view bytes)
{
    State &state = *m_state;
    while (!bytes.empty() && !state.isFull) {
        const std::size_t end = bytes.find('\n');
        const std::string_view piece = bytes.substr(0, end);
        state.line += piece.substr(0, LineReader::kLongest - state.line.size());
        if (end == bytes.npos)
            return;
        state.takeLine();
        bytes.remove_prefix(end + 1);
    }
}

GrowingServingLog::Reached GrowingServingLog::reached() const
{
    return m_state->collector.reached();
}

Result<ServingLog> GrowingServingLog::log() const
{
    State copy = *m_state;
    const bool ended = copy.line.empty();
    if (!ended && !copy.isFull)
        copy.takeLine();
    return copy.collector.finished(ended);
}

} // namespace vramscope
