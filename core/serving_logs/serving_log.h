// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/bytes.h"
#include "core/plan/engines.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace vramscope {

/// The programs whose start-up logs are read.
enum class LogEngine {
    Vllm,
    Sglang,
    LlamaCpp,
    Ollama,
    TensorRtLlm,
    Tgi,
    Verl,
    Slime,
    Torch,
    LmDeploy,
    Mlc,
    ExLlama,
    LmStudio,
    Mlx,
    Omlx,
    KTransformers,
    Unknown ///< a program that no table describes
};

/// "vllm", "sglang", "llama.cpp", "ollama", "tensorrt-llm", "tgi", "lmdeploy", …
[[nodiscard]] std::string_view logEngineId(LogEngine engine);
/// "vLLM", "SGLang", …
[[nodiscard]] std::string_view logEngineName(LogEngine engine);
/// That of a plan of its log; `plain`, with a stated cache, for those that plans do not know.
[[nodiscard]] Engine engineOfPlan(LogEngine engine);

/// What figures of logs are in. Engines say GB for powers of two, all but a few: GiB here is what
/// the value is, whatever the line calls it.
enum class LogUnit {
    Byte,
    KiB,
    MiB,
    GiB,
    TiB,
    KB,
    MB,
    GB,
    TB,
    Tokens,
    Blocks,
    Layers,
    Cells,
    Sequences,
    Requests,
    Items,
    Ratio,
    Percent
};

/// "B", "GiB", "tokens", "ratio", "%", …
[[nodiscard]] std::string_view logUnitName(LogUnit unit);
/// Bytes in one of the unit; 0 where it measures no memory.
[[nodiscard]] double bytesOfUnit(LogUnit unit);

/// Which of several figures of a key counts.
enum class LogFold {
    Largest,    ///< of ranks: what is used
    Smallest,   ///< of ranks: what there is room for
    Last,       ///< measured again and again, or stated
    SumOfLoad,  ///< added up within the loading of a model, the largest of these; of all models
    SumOfCache, ///< added up within a context of llama.cpp, the largest of these; of all models
    SumOfRank,  ///< added up for each rank, the largest of these; the same again counts once
    SumOfModels ///< the largest of each model that llama.cpp keeps, added up
};

/// A key of figures: "model_weights". Those of one device are "KEY:DEVICE".
struct LogQuantity
{
    std::string_view key;
    LogUnit unit = LogUnit::GiB; ///< where the line does not name another one
    LogFold fold = LogFold::Largest;
    std::string_view meaning; ///< "weights of a rank, with LoRA slots and draft"
    bool ofModel = false;     ///< of one model of llama.cpp: what is not added up is the target's
};

/// The quantity of a key, with or without a device behind it; nullptr where there is none.
[[nodiscard]] const LogQuantity *logQuantity(std::string_view key);

/// A number that a line states.
struct LogFigure
{
    std::string key;
    double value = 0;
    LogUnit unit = LogUnit::GiB;
    std::string rank;      ///< who wrote it; empty where the line does not say
    std::int64_t line = 0; ///< from 1
    LogEngine engine = LogEngine::Vllm;
    int decimals = 0; ///< as printed
    int start = 0;    ///< of the server, from 0
    int attempt = 1;  ///< at a start, from 1
    int load = 0;     ///< of a model
    int context = 0;  ///< of llama.cpp
    int model = 0;    ///< of llama.cpp, by its file, from 1; 0 before the first

    /// In bytes; 0 of what is no memory.
    [[nodiscard]] Bytes bytes() const;
    /// Half of the last printed digit: what rounding may have taken.
    [[nodiscard]] double rounding() const;
};

/// The one value of a key that counts.
struct BestFigure
{
    std::string key;
    double value = 0;
    LogUnit unit = LogUnit::GiB;
    int decimals = 0;
    int count = 1; ///< figures that it was chosen from, or that were added up

    [[nodiscard]] Bytes bytes() const;
};

/// An identity among printed figures: both sides, and whether they agree as far as their printed
/// digits allow.
struct LogCheck
{
    std::string text; ///< "total × utilization = requested"
    std::string rank; ///< whose figures; empty where lines name none
    double left = 0;
    double right = 0;
    LogUnit unit = LogUnit::GiB;
    bool holds = false;
};

/// The steps of a start, in the order in which every engine takes those that it has.
enum class LogStage {
    Unknown,
    Fit,            ///< llama.cpp measures what fits before it loads anything
    Begin,          ///< devices and process groups; what is free is measured
    LoadWeights,    ///< of the target, a draft, adapters
    Compile,        ///< XLA: programs are compiled
    Profile,        ///< a run with the largest batch
    Cache,          ///< the key-value cache is sized and allocated; llama.cpp: its context
    ProgramLoad,    ///< XLA: compiled programs are loaded next to the cache
    ComputeBuffers, ///< llama.cpp: activations
    Graphs,         ///< CUDA graphs are captured
    WarmUp,         ///< the first batch, the sampler
    Serving         ///< the server answers
};

/// Why an engine did not start, or stopped.
enum class LogRefusalKind {
    OutOfMemory,            ///< the allocator or the driver refused a request
    HostOutOfMemory,        ///< the host's memory was short, or the kernel ended the process
    FreeBelowDesired,       ///< less is free than the share of the GPU that was asked for
    OneSequenceTooLong,     ///< one sequence of the longest length does not fit the cache
    LengthBeyondModel,      ///< the longest length exceeds what the model was trained for
    NoCacheLeft,            ///< weights and activations leave nothing for the cache
    StaticShareTooSmall,    ///< SGLang: --mem-fraction-static leaves nothing for the cache
    TooManySequences,       ///< vLLM: more sequences at once than the cache holds states for
    FreeGrewWhileProfiling, ///< vLLM: another process gave memory back during the profile run
    EngineFailed            ///< it says only that it failed
};

struct LogRefusalRule; // core/serving_logs/log_refusals.h

struct LogRefusal
{
    LogRefusalKind kind = LogRefusalKind::EngineFailed;
    std::string sentence{}; ///< as the log has it, cut and printable
    std::int64_t line = 0;
    int count = 1;                        ///< lines that say the same
    LogStage stage = LogStage::Unknown;   ///< in which it happened
    int attempt = 1;                      ///< that it ended
    const LogRefusalRule *rule = nullptr; ///< by which it was read
};

/// A stage of a start, over all ranks.
struct LogStageSpan
{
    LogStage stage = LogStage::Unknown;
    int attempt = 1;       ///< from 1: a start that is tried again goes through its stages again
    int model = 0;         ///< of llama.cpp, as of figures
    std::int64_t line = 0; ///< the first that belongs to it
    std::int64_t last = 0;
    std::optional<double> seconds{}; ///< of the slowest rank, where a line states it
    std::optional<Bytes> bytes{};    ///< that it took on one rank, or on all devices of llama.cpp
    bool failed = false;             ///< the attempt ended here
};

/// What a log states of how the engine was set up: "model", "dtype", "tensor_parallel_size".
struct LogSetting
{
    std::string name;
    std::string value; ///< printable
    std::int64_t line = 0;
    int model = 0; ///< of llama.cpp, as of figures
};

/// A start-up log read back. Figures stand as printed; `best` is of the last start in the file.
struct ServingLog
{
    LogEngine engine = LogEngine::Vllm; ///< of the first line that one is known by
    std::vector<LogEngine> engines;     ///< all of whose lines there are, in order
    std::string version;                ///< as the log states it; empty where it does not
    std::string versionFrom;            ///< no older one writes such lines; empty: not known
    std::string versionTo;              ///< no newer one does; empty: not known
    std::string date;                   ///< of the last line that states one: "2025-10-16"
    std::vector<LogFigure> figures;
    std::vector<BestFigure> best;
    std::vector<LogCheck> checks;
    std::vector<LogRefusal> refusals;
    std::vector<LogStageSpan> stages; ///< in order
    int attempts = 1;                 ///< starts, those that lines do not announce included
    std::vector<LogSetting> settings;
    std::vector<std::string> problems; ///< sentences: what is doubtful about the reading
    std::int64_t lines = 0;
    int starts = 1; ///< of a server, as far as lines tell them apart
    int target = 1; ///< of the models of llama.cpp the one that is no draft

    [[nodiscard]] const BestFigure *find(std::string_view key) const;
    /// The value of a setting, the last one stated, not of a draft; empty where the log does not
    /// state it.
    [[nodiscard]] std::string_view setting(std::string_view name) const;
};

} // namespace vramscope
