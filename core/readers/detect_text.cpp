// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/readers/detect_format.h"

#include "core/base/pattern.h"
#include "core/readers/formats.h"
#include "core/readers/smi.h"
#include "core/readers/utf8.h"

#include <algorithm>
#include <array>
#include <optional>
#include <span>
#include <vector>

using namespace std::string_view_literals;

namespace vramscope {

namespace {

/// Kinds of JSON by keys that only they have; the first match wins.
struct JsonKind
{
    std::array<std::string_view, 8> keys;
    std::optional<TraceFormat> format;
    const char *error = "";
};

constexpr JsonKind kObjects[] = {
    {{"segments"sv, "device_traces"sv, "allocator_settings"sv, "external_annotations"sv},
     TraceFormat::SnapshotJson},
    {{"traceEvents"sv, "schemaVersion"sv, "deviceProperties"sv, "baseTimeNanoseconds"sv,
      "distributedInfo"sv},
     TraceFormat::ChromeTrace},
    {{"zero_optimization"sv, "train_micro_batch_size_per_gpu"sv, "train_batch_size"sv,
      "gradient_accumulation_steps"sv},
     {},
     "This is a configuration of DeepSpeed, not a trace; import it as a plan."},
    {{"model_type"sv, "architectures"sv, "hidden_size"sv, "num_hidden_layers"sv, "n_embd"sv,
      "d_model"sv, "text_config"sv},
     {},
     "This is a model's config.json of Hugging Face, not a trace; import it as a plan."},
    {{"allocated_bytes.all.current"sv, "reserved_bytes.all.current"sv,
      "active_bytes.all.current"sv},
     {},
     "This is what torch.cuda.memory_stats() counts, not a recording; open a snapshot that "
     "torch.cuda.memory._dump_snapshot() wrote."},
};

constexpr JsonKind kListedObjects[] = {
    {{"ph"sv}, TraceFormat::ChromeTrace},
    {{"total_size"sv, "blocks"sv, "segment_type"sv, "allocated_size"sv}, TraceFormat::SnapshotJson},
    {{"start_time"sv, "end_time"sv, "callstack"sv, "timesteps"sv, "offsets"sv},
     {},
     "This is what SnapViewer made of a snapshot; open the snapshot itself."},
};

/// Walks over the beginning of a JSON text and tolerates its end.
class JsonStart
{
public:
    explicit JsonStart(std::string_view text)
        : m_text(text)
    {
    }

    [[nodiscard]] char peek()
    {
        m_at = std::min(m_text.find_first_not_of(" \t\r\n", m_at), m_text.size());
        return m_at < m_text.size() ? m_text[m_at] : '\0';
    }
    bool take(char wanted)
    {
        if (peek() != wanted)
            return false;
        ++m_at;
        return true;
    }
    /// The letters of a string, with escapes as written.
    std::string_view string()
    {
        const std::size_t first = ++m_at;
        while (m_at < m_text.size() && m_text[m_at] != '"')
            m_at += m_text[m_at] == '\\' ? 2U : 1U;
        m_at = std::min(m_at, m_text.size());
        const std::string_view letters = m_text.substr(first, m_at - first);
        m_at = std::min(m_at + 1, m_text.size());
        return letters;
    }
    /// Skips a value of any kind. False if it is incomplete.
    bool skip()
    {
        int depth = 0;
        do {
            const char c = peek();
            if (c == '\0')
                return false;
            if (c == '"') {
                string();
                if (m_at == m_text.size())
                    return false;
            } else if (c == '{' || c == '[') {
                ++depth;
                ++m_at;
            } else if (c == '}' || c == ']') {
                --depth;
                ++m_at;
            } else if (c == ',' || c == ':') {
                ++m_at;
            } else {
                m_at = std::min(m_text.find_first_of(",:]} \t\r\n", m_at), m_text.size());
                if (m_at == m_text.size())
                    return false;
            }
        } while (depth > 0);
        return true;
    }
    /// The keys of the object that begins here, up to its end or that of the text.
    std::vector<std::string_view> keys()
    {
        std::vector<std::string_view> keys;
        if (!take('{'))
            return keys;
        while (peek() == '"') {
            keys.push_back(string());
            if (!take(':') || !skip() || !take(','))
                break;
        }
        return keys;
    }

private:
    std::string_view m_text;
    std::size_t m_at = 0;
};

std::optional<Result<TraceFormat>> kindOf(std::span<const JsonKind> kinds,
                                          const std::vector<std::string_view> &keys)
{
    for (const JsonKind &kind : kinds) {
        const bool has = std::ranges::any_of(kind.keys, [&](std::string_view key) {
            return !key.empty() && std::ranges::find(keys, key) != keys.end();
        });
        if (has && kind.format)
            return *kind.format;
        if (has)
            return Error{ErrorCode::OtherContent, kind.error};
    }
    return {};
}

/// [[time, action, bytes, category], …] or [[times], [[nine totals], …]].
TraceFormat timelineFormat(JsonStart json)
{
    constexpr int kRawRow = 4;
    int numbers = 0;
    json.take('[');
    json.take('[');
    while (json.peek() != ']' && json.peek() != '\0') {
        json.skip();
        ++numbers;
        if (!json.take(','))
            break;
    }
    const bool endsAsRow = numbers == kRawRow && json.take(']');
    const bool followedByTotals = json.take(',') && json.take('[') && json.peek() == '[';
    return endsAsRow && !followedByTotals ? TraceFormat::RawMemoryTimeline
                                          : TraceFormat::MemoryTimeline;
}

Result<TraceFormat> detectList(JsonStart json)
{
    JsonStart inside = json;
    inside.take('[');
    if (inside.peek() == '[')
        return timelineFormat(json);
    if (inside.peek() == '{') {
        if (const auto kind = kindOf(kListedObjects, inside.keys()))
            return *kind;
    }
    return Error{ErrorCode::NotRecognized,
                 "This is a JSON list, but none of a snapshot's segments or of a profiler's "
                 "events; open a snapshot that torch.cuda.memory._dump_snapshot() wrote."};
}

bool isLogHeader(std::string_view line)
{
    // Includes columns other than memory: a log without memory is still one of nvidia-smi, and its
    // reader says what is missing.
    constexpr std::array kNames = {
        "memory.used"sv,     "memory.free"sv,       "memory.total"sv,    "used_memory"sv,
        "used_gpu_memory"sv, "memory_used"sv,       "memory_total"sv,    "memory_free"sv,
        "power.draw"sv,      "utilization.gpu"sv,   "temperature.gpu"sv, "utilization.memory"sv,
        "clocks.sm"sv,       "clocks.current.sm"sv, "fan.speed"sv};
    if (line.find(',') == std::string_view::npos)
        return false;
    const auto isMemory = [](const std::string &cell) {
        const auto column = smi::knownColumn(cell);
        return column && (column->kind == smi::Kind::Used || column->kind == smi::Kind::Free ||
                          column->kind == smi::Kind::Total);
    };
    const auto cells = smi::splitCells(line);
    return std::ranges::any_of(
               kNames,
               [&](std::string_view name) { return line.find(name) != std::string_view::npos; }) ||
           (smi::isHeader(cells) && std::ranges::any_of(cells, isMemory));
}

/// The header of nvidia-smi dmon: "# gpu   pwr  gtemp …" or "#Date       Time        gpu …".
bool isMonitorHeader(std::string_view line)
{
    return line.starts_with('#') && line.find("gpu") != std::string_view::npos &&
           (line.find(" fb") != std::string_view::npos ||
            line.find(" mem") != std::string_view::npos ||
            line.find(" pwr") != std::string_view::npos);
}

bool isLogRow(std::string_view line)
{
    // 2023/06/22 18:56:56.252, 2025-09-08T17:26:50+08:00 or seconds since 1970
    static const Pattern kTime = Pattern::of("^([0-9]{4}/[0-9]{2}/..|[0-9]{4}-[0-9]{2}-..|"
                                             "1[0-9]{9,}(\\.[0-9]+)?$)")
                                     .value();
    // "841", "841 MiB", "61.5 W"
    static const Pattern kAmount = Pattern::of("^[0-9]+((\\.[0-9]+)? (MiB|%|W|MHz))?$").value();
    auto cells = smi::splitCells(line);
    if (cells.back().empty()) // a comma ends the line
        cells.pop_back();
    constexpr std::size_t kTimeCells = 2; // an extra first column occurs
    const auto first = std::span(cells).first(std::min(cells.size(), kTimeCells));
    return cells.size() > 1 &&
           std::ranges::any_of(first, [](const auto &cell) { return kTime.isIn(cell); }) &&
           std::ranges::any_of(cells, [](const auto &cell) { return kAmount.isIn(cell); });
}

} // namespace

bool beginsJson(std::string_view start)
{
    const auto skip = [&start](std::string_view letters) {
        const std::size_t count = std::min(start.find_first_not_of(letters), start.size());
        start.remove_prefix(count);
        return count;
    };
    constexpr std::string_view kBlanks = " \t\r\n";
    const bool isObject = start.starts_with('{');
    if (!isObject && !start.starts_with('['))
        return false;
    start.remove_prefix(1);
    skip(kBlanks);
    if (start.empty() || start.starts_with('"') || start.starts_with(isObject ? '}' : ']'))
        return true;
    if (isObject || start.starts_with('{') || start.starts_with('['))
        return !isObject;
    constexpr std::array kWords = {"true"sv, "false"sv, "null"sv, "NaN"sv, "Infinity"sv};
    const auto *const word = std::ranges::find_if(
        kWords, [&](std::string_view known) { return start.starts_with(known); });
    if (word != kWords.end()) {
        start.remove_prefix(word->size());
    } else {
        start.remove_prefix(start.starts_with('-') ? 1 : 0);
        if (skip("0123456789") == 0)
            return false;
        if (start.starts_with('.'))
            start.remove_prefix(1);
        skip("0123456789");
        if (start.starts_with('e') || start.starts_with('E')) {
            start.remove_prefix(1);
            start.remove_prefix(start.starts_with('-') || start.starts_with('+') ? 1 : 0);
            skip("0123456789");
        }
    }
    skip(kBlanks);
    if (!start.starts_with(']'))
        return start.empty() || start.starts_with(',');
    start.remove_prefix(1);
    skip(" \t\r");
    return start.empty() || start.starts_with('\n');
}

Result<TraceFormat> detectJson(std::string_view start, bool isWhole)
{
    JsonStart json(start);
    if (json.peek() == '[')
        return detectList(json);
    JsonStart whole = json;
    const auto keys = json.keys();
    if (const auto kind = kindOf(kObjects, keys))
        return *kind;
    if (isRocmSmi(start))
        return TraceFormat::SmiLog;
    // The distinctive keys of a truncated object may come later: its reader decides.
    if (!isWhole || !whole.skip())
        return TraceFormat::SnapshotJson;
    return Error{ErrorCode::NotRecognized,
                 "This is JSON, but neither a snapshot nor a trace of a profiler; open a snapshot "
                 "that torch.cuda.memory._dump_snapshot() wrote."};
}

bool looksLikeSmiQuery(std::string_view start)
{
    constexpr std::size_t kLookedAt = 1024;
    start = start.substr(0, kLookedAt);
    return start.find("<nvidia_smi_log") != std::string_view::npos ||
           start.find("<!DOCTYPE nvidia_smi_log") != std::string_view::npos ||
           start.find("=NVSMI LOG=") != std::string_view::npos;
}

bool looksLikeSmiScreen(std::string_view start)
{
    if (const auto narrow = textOfUtf16(start))
        return looksLikeSmiScreen(*narrow);
    while (!start.empty()) {
        const std::size_t end = std::min(start.find('\n'), start.size());
        if (smi::isScreenRow(start.substr(0, end)))
            return true;
        start.remove_prefix(std::min(end + 1, start.size()));
    }
    return false;
}

bool looksLikeSmiLog(std::string_view start)
{
    if (looksLikeSmiQuery(start) || looksLikeSmiScreen(start))
        return true;
    constexpr int kLines = 5;
    for (int line = 0; line < kLines && !start.empty(); ++line) {
        const std::size_t end = std::min(start.find('\n'), start.size());
        const std::string_view text = start.substr(0, end);
        if (isLogHeader(text) || isMonitorHeader(text) || isLogRow(text))
            return true;
        start.remove_prefix(std::min(end + 1, start.size()));
    }
    return false;
}

namespace {

/// Whether the first line is an object as loggers write them.
bool beginsJsonLog(std::string_view content)
{
    constexpr std::array kFirstKeys = {"log"sv,    "timestamp"sv, "@timestamp"sv, "time"sv,
                                       "ts"sv,     "level"sv,     "severity"sv,   "message"sv,
                                       "msg"sv,    "fields"sv,    "logger"sv,     "textPayload"sv,
                                       "stream"sv, "name"sv};
    const std::string_view line = content.substr(0, std::min(content.find('\n'), content.size()));
    JsonStart json(line);
    const auto keys = json.keys();
    return !keys.empty() && std::ranges::find(kFirstKeys, keys.front()) != kFirstKeys.end() &&
           std::ranges::any_of(keys, [](std::string_view key) {
               return key == "log" || key == "message" || key == "msg" || key == "fields" ||
                      key == "textPayload";
           });
}

/// Whether a line states its level or a failure as loggers do; LEVEL=INFO is a setting.
bool hasLevel(std::string_view text)
{
    constexpr std::array kLevels = {"INFO"sv,   "WARN"sv,   "ERROR"sv,     "DEBUG"sv,
                                    "Error:"sv, "error:"sv, "Traceback "sv};
    const auto isOfWord = [](char c) {
        return c == '=' || c == '_' || (c >= 'A' && c <= 'Z') || c == '"' || c == '\'';
    };
    return std::ranges::any_of(kLevels, [&](std::string_view level) {
        for (std::size_t at = text.find(level); at != text.npos; at = text.find(level, at + 1))
            if (at == 0 || !isOfWord(text[at - 1]))
                return true;
        return false;
    });
}

} // namespace

bool looksLikeServingLog(std::string_view start)
{
    if (const auto narrow = textOfUtf16(start))
        return looksLikeServingLog(*narrow);
    // Phrases of the lines that core/serving_logs reads, and of those before them.
    constexpr std::array kPhrases = {
        "Model loading took "sv,
        "Loading model weights took "sv,
        "Memory profiling results:"sv,
        "model weights take "sv,
        "Available KV cache memory: "sv,
        "GPU KV cache size: "sv,
        "GPU blocks: "sv,
        "Maximum concurrency for "sv,
        "Graph capturing finished in "sv,
        "CUDA graph memory: "sv,
        "CUDA graph pool memory: "sv,
        "less than desired GPU memory utilization"sv,
        "Desired GPU memory utilization is"sv,
        "KV cache is needed"sv,
        "can be stored in KV cache ("sv,
        "memory for KV Cache as specified"sv,
        "Sleep mode freed "sv,
        "vLLM API server version"sv,
        "Initializing a V1 LLM engine"sv,
        "Initializing an LLM engine"sv,
        "(EngineCore"sv,
        "server_args=ServerArgs("sv,
        "Load weight begin. avail mem="sv,
        "Load weight end. "sv,
        "KV Cache is allocated. "sv,
        "Memory pool end. avail mem="sv,
        "Use sliding window memory pool. "sv,
        "max_total_num_tokens="sv,
        "llama_model_load"sv,
        "llm_load_tensors: "sv,
        "load_tensors: "sv,
        "llama_context: "sv,
        "llama_kv_cache"sv,
        "llama_new_context_with_model: "sv,
        "memory_breakdown_print: "sv,
        "llama_print_memory_breakdown: "sv,
        "params_fit"sv,
        "memory.required.full="sv,
        "msg=\"model weights\""sv,
        "msg=\"offloaded "sv,
        "[TensorRT-LLM]"sv,
        "in paged kv cache"sv,
        "KV-cache blocks: "sv,
        "text_generation_launcher"sv,
        "Unable to warmup model"sv,
        "memory allocated (GB): "sv,
        "'total_GB': "sv,
        "available KV cache memory ("sv,
        "exceeds available Mamba cache blocks"sv,
        "Error in memory profiling. Initial "sv,
        "not enough GPU memory"sv,
        "No available memory for the cache blocks"sv,
        "hbm=[("sv,
        "RuntimeProgramAllocationFailure"sv,
        "avail mem="sv,
        "[TRT-LLM]"sv,
        "text_generation_router"sv,
        "max batch total tokens"sv,
        "[TM]["sv,
        " lmdeploy - "sv,
        "[BlockManager]"sv,
        "Object cache budget: "sv,
        "total single GPU memory usage: "sv,
        "Insufficient GPU memory error"sv,
        "KV cache token capacity"sv,
        "Insufficient VRAM in split"sv,
        "[LM STUDIO"sv,
        "insufficient system resources"sv,
        "[metal::malloc]"sv,
        "non-default args: {"sv,
        "is greater than the derived max_model_len"sv,
        "The memory capacity is unbalanced"sv,
        "Starting to load model "sv,
        "cudaMalloc failed: out of memory"sv,
        "buffer_type_alloc_buffer"sv,
        "ggml_vulkan: "sv,
        "llama_perf_context_print: "sv,
        "srv    load_model: "sv,
        "msg=\"system memory\""sv,
        "requires more system memory"sv,
    };
    // Names of servers and of their options: scripts and settings have them too.
    constexpr std::array kNames = {"--mem-fraction-static"sv, "vllm serve "sv, "exllamav"sv,
                                   "TabbyAPI"sv, "omlx."sv};
    constexpr std::size_t kNoBinary = 512;
    const std::string_view content =
        start.substr(std::min(start.find_first_not_of(" \t\r\n\xEF\xBB\xBF"), start.size()));
    // A container's log has a JSON object per line; lists of JSON begin with neither digit nor
    // letter.
    const bool isJson = content.starts_with('{') && !beginsJsonLog(content);
    const bool isList = content.starts_with('[') && content.size() > 1 &&
                        "[{\" \t\r\n]"sv.find(content[1]) != std::string_view::npos;
    if (isJson || isList || content.starts_with('<') ||
        start.substr(0, kNoBinary).find('\0') != std::string_view::npos)
        return false;
    const auto isThere = [&](std::string_view phrase) {
        return start.find(phrase) != std::string_view::npos;
    };
    return std::ranges::any_of(kPhrases, isThere) ||
           (std::ranges::any_of(kNames, isThere) && hasLevel(start));
}

} // namespace vramscope
