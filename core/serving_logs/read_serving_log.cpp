// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/serving_logs/read_serving_log.h"

#include "core/base/counted.h"
#include "core/base/format.h"
#include "core/base/text.h"
#include "core/readers/byte_source.h"
#include "core/readers/line_reader.h"
#include "core/readers/sources.h"
#include "core/serving_logs/log_budget.h"
#include "core/serving_logs/log_checks.h"
#include "core/serving_logs/log_patterns.h"

#include <algorithm>
#include <array>
#include <map>
#include <optional>
#include <set>
#include <tuple>
#include <vector>

namespace vramscope {

namespace {

constexpr std::size_t kMostSettings = 400;
constexpr std::size_t kMostRefusals = 100;
constexpr std::size_t kLongestSetting = 240;
constexpr std::size_t kLongestSentence = 600;

/// The value behind a name and its "=" or "': " in a list of options; empty where there is none.
std::string_view optionValue(std::string_view options, std::string_view name)
{
    for (std::size_t at = options.find(name); at != options.npos; at = options.find(name, at + 1)) {
        const char before = at > 0 ? options[at - 1] : ' ';
        if (before != ' ' && before != '\'' && before != '"' && before != '(' && before != ',' &&
            before != '{')
            continue;
        std::string_view rest = options.substr(at + name.size());
        if (rest.starts_with('='))
            rest.remove_prefix(1);
        else if (rest.starts_with("': ") || rest.starts_with("\": "))
            rest.remove_prefix(3);
        else
            continue;
        if (rest.starts_with('\'') || rest.starts_with('"'))
            return rest.substr(1, std::min(rest.find(rest.front(), 1), rest.size()) - 1);
        return rest.substr(0, std::min(rest.find_first_of(",)} "), rest.size()));
    }
    return {};
}

/// What is put together while lines go by.
class LogCollector
{
public:
    /// False when there is enough.
    bool take(std::string_view line);
    [[nodiscard]] bool any() const { return !m_log.figures.empty() || !m_log.refusals.empty(); }
    [[nodiscard]] Result<ServingLog> finished(bool lastLineEnded);

private:
    void takeMessage(const LogLine &line);
    void takeMatch(const LogPattern &pattern, const ShapeMatch &match, const LogLine &line);
    void addFigure(const LogPattern &pattern, const ShapeNumber &number, std::string_view device,
                   const LogLine &line);
    void addSetting(std::string_view name, std::string_view value);
    void enterModel(std::string_view file);
    void addRefusal(const LogPattern &pattern, std::string_view message);
    void forgetAttempt();
    void chooseTarget();
    void seen(const LogPattern &pattern);
    void chooseBest();

    ServingLog m_log;
    std::vector<std::uint16_t> m_candidates;
    std::vector<std::uint16_t> m_inMessage;
    std::vector<std::size_t> m_claimed; ///< places of the numbers of this message that are taken
    bool m_knowsEngine = false;
    bool m_lineEndsInNumber = false;
    int m_start = 0;
    int m_load = 0;
    int m_context = 0;
    int m_model = 0;
    std::vector<std::string> m_models;           ///< files, in the order of their first loading
    std::vector<std::string> m_refusedInAttempt; ///< of the allocations of llama.cpp
    std::int64_t m_attempt = 0;                  ///< the line at which it began
    bool m_figuresInStart = false;
    bool m_buffersInLoad = false;
    bool m_buffersInContext = false;
};

bool LogCollector::take(std::string_view line)
{
    ++m_log.lines;
    m_lineEndsInNumber = false;
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
    case LogPatternKind::Start:
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
        addRefusal(pattern, line.message);
        return;
    }
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
    const LogQuantity *quantity = logQuantity(key);
    if (!quantity)
        return;
    figure.unit = quantity->unit;
    if (!number.unit.empty()) {
        constexpr std::array kReadUnits = {LogUnit::Byte, LogUnit::KiB, LogUnit::MiB,
                                           LogUnit::GiB,  LogUnit::TiB, LogUnit::KB,
                                           LogUnit::MB,   LogUnit::GB,  LogUnit::TB};
        const auto *const unit = std::ranges::find(kReadUnits, number.unit, logUnitName);
        if (unit == kReadUnits.end())
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
    m_figuresInStart = true;
    m_buffersInLoad = m_buffersInLoad || quantity->fold == LogFold::SumOfLoad;
    m_buffersInContext = m_buffersInContext || quantity->fold == LogFold::SumOfCache;
    m_lineEndsInNumber =
        number.unit.empty() && number.at + number.text.size() == line.message.size();
    m_log.figures.push_back(std::move(figure));
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

void LogCollector::addRefusal(const LogPattern &pattern, std::string_view message)
{
    std::string sentence = excerpt(message, kLongestSentence);
    if (pattern.engine == LogEngine::LlamaCpp && pattern.refusal == LogRefusalKind::OutOfMemory)
        m_refusedInAttempt.push_back(sentence);
    const auto known = std::ranges::find(m_log.refusals, sentence, &LogRefusal::sentence);
    if (known != m_log.refusals.end())
        ++known->count;
    else if (m_log.refusals.size() < kMostRefusals)
        m_log.refusals.push_back({pattern.refusal, std::move(sentence), m_log.lines, 1});
}

/// Takes back what llama.cpp could not allocate since it began to load a model or to make a
/// context: it goes on in another way.
void LogCollector::forgetAttempt()
{
    for (const std::string &sentence : m_refusedInAttempt) {
        const auto refusal = std::ranges::find(m_log.refusals, sentence, &LogRefusal::sentence);
        if (refusal != m_log.refusals.end() && --refusal->count == 0)
            m_log.refusals.erase(refusal);
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

/// The model whose figures are added to those of others, and the part of the log within which
/// figures of a key add up.
using LogScope = std::tuple<int, std::int64_t, std::string>;
LogScope scopeOf(const LogFigure &figure, LogFold fold)
{
    switch (fold) {
    case LogFold::SumOfLoad:
        return {figure.model, figure.load, {}};
    case LogFold::SumOfCache:
        return {figure.model, figure.context, {}};
    case LogFold::SumOfRank:
        return {0, 0, figure.rank};
    case LogFold::SumOfModels:
        return {figure.model, figure.line, {}};
    default:
        return {};
    }
}

bool isSum(LogFold fold)
{
    return fold == LogFold::SumOfLoad || fold == LogFold::SumOfCache ||
           fold == LogFold::SumOfRank || fold == LogFold::SumOfModels;
}

void LogCollector::chooseBest()
{
    struct Sums
    {
        std::map<LogScope, std::vector<const LogFigure *>> scopes;
    };
    std::map<std::string_view, Sums, std::less<>> sums;
    std::map<std::string_view, std::size_t, std::less<>> places;
    const int start = m_log.figures.empty() ? 0 : m_log.figures.back().start;
    for (const LogFigure &figure : m_log.figures) {
        if (figure.start != start)
            continue;
        const LogQuantity &quantity = *logQuantity(figure.key);
        const LogFold fold = quantity.fold;
        if (quantity.ofModel && figure.model != 0 && figure.model != m_log.target)
            continue;
        const auto [place, isNew] = places.try_emplace(figure.key, m_log.best.size());
        if (isNew)
            m_log.best.push_back({figure.key, figure.value, figure.unit, figure.decimals, 0});
        BestFigure &best = m_log.best[place->second];
        ++best.count;
        const double mine = figure.value * std::max(bytesOfUnit(figure.unit), 1.0);
        const double its = best.value * std::max(bytesOfUnit(best.unit), 1.0);
        const bool counts = fold == LogFold::Last || (fold == LogFold::Largest && mine > its) ||
                            (fold == LogFold::Smallest && mine < its);
        if (counts) {
            best.value = figure.value;
            best.unit = figure.unit;
            best.decimals = figure.decimals;
        }
        if (isSum(fold))
            sums[figure.key].scopes[scopeOf(figure, fold)].push_back(&figure);
    }
    for (const auto &[key, sum] : sums) {
        BestFigure &best = m_log.best[places[key]];
        std::map<int, double> largest; // of each model
        for (const auto &[scope, figures] : sum.scopes) {
            double total = 0;
            std::set<double> values;
            for (const LogFigure *figure : figures) {
                // Where no line names its rank, the same size again is that of another one.
                const bool repeats = logQuantity(key)->fold == LogFold::SumOfRank &&
                                     figure->rank.empty() && !values.insert(figure->value).second;
                total += repeats ? 0 : figure->value * bytesOfUnit(figure->unit);
            }
            double &most = largest.try_emplace(std::get<0>(scope), total).first->second;
            most = std::max(most, total);
        }
        double sumOfModels = 0;
        for (const auto &[model, most] : largest)
            sumOfModels += most;
        best.value = sumOfModels / bytesOfUnit(best.unit);
        if (sum.scopes.size() == 1 && sum.scopes.begin()->second.size() == 1)
            best.value = sum.scopes.begin()->second.front()->value;
    }
}

Result<ServingLog> LogCollector::finished(bool lastLineEnded)
{
    if (!any())
        return Error{ErrorCode::NotRecognized,
                     "No line states the memory of a serving engine; open what vLLM, SGLang, "
                     "llama.cpp, ollama, TensorRT-LLM or text-generation-inference logged while it "
                     "started."};
    if (!m_knowsEngine)
        m_log.engine = LogEngine::Torch;
    chooseTarget();
    chooseBest();
    m_log.starts = m_log.figures.empty() ? 1 : m_log.figures.back().start + 1;
    m_log.checks = checksOf(m_log);
    if (m_log.starts > 1)
        m_log.problems.push_back("The log holds " + counted(m_log.starts, "start") +
                                 " of a server; the figures are those of the last one.");
    std::vector<std::string_view> others;
    for (const LogEngine engine : m_log.engines)
        if (engine != m_log.engine)
            others.push_back(logEngineName(engine));
    const bool isBuiltOnIt = m_log.engine == LogEngine::Ollama || m_log.engine == LogEngine::Verl ||
                             m_log.engine == LogEngine::Slime;
    if (!others.empty() && !isBuiltOnIt) {
        std::string text =
            "There are lines of " + std::string(logEngineName(m_log.engine)) + " and of ";
        for (std::size_t at = 0; at < others.size(); ++at)
            text.append(at > 0 ? ", " : "").append(others[at]);
        m_log.problems.push_back(text + ": figures of one are not those of the other.");
    }
    if (!lastLineEnded && m_lineEndsInNumber)
        m_log.problems.push_back("The last line has no end: its last number, \"" +
                                 formatNumber(m_log.figures.back().value) + "\", may be cut off.");
    return std::move(m_log);
}

Result<ServingLog> readFrom(ByteSource &source, const Progress &progress)
{
    ByteWindow window(source);
    LogCollector collector;
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

} // namespace vramscope
