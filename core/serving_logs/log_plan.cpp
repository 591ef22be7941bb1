// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/serving_logs/log_plan.h"

#include "core/base/format.h"
#include "core/base/text.h"
#include "core/catalog/model_names.h"
#include "core/exchange/import.h"
#include "core/plan/field.h"
#include "core/serving_logs/log_budget.h"
#include "core/settings/engines/engine_version.h"
#include "core/settings/engines/sglang_values.h"
#include "core/settings/settings.h"

#include <algorithm>
#include <array>
#include <bit>
#include <charconv>
#include <cmath>

namespace vramscope {

namespace {

std::int64_t lineOfFigure(const ServingLog &log, std::string_view key)
{
    std::int64_t line = 0;
    for (const LogFigure &figure : log.figures)
        if (figure.key == key)
            line = figure.line;
    return line;
}

std::optional<std::int64_t> countOf(std::string_view text)
{
    std::int64_t count = 0;
    const auto read = std::from_chars(text.data(), text.data() + text.size(), count);
    const bool isWhole = read.ec == std::errc() && read.ptr == text.data() + text.size();
    return isWhole && count > 0 ? std::optional(count) : std::nullopt;
}

/// Whether a value of the log may stand on a command line as it is.
bool isPlainWord(std::string_view text)
{
    return !text.empty() && std::ranges::all_of(text, [](char c) {
        return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || isDigit(c) ||
               std::string_view("_-./:+").find(c) != std::string_view::npos;
    });
}

/// What is known of a setting and by what.
struct Stated
{
    std::string value;
    std::string how;
    bool isLeast = false; ///< it may be more
};

/// "as line 4 states it"
std::string statedIn(std::int64_t line)
{
    return "as line " + formatCount(line) + " states it";
}

std::optional<Stated> statedSetting(const ServingLog &log, std::string_view name)
{
    const std::string_view value = log.setting(name);
    if (value.empty())
        return {};
    std::int64_t line = 0;
    for (const LogSetting &setting : log.settings)
        line = setting.name == name ? setting.line : line;
    return Stated{std::string(value), statedIn(line)};
}

std::optional<Stated> statedFigure(const ServingLog &log, std::string_view key)
{
    const BestFigure *figure = log.find(key);
    if (!figure)
        return {};
    const bool isCount = figure->decimals == 0 && figure->unit != LogUnit::Ratio;
    std::string value =
        isCount ? std::to_string(std::llround(figure->value)) : formatNumber(figure->value, 9);
    return Stated{std::move(value), statedIn(lineOfFigure(log, key))};
}

/// The highest rank of a kind that a line names, from 0: of "TP3" or "Worker_PP1_TP3".
std::optional<std::int64_t> highestRank(const ServingLog &log, std::string_view kind)
{
    std::optional<std::int64_t> highest;
    for (const LogFigure &figure : log.figures) {
        const std::string_view rank = figure.rank;
        for (std::size_t at = rank.find(kind); at != rank.npos; at = rank.find(kind, at + 1)) {
            const bool begins = at == 0 || rank[at - 1] == ' ' || rank[at - 1] == '_';
            std::string_view digits = rank.substr(at + kind.size());
            digits =
                digits.substr(0, std::min(digits.find_first_not_of("0123456789"), digits.size()));
            constexpr std::size_t kMostDigits = 4;
            if (!begins || digits.empty() || digits.size() > kMostDigits)
                continue;
            std::int64_t number = 0;
            std::from_chars(digits.data(), digits.data() + digits.size(), number);
            highest = std::max(highest.value_or(0), number);
        }
    }
    return highest;
}

/// Ranks of a kind: as the log states them, or as many as prefixes name.
std::optional<Stated> statedDegree(const ServingLog &log, std::string_view setting,
                                   std::string_view rank)
{
    if (auto stated = statedSetting(log, setting))
        return stated;
    const auto highest = highestRank(log, rank);
    if (!highest || *highest == 0)
        return {};
    // Lines of the last ranks may be missing; degrees are mostly powers of two.
    const auto ranks = static_cast<std::uint64_t>(*highest + 1);
    return Stated{std::to_string(std::bit_ceil(ranks)),
                  "the highest rank that a line names is " + std::string(rank) +
                      std::to_string(*highest),
                  true};
}

/// A plan being put together.
class PlanFromLog
{
public:
    PlanFromLog(const ServingLog &log, const Plan &given)
        : m_log(log)
    {
        m_result.plan = given;
    }

    LogPlan take()
    {
        set("workload", "inference");
        const Engine engine = engineOfPlan(m_log.engine);
        m_result.plan.inference.engine = engine;
        m_result.settings.push_back(
            {"Engine", std::string(logEngineName(m_log.engine)), "from its lines"});
        takeModel();
        takeHardware();
        const auto ofHardware = std::ssize(m_result.notTold);
        if (engine == Engine::Vllm)
            takeVllm();
        else if (engine == Engine::Sglang)
            takeSglang();
        else if (engine == Engine::TrtLlm)
            takeTrtLlm();
        else if (engine == Engine::LlamaCpp)
            takeLlama();
        if (!m_result.plan.hardware.gpu && !m_result.plan.hardware.capacity)
            m_result.notTold.insert(m_result.notTold.begin() + ofHardware,
                                    "The memory of the GPU: choose it as hardware.gpu.");
        m_result.hasModel = m_result.plan.model.preset || m_result.plan.model.config;
        if (!m_result.hasModel)
            m_result.notTold.insert(m_result.notTold.begin(),
                                    "The log names no model that the catalogue has: choose it in "
                                    "the plan, as model.preset.");
        return std::move(m_result);
    }

private:
    bool set(FieldPath path, const FieldValue &value)
    {
        return setField(m_result.plan, fieldAt(path), value).ok();
    }

    /// A setting that a plan has as a number.
    bool carry(FieldPath path, std::string_view subject, const std::optional<Stated> &stated)
    {
        if (!stated)
            return false;
        const Field &field = fieldAt(path);
        FieldValue value;
        if (field.kind == FieldKind::Number) {
            double number = 0;
            const std::string &text = stated->value;
            const auto read = std::from_chars(text.data(), text.data() + text.size(), number);
            if (read.ec != std::errc())
                return false;
            value = number;
        } else if (const auto count = countOf(stated->value)) {
            value = *count;
        } else {
            return false;
        }
        const std::string before = textOf(field);
        if (!set(path, value))
            return false;
        std::string how = stated->how;
        if (!before.empty() && before != textOf(field))
            how += "; the plan had " + before;
        m_result.settings.push_back({std::string(subject), textOf(field), std::move(how)});
        return true;
    }

    /// A size that the log states as a figure.
    void carryBytes(FieldPath path, std::string subject, std::string_view key)
    {
        const BestFigure *figure = m_log.find(key);
        if (figure && set(path, figure->bytes()))
            m_result.settings.push_back({std::move(subject), formatBytes(figure->bytes()),
                                         statedIn(lineOfFigure(m_log, key))});
    }

    [[nodiscard]] std::string textOf(const Field &field) const
    {
        const FieldValue value = field.get(m_result.plan);
        if (const auto *count = std::get_if<std::int64_t>(&value))
            return formatCount(*count);
        if (const auto *number = std::get_if<double>(&value))
            return formatNumber(*number);
        return {};
    }

    void takeModel()
    {
        const Plan &plan = m_result.plan;
        if (plan.model.preset || plan.model.config) {
            m_result.settings.push_back({"Model",
                                         plan.model.preset.value_or("as the plan describes it"),
                                         "as the plan has it"});
            return;
        }
        const auto stated = statedSetting(m_log, "model");
        if (!stated)
            return;
        const CatalogueModel *model = findModelRepository(stated->value);
        if (!model) {
            m_result.notTold.push_back("The catalogue has no model " + stated->value + " (" +
                                       stated->how + ").");
            return;
        }
        set("model.preset", std::string(model->name));
        m_result.plan.name = std::string(model->title);
        m_result.settings.push_back({"Model", std::string(model->title), stated->how});
    }

    void takeHardware()
    {
        const auto total = budgetOf(m_log).total;
        if (total && set("hardware.capacity_bytes", *total))
            m_result.settings.push_back(
                {"Memory of the GPU", formatBytes(*total), "rounded as the log prints it"});
        const auto tensor = statedDegree(m_log, "tensor_parallel_size", "TP");
        const auto pipeline = statedDegree(m_log, "pipeline_parallel_size", "PP");
        const PlanParallel &parallel = m_result.plan.parallel;
        carryDegree("parallel.tensor", "Tensor parallel", tensor, parallel.tensor);
        carryDegree("parallel.pipeline", "Pipeline parallel", pipeline, parallel.pipeline);
        const std::int64_t gpus =
            parallel.tensor.value_or(1) * parallel.pipeline.value_or(1) * parallel.data.value_or(1);
        if (tensor || pipeline)
            set("hardware.gpus", gpus);
    }

    /// Ranks that lines name are the least there were: a plan that has more is not contradicted.
    void carryDegree(FieldPath path, std::string_view subject, const std::optional<Stated> &stated,
                     std::optional<std::int64_t> given)
    {
        if (stated && stated->isLeast && given && *given >= countOf(stated->value).value_or(1))
            return;
        carry(path, subject, stated);
    }

    void takeFormats()
    {
        // The import of the engine's own command line knows what its words mean.
        std::string line = m_log.engine == LogEngine::Sglang
                               ? "python -m sglang.launch_server --dtype "
                               : "vllm serve --dtype ";
        const auto type = statedSetting(m_log, "dtype");
        std::string word = type ? type->value : "auto";
        if (word.starts_with("torch."))
            word = word.substr(6);
        line += isPlainWord(word) ? word : "auto";
        constexpr std::array<std::pair<std::string_view, std::string_view>, 2> kFormatOptions = {
            {{"quantization", "--quantization"}, {"kv_cache_dtype", "--kv-cache-dtype"}}};
        for (const auto &[name, option] : kFormatOptions)
            if (const auto stated = statedSetting(m_log, name);
                stated && isPlainWord(stated->value))
                line.append(" ").append(option).append(" ").append(stated->value);
        const Result<Imported> imported = importInto(m_result.plan, line);
        if (!imported.ok())
            return;
        const PlanInference &formats = imported->plan.inference;
        if (type && formats.weightFormat)
            m_result.plan.inference.weightFormat = formats.weightFormat;
        if (const auto stated = statedSetting(m_log, "quantization")) {
            m_result.plan.inference.weightFormat = formats.weightFormat;
            m_result.settings.push_back({"Quantisation", stated->value, stated->how});
        }
        if (const auto stated = statedSetting(m_log, "kv_cache_dtype")) {
            m_result.plan.inference.kvBytesPerElement = formats.kvBytesPerElement;
            m_result.settings.push_back({"Type of the cache", stated->value, stated->how});
        }
        for (const ImportNote &note : imported->notes)
            if (note.place.find("--quantization") != note.place.npos ||
                note.place.find("--kv-cache-dtype") != note.place.npos)
                m_result.notTold.push_back(note.place.substr(note.place.find("--")) + " " +
                                           note.text);
    }

    /// What the share covers and where it begins depends on the release.
    void takeVersion()
    {
        const auto take = [this](std::string_view version, std::string_view why) {
            if (!engineVersion(version) || !set("inference.engine_version", std::string(version)))
                return false;
            m_result.settings.push_back({"Release", std::string(version), std::string(why)});
            return true;
        };
        if (!take(m_log.version, "as the log states it") &&
            !take(m_log.versionFrom, "by its words: no older one writes them") &&
            !take(m_log.versionTo, "by its words: no newer one writes them"))
            m_result.notTold.emplace_back(
                "The release of the engine: counted as the newest that is known.");
    }

    void takeVllm()
    {
        takeVersion();
        takeFormats();
        takeExpertKernels();
        if (log("language_model_only") == "True")
            set("model.text_only", true);
        if (!carry("inference.gpu_memory_utilization", "Share of the GPU",
                   figureOr("gpu_memory_utilization", "gpu_memory_utilization")))
            takeUsualShare();
        if (!carry("inference.max_model_len", "Longest sequence",
                   figureOr("max_model_len", "max_model_len")))
            m_result.notTold.emplace_back("The longest sequence, max_model_len.");
        if (!carry("inference.max_num_seqs", "Sequences at once",
                   statedSetting(m_log, "max_num_seqs")))
            m_result.notTold.emplace_back("How many sequences run at once, max_num_seqs.");
        takeBatch();
        carry("inference.block_size", "Tokens of a block", statedSetting(m_log, "block_size"));
        if (log("enforce_eager") == "True")
            set("inference.cuda_graph_bytes", std::int64_t(0));
        takeNonTorch();
        const BestFigure *free = m_log.find("free_memory");
        if (const auto total = budgetOf(m_log).total; total && free)
            takeOtherPrograms(*total, free->bytes());
        carryBytes("inference.kv_cache_memory_bytes", "Cache as stated", "kv_cache_memory_stated");
    }

    /// What was in use when the engine started and is not its own. Returns whether others used
    /// memory.
    bool takeOtherPrograms(Bytes whole, Bytes free)
    {
        const Settings settings = resolve(m_result.plan).settings;
        const Bytes others = whole - free - settings.contextBytes - settings.ncclBytes;
        // A context and communicators may take more than the plan has.
        const bool isSure = unifiedMemory(settings) || others > kGiB + whole / 100;
        if (!isSure || others < 0 || !set("hardware.system_bytes", others))
            return false;
        m_result.settings.push_back(
            {"Other programs", formatBytes(others),
             "what was in use at the start, without the engine's own context and communicators"});
        return true;
    }

    /// They decide how experts in MXFP4 are laid out, and by version only where nothing is stated.
    void takeExpertKernels()
    {
        const auto stated = statedSetting(m_log, "kernels");
        if (!stated || resolve(m_result.plan).settings.weightFormat != WeightFormat::MxFp4)
            return;
        const std::string name = lowered(stated->value);
        for (const std::string_view backend : choiceTexts<MoeBackend>)
            if (name.starts_with(backend) && set("inference.moe_backend", std::string(backend)))
                m_result.settings.push_back({"Expert kernels", stated->value, stated->how});
    }

    /// Communicators, libraries and what else the process holds follow from no setting: where the
    /// log has a figure, all that is planned beside it is held to the log's own.
    void takeNonTorch()
    {
        const auto stated = budgetOf(m_log).nonTorch;
        if (!stated || m_result.plan.inference.nonTorchBytes ||
            !set("inference.non_torch_bytes", *stated))
            return;
        m_result.settings.push_back({"Outside PyTorch", formatBytes(*stated),
                                     "as the log states it, for it follows from no shape"});
    }

    void takeUsualShare()
    {
        if (m_result.plan.inference.gpuMemoryUtilization)
            return;
        if (vllmAge(m_log, {0, 21, 0}) == LogAge::Unknown) { // at which the default changed
            m_result.notTold.emplace_back("The share of the GPU, gpu_memory_utilization.");
            return;
        }
        const double usual = resolve(m_result.plan).settings.gpuMemoryUtilization;
        set("inference.gpu_memory_utilization", usual);
        m_result.settings.push_back(
            {"Share of the GPU", formatNumber(usual), "not stated: the default of this version"});
    }

    /// V0 profiles as many tokens as one sequence may have, unless it cuts prompts into chunks,
    /// which it does by itself above 32,768 tokens.
    void takeBatch()
    {
        if (carry("inference.max_num_batched_tokens", "Tokens of a batch",
                  statedSetting(m_log, "max_num_batched_tokens")))
            return;
        constexpr std::int64_t kChunkedAbove = 32768;
        constexpr std::int64_t kLeast = 2048;
        const std::int64_t length = m_result.plan.inference.maxModelLen.value_or(0);
        const bool isOld = m_log.find("peak_torch_memory") || m_log.find("cpu_blocks");
        if (isOld && length > 0 && length <= kChunkedAbove) {
            const std::int64_t tokens = std::max(length, kLeast);
            set("inference.max_num_batched_tokens", tokens);
            m_result.settings.push_back({"Tokens of a batch", formatCount(tokens),
                                         "not stated: V0 profiles the longest sequence"});
            return;
        }
        if (!m_result.plan.inference.maxNumBatchedTokens)
            m_result.notTold.emplace_back(
                "How many tokens the profile run has, max_num_batched_tokens.");
    }

    void takeLlama()
    {
        carry("inference.max_model_len", "Context", statedFigure(m_log, "n_ctx"));
        carry("inference.max_num_batched_tokens", "Tokens of a batch",
              statedSetting(m_log, "n_ubatch"));
    }

    /// SGLang's static fraction is of what is free before it loads the weights.
    void takeSglang()
    {
        takeSglangVersion();
        takeFormats();
        carry("inference.max_model_len", "Longest sequence",
              figureOr("context_len", "max_model_len"));
        carry("inference.sglang.chunked_prefill_size", "Tokens a prefill",
              figureOr("chunked_prefill_size", "chunked_prefill_size"));
        carry("inference.sglang.max_running_requests", "Most requests",
              figureOr("max_running_requests", "max_num_seqs"));
        carry("inference.sglang.max_total_tokens", "Most tokens in the pool",
              statedSetting(m_log, "max_total_tokens"));
        carry("inference.sglang.page_size", "Page size", statedSetting(m_log, "page_size"));
        carry("inference.sglang.cuda_graph_max_bs", "Largest captured batch",
              statedSetting(m_log, "cuda_graph_max_bs"));
        carry("inference.sglang.mamba_full_memory_ratio", "States to cache",
              statedSetting(m_log, "mamba_full_memory_ratio"));
        carry("inference.sglang.swa_full_tokens_ratio", "Window tokens", windowRatio());
        if (log("enforce_eager") == "True")
            set("inference.cuda_graph_bytes", std::int64_t(0));
        takeFreeAtStart();
        takeStaticFraction();
    }

    /// A figure, or else a setting of the log.
    [[nodiscard]] std::optional<Stated> figureOr(std::string_view key, std::string_view name) const
    {
        auto stated = statedFigure(m_log, key);
        return stated ? stated : statedSetting(m_log, name);
    }

    /// SGLang states no version, but the day, on which no later release was out.
    void takeSglangVersion()
    {
        if (!m_log.version.empty() || m_log.date.empty() || m_result.plan.inference.engineVersion)
            return takeVersion();
        const SglangRelease *newest = nullptr;
        for (const SglangRelease &release : sglangReleases())
            if (release.date <= m_log.date)
                newest = &release;
        if (!newest || !set("inference.engine_version", std::string(newest->name)))
            return;
        m_result.settings.push_back(
            {"Release", std::string(newest->name),
             "not stated: the newest release known on " + m_log.date + ", the day of its lines"});
    }

    [[nodiscard]] std::optional<Stated> windowRatio() const
    {
        if (auto stated = statedSetting(m_log, "swa_full_tokens_ratio"))
            return stated;
        const BestFigure *full = m_log.find("full_layer_tokens");
        const BestFigure *window = m_log.find("swa_layer_tokens");
        if (!full || !window || full->value <= 0)
            return {};
        return Stated{formatNumber(window->value / full->value, 4),
                      "tokens of both pools, as line " +
                          formatCount(lineOfFigure(m_log, "swa_layer_tokens")) + " states them"};
    }

    /// What was in use before the weights came stands in the plan as communicators and context, so
    /// that it has as much free; a GPU that nobody names is as large as both.
    void takeFreeAtStart()
    {
        const LogBudget budget = budgetOf(m_log);
        if (!budget.freeAtStart)
            return;
        carryBytes("overheads.nccl_bytes", "Communicators", "nccl_memory");
        const Settings settings = resolve(m_result.plan).settings;
        if (settings.capacity <= 0) {
            const Bytes whole = *budget.freeAtStart + settings.contextBytes + settings.ncclBytes;
            if (set("hardware.capacity_bytes", whole))
                m_result.settings.push_back(
                    {"Memory of the GPU", formatBytes(whole),
                     "not stated: what was free before loading and what a process takes"});
            return;
        }
        if (takeOtherPrograms(settings.capacity, *budget.freeAtStart))
            return;
        const Bytes context = settings.capacity - *budget.freeAtStart - settings.ncclBytes;
        if (context < 0)
            m_result.notTold.push_back("The GPU: the log has " + formatBytes(*budget.freeAtStart) +
                                       " free before loading, more than the plan's leaves; choose "
                                       "the one that it ran on.");
        else if (set("overheads.context_bytes", context))
            m_result.settings.push_back({"In use before loading", formatBytes(context),
                                         "what the log has free, beside communicators"});
    }

    /// As stated; where it is not, what weights and cache are of what was free.
    void takeStaticFraction()
    {
        constexpr FieldPath kFraction = "inference.sglang.mem_fraction_static";
        if (carry(kFraction, "Static fraction",
                  figureOr("mem_fraction_static", "mem_fraction_static")) ||
            m_result.plan.inference.sglang.memFractionStatic)
            return;
        const LogBudget budget = budgetOf(m_log);
        if (!budget.freeAtStart || !budget.weights || !budget.cache || *budget.freeAtStart <= 0) {
            m_result.notTold.emplace_back(
                "The static fraction, mem_fraction_static: the plan has the release's own.");
            return;
        }
        Bytes pools = *budget.cache;
        for (const std::string_view key : {"mamba_conv_state", "mamba_ssm_state"})
            if (const BestFigure *states = m_log.find(key))
                pools += states->bytes();
        const double fraction =
            static_cast<double>(*budget.weights + pools) / static_cast<double>(*budget.freeAtStart);
        carry(kFraction, "Static fraction",
              Stated{formatNumber(fraction, 4),
                     "not stated: what weights and cache are of what was free before loading"});
    }

    /// TensorRT-LLM fills a share of what is free once the model is loaded.
    void takeTrtLlm()
    {
        carry("inference.block_size", "Tokens of a block", statedFigure(m_log, "kv_block_size"));
        carry("inference.max_num_batched_tokens", "Tokens of a batch",
              statedSetting(m_log, "max_num_batched_tokens"));
        carry("inference.max_num_seqs", "Sequences at once", statedSetting(m_log, "max_num_seqs"));
        const BestFigure *available = m_log.find("kv_available_memory");
        const BestFigure *allocated = m_log.find("kv_allocated");
        if (!available || !allocated || available->bytes() <= 0) {
            if (!m_result.plan.inference.trtLlm.freeGpuMemoryFraction)
                m_result.notTold.emplace_back(
                    "The share of the free memory, free_gpu_memory_fraction: the plan has "
                    "TensorRT-LLM's own.");
            return;
        }
        const double fraction =
            static_cast<double>(allocated->bytes()) / static_cast<double>(available->bytes());
        carry("inference.trtllm.free_gpu_memory_fraction", "Cache fraction",
              Stated{formatNumber(fraction, 4), "what the cache is of what was free"});
    }

    [[nodiscard]] std::string_view log(std::string_view name) const { return m_log.setting(name); }

    const ServingLog &m_log;
    LogPlan m_result;
};

} // namespace

LogPlan planOfServingLog(const ServingLog &log, const Plan &given)
{
    return PlanFromLog(log, given).take();
}

} // namespace vramscope
