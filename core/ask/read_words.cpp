// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/ask/lengths.h"
#include "core/ask/name_parts.h"
#include "core/ask/named_models.h"
#include "core/ask/reading.h"
#include "core/base/format.h"
#include "core/base/text.h"
#include "core/base/written_size.h"
#include "core/catalog/formats.h"
#include "core/settings/field_text.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>

namespace vramscope {

namespace {

constexpr std::string_view kGlobalBatch = "batch.global"; // no field, but accumulation follows
constexpr std::string_view kAnswer = "answer.tokens";     // no field, but lengthens the sequence
constexpr std::string_view kNodes = "hardware.nodes";     // no field, but multiplies the GPUs

/// Trainer and engine: words of both mean something.
bool learns(const Reading &r)
{
    return r.plan.workload == Workload::Rl || r.stated.workload == Workload::Rl ||
           saidTask(r, "workload=rl");
}

/// Passes over words that mean something in plans of the other kind alone.
bool meansSomething(const Reading &r, AskedPiece &piece, AskedWhen when)
{
    const bool means = when == AskedWhen::Always || when == r.when || r.ofPipeline() || learns(r);
    if (!means)
        Reading::passOver(piece, when == AskedWhen::Diffusion ? "is of diffusion pipelines"
                                 : when == AskedWhen::Training
                                     ? "is of training, and this plan serves"
                                     : "is of serving, and this plan trains");
    return means;
}

/// Whether a path begins as fields do: then a letter of it is wrong.
bool isOfAnyGroup(std::string_view path)
{
    const std::string_view group = path.substr(0, path.find('.'));
    return std::ranges::any_of(planFields(),
                               [&](const Field &field) { return isOfGroup(field.path, group); });
}

bool takeAssignment(Reading &r, std::size_t at)
{
    const std::string_view word = r.words[at].text;
    const std::size_t equals = word.find_first_of("=:");
    if (equals == word.npos)
        return false;
    AskedPiece &piece = r.take(at, 1);
    const Field *field = findField(word.substr(0, equals));
    if (!field) {
        Plan unused;
        const std::string why = setWritten(unused, word).error().detail;
        if (isOfAnyGroup(word))
            Reading::contradict(piece, why);
        else
            Reading::passOver(piece, "is no field of a plan"); // "rollout.n=5" of a tool
        return true;
    }
    r.set(piece, *field, word.substr(equals + 1));
    return true;
}

constexpr auto kPictureSides =
    std::to_array<std::string_view>({"batch.image_width", "batch.image_height"});

/// "1280x28x28" or "1280 * 28 * 28", a number of square patches: how Qwen's processors bound an
/// image. As a picture of so many patches, as square as their number allows; of a least and a most
/// size the most.
bool takePatches(Reading &r, std::size_t at)
{
    constexpr std::int64_t kMostPatches = 1 << 20;
    std::string written;
    std::size_t count = 0;
    std::vector<std::int64_t> factors;
    while (factors.size() < 3 && r.freeFrom(at, count + 1) > count) {
        written += r.words[at + count].text;
        ++count;
        factors.clear();
        for (std::size_t from = 0; from < written.size();) {
            const std::size_t times = std::min(written.find('x', from), written.size());
            factors.push_back(
                writtenCount(std::string_view(written).substr(from, times - from)).value_or(0));
            from = times + 1;
        }
        if (!isDigit(written.front()) || count > 5)
            return false;
    }
    if (factors.size() != 3 || factors[1] != factors[2] || factors[1] < 8 || factors[1] > 64 ||
        factors[0] < 1 || factors[0] > kMostPatches || r.ofPipeline())
        return false;
    const PlanBatch &batch = r.plan.batch;
    if (r.isSaid("batch.image_width") && r.isSaid("batch.image_height")) { // a least and a most
        const std::int64_t area = batch.imageWidth.value_or(0) * batch.imageHeight.value_or(0);
        if (area >= factors[0] * factors[1] * factors[2]) {
            r.take(at, count).meaning = "the smallest picture";
            return true;
        }
        std::erase_if(r.claims,
                      [](const Claim &claim) { return isOneOf(claim.field, kPictureSides); });
        for (AskedPiece &other : r.asked.pieces)
            if (std::erase_if(other.fields,
                              [](FieldPath path) { return isOneOf(path, kPictureSides); }) > 0)
                other.meaning = "the smallest picture";
    }
    std::int64_t rows = 1;
    for (std::int64_t each = 2; each * each <= factors[0]; ++each)
        rows = factors[0] % each == 0 ? each : rows;
    AskedPiece &piece = r.take(at, count);
    r.set(piece, fieldAt("batch.image_width"), std::to_string(factors[0] / rows * factors[1]));
    r.set(piece, fieldAt("batch.image_height"), std::to_string(rows * factors[1]));
    if (!r.isSaid("batch.images"))
        r.set(piece, fieldAt("batch.images"), "1", true);
    return true;
}

bool isPicture(std::string_view word)
{
    constexpr auto kPictures = std::to_array<std::string_view>(
        {"image", "picture", "photo", "screenshot", "scan", "bild", "foto"});
    return std::ranges::any_of(kPictures,
                               [&](std::string_view one) { return word.starts_with(one); });
}

/// "512px", "1024 res", "resolution 768": a square picture that a pipeline makes or a batch has.
bool takeSide(Reading &r, std::size_t at)
{
    constexpr auto kUnits =
        std::to_array<std::string_view>({"px", "pixel", "pixels", "res", "resolution"});
    const std::string_view word = r.words[at].text;
    const bool isWhole = word.ends_with("px");
    const bool isBefore = isOneOf(word, kUnits) && r.number(at + 1);
    const auto side = isWhole    ? writtenCount(word.substr(0, word.size() - 2))
                      : isBefore ? r.number(at + 1)
                                 : r.number(at);
    const bool isBehind = !isWhole && !isBefore && at + 1 < r.words.size() && r.isFree(at + 1) &&
                          isOneOf(r.words[at + 1].text, kUnits);
    const bool ofPictures =
        r.ofPipeline() || std::ranges::any_of(r.words, isPicture, &SentenceWord::text);
    if (!ofPictures || !(isWhole || isBefore || isBehind) || !side || *side < 64)
        return false;
    AskedPiece &piece = r.take(at, isWhole ? 1 : 2);
    constexpr auto kMade = std::to_array<std::string_view>({"diffusion.width", "diffusion.height"});
    for (const std::string_view path : r.ofPipeline() ? kMade : kPictureSides)
        r.set(piece, *findField(path), std::to_string(*side));
    return true;
}

/// "1024x768", of what a pipeline makes or of the images in a batch.
bool takePictureSize(Reading &r, std::size_t at)
{
    if (takePatches(r, at))
        return true;
    if (takeSide(r, at))
        return true;
    const std::string_view word = r.words[at].text;
    std::size_t times = word.find('x');
    std::int64_t both = 0; // "512,512", which would be a number elsewhere
    if (times == word.npos && r.ofPipeline() && word.size() == 6)
        both = writtenCount(word.substr(0, 3)).value_or(0);
    if (both > 0 && word.substr(0, 3) == word.substr(3))
        times = 2;
    if (times == word.npos)
        return false;
    const std::size_t again = r.ofPipeline() ? word.find('x', times + 1) : word.npos;
    const auto width = writtenCount(word.substr(0, both > 0 ? 3 : times));
    const auto height = writtenCount(word.substr(times + 1, again - std::min(again, times + 1)));
    const auto frames = again == word.npos ? std::nullopt : writtenCount(word.substr(again + 1));
    if (!width || !height || *width < 16 || *height < 16)
        return false;
    const bool makes = r.ofPipeline();
    const bool saysImage = at + 1 < r.words.size() && isPicture(r.words[at + 1].text);
    const auto images = !makes && saysImage && at > 0 ? r.number(at - 1) : std::nullopt;
    AskedPiece &piece = images ? r.take(at - 1, 2) : r.take(at, 1);
    if (images) // "one 448x448 image"
        r.set(piece, fieldAt("batch.images"), std::to_string(*images));
    const FieldPath across = makes ? FieldPath("diffusion.width") : FieldPath("batch.image_width");
    const FieldPath up = makes ? FieldPath("diffusion.height") : FieldPath("batch.image_height");
    r.set(piece, fieldAt(across), std::to_string(*width));
    r.set(piece, fieldAt(up), std::to_string(*height));
    if (frames) // "512x512x65"
        r.set(piece, fieldAt("diffusion.frames"), std::to_string(*frames));
    return true;
}

/// "0.95"
std::optional<double> shareOf(std::string_view word)
{
    double share = 0;
    const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), share);
    const bool isShare = error == std::errc() && end == word.data() + word.size() &&
                         word.find('.') != word.npos && share > 0 && share <= 1;
    return isShare ? std::optional(share) : std::nullopt;
}

bool isLengthField(const Reading &r, std::string_view field)
{
    return field == findKeyword("length", r.when)->field;
}

/// "2 nodes of 8 H100" already give the number that "--nproc_per_node 8" repeats.
bool repeatsGpus(const Reading &r, const Field *field, std::int64_t number)
{
    const PlanHardware &hardware = r.plan.hardware;
    return field && field->path == "hardware.gpus" && r.isSaid(field->path) &&
           (hardware.gpus == number || hardware.gpusPerNode == number);
}

/// Takes a word as the number of what a keyword counts; false where it is none. More tokens than a
/// sequence may have are those of the run.
bool takeCounted(Reading &r, std::size_t at, std::size_t count, const AskedKeyword &keyword,
                 const std::string &word)
{
    const bool isLength = isLengthField(r, keyword.field);
    bool saysTokens = false;
    for (std::size_t i = at; i < at + count; ++i)
        saysTokens |= r.words[i].text.starts_with("tok");
    const bool ofRun =
        keyword.field == "run.tokens" || (isLength && saysTokens && tokensOfRun(word));
    const Field *field = findField(ofRun ? "run.tokens" : keyword.field);
    const bool isShare = field && field->kind == FieldKind::Number;
    const auto number = ofRun ? writtenAmount(word) : countOf({word});
    if (!number && !(isShare && shareOf(word)) && !(keyword.field.empty() && isDigit(word.front())))
        return false;
    AskedPiece &piece = r.take(at, count);
    if (keyword.field.empty()) {
        r.asked.pieces.pop_back(); // it says nothing about memory
        return true;
    }
    if (!ofRun && !meansSomething(r, piece, keyword.when))
        return true;
    if (keyword.field == kAnswer) {
        r.answer = *number;
        piece.fields = {findField(findKeyword("length", r.when)->field)->path};
        return true;
    }
    if (keyword.field == kNodes || repeatsGpus(r, field, number.value_or(0))) {
        if (keyword.field == kNodes && !r.isSaid("hardware.gpus_per_node") && *number > 1)
            r.nodes = *number;
        piece.fields = {FieldPath("hardware.gpus")};
        return true;
    }
    if (keyword.field == kGlobalBatch) {
        r.globalBatch = *number;
        piece.fields = {"batch.accumulation_steps"};
        return true;
    }
    if (keyword.field == "adapters.rank" && r.key(at, count).find("lora") != std::string::npos)
        r.setAll(piece, "workload=training adapters.kind=lora"); // "LoRA r=16"
    if (keyword.field == "inference.max_lora_rank" && !r.isSaid("inference.max_loras"))
        r.setAll(piece, "~inference.max_loras=1"); // a rank alone is that of one adapter
    r.set(piece, *field, isShare && !number ? word : std::to_string(*number));
    if (isLength && !ofRun && piece.state == AskedState::Understood) {
        r.length = word;
        r.isPromptAlone = r.key(at, count).find("prompt") != std::string::npos ||
                          r.key(at, count).find("input") != std::string::npos;
    }
    return true;
}

/// "tokens", but not "mbs" nor "accumulation steps".
bool isPlural(std::string_view word)
{
    return word.size() > 4 && word.back() == 's' && word != "steps";
}

/// "seq 8192", "8192 tokens", "20B tokens", "8k".
bool takeNumber(Reading &r, std::size_t at)
{
    constexpr auto kBetween =
        std::to_array<std::string_view>({"of", "is", "to", "von", "de", "set"});
    for (std::size_t count = r.freeFrom(at, kLongestPhrase + 1); count > 1; --count) {
        const AskedKeyword *keyword = findKeyword(r.key(at, count - 1), r.when);
        std::size_t end = count; // "batch of 4", "context set to 8k"
        while (end < count + 2 && r.freeFrom(at, end + 1) > end &&
               isOneOf(r.words[at + end - 1].text, kBetween))
            ++end;
        const bool isProduct = r.isWord(at + end, "x") && r.isWord(at + end + 2, "x");
        if (keyword && isProduct) // "images 1280 x 28 x 28"
            continue;
        if (keyword && takeCounted(r, at, end, *keyword, r.words[at + end - 1].text))
            return true;
    }
    for (std::size_t count = r.freeFrom(at, kLongestPhrase + 1); count > 1; --count) {
        // In "4 batch 2" the 2 is the batch, in "4 users 2k" the 4 are the users.
        // In "4096 bs 4" it is the number that a batch may have.
        const AskedKeyword *counted = findKeyword(r.key(at + 1, count - 1), r.when);
        const bool isBehind = r.freeFrom(at, count + 1) > count && r.number(at + count) &&
                              !(counted && !isLengthField(r, counted->field) &&
                                r.words[at + count].text.ends_with('k')); // "1 image a sample 4k"
        const bool hasOwn = isBehind && (!isPlural(r.words[at + count - 1].text) ||
                                         isLengthRather(counted, r.number(at)));
        if (counted && hasOwn)
            break; // nor in "1024 batch size 4" that of the batch alone
        if (counted && takeCounted(r, at, count, *counted, r.words[at].text))
            return true;
    }
    const std::string &word = r.words[at].text;
    const bool isShort = (word.back() == 'k' || word.back() == 'm') && isDigit(word.front());
    return isShort && !tokensOfRun(word) && countOf(r.words[at]).value_or(0) <= kLongestSequence &&
           !r.ofPipeline() && takeCounted(r, at, 1, *findKeyword("length", r.when), word);
}

/// "8 sequences of 2048 per GPU": a batch and its length.
bool takeSequencesOf(Reading &r, std::size_t at)
{
    constexpr auto kSequences = std::to_array<std::string_view>(
        {"sequences", "samples", "examples", "sequenzen", "sequence", "sample"});
    const auto count = r.number(at);
    if (r.when == AskedWhen::Serving || r.ofPipeline() || !count || !r.isFree(at + 1) ||
        !isOneOf(r.words[at + 1].text, kSequences) || !r.isWord(at + 2, "of"))
        return false;
    const auto length = r.number(at + 3);
    if (!length || r.isSaid("batch.micro_batch") || r.isSaid("batch.sequence_length"))
        return false;
    AskedPiece &piece = r.take(at, 4);
    r.set(piece, fieldAt("batch.micro_batch"), std::to_string(*count));
    r.set(piece, fieldAt("batch.sequence_length"), std::to_string(*length));
    return true;
}

/// "1500 in + 500 out": a prompt and its answer.
bool takeInAndOut(Reading &r, std::size_t at)
{
    const auto prompt = r.number(at);
    if (r.when != AskedWhen::Serving || !prompt || !r.isWord(at + 1, "in"))
        return false;
    std::size_t next = at + 2;
    while (r.isWord(next, "+") || r.isWord(next, "and") || r.isWord(next, "/"))
        ++next;
    const auto answer = r.number(next);
    if (!answer || !r.isWord(next + 1, "out"))
        return false;
    r.set(r.take(at, next + 2 - at), fieldAt("inference.max_model_len"),
          std::to_string(*prompt + *answer));
    return true;
}

/// "25 developers at the same time", "five work with it at once": the number before the words is
/// that of sequences, whoever they are of.
bool takeAtOnce(Reading &r, std::size_t at)
{
    constexpr auto kAtOnce = std::to_array<std::string_view>(
        {"atonce", "atthesametime", "atthesamemoment", "simultaneously", "concurrently",
         "inparallel", "gleichzeitig", "zurgleichenzeit", "enmêmetemps", "alavez", "同时"});
    constexpr std::size_t kMostBetween = 6; // words
    const auto begins = [&](std::size_t from) {
        for (std::size_t count = r.freeFrom(from, 4); count > 0; --count)
            if (isOneOf(r.key(from, count), kAtOnce))
                return count;
        return std::size_t(0);
    };
    constexpr std::int64_t kMost = 100'000;
    const bool isPlain = r.number(at) && *r.number(at) >= 1 && *r.number(at) <= kMost &&
                         r.words[at].text.back() != 'k' && !isModelSize(r.words[at].text);
    if (r.when != AskedWhen::Serving || !isPlain || r.isSaid("inference.concurrent_sequences"))
        return false;
    const std::string count = std::to_string(*r.number(at));
    // "At the same time ten at most ask": and nothing else that the number counts.
    const bool isCounted =
        r.isFree(at + 1) && !r.words[at + 1].afterBreak && findKeyword(r.key(at + 1, 1), r.when);
    for (std::size_t back = 1; !isCounted && back <= std::min(at, kMostBetween); ++back) {
        if (!r.isFree(at - back) || r.number(at - back) || r.words[at - back + 1].afterBreak)
            break;
        if (begins(at - back) == 0)
            continue;
        r.set(r.take(at, 1), fieldAt("inference.concurrent_sequences"), count);
        return true;
    }
    const std::size_t end = std::min(at + kMostBetween, r.words.size());
    for (std::size_t next = at + 1;
         next < end && r.isFree(next) && !r.words[next].afterBreak && !r.number(next); ++next) {
        if (const std::size_t length = begins(next)) {
            r.set(r.take(at, next + length - at), fieldAt("inference.concurrent_sequences"), count);
            return true;
        }
        if (findKeyword(r.key(next, 1), r.when))
            return false;
    }
    return false;
}

/// "2.75bpw", "4.0 bits per weight": of EXL2 and EXL3, as the mix of llama.cpp that comes nearest.
bool takeBitsOfWeight(Reading &r, std::size_t at)
{
    constexpr double kMost = 16;
    const std::string &word = r.words[at].text;
    double bits = 0;
    const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), bits);
    const std::string_view unit(end, word.data() + word.size());
    const bool isSpelt = r.freeFrom(at + 1, 3) == 3 && r.key(at + 1, 3) == "bitsperweight";
    const std::size_t count = unit == "bpw"                             ? 1
                              : unit.empty() && r.isWord(at + 1, "bpw") ? 2
                              : unit.empty() && isSpelt                 ? 4
                                                                        : 0;
    if (error != std::errc() || count == 0 || bits < 1 || bits > kMost)
        return false;
    std::string_view nearest;
    double least = kMost;
    for (const WeightStorage &storage : weightStorages()) {
        const double apart = std::abs(storage.bytesPerElement() * 8 - bits);
        if (storage.gguf && apart < least) {
            least = apart;
            nearest = storage.name;
        }
    }
    AskedPiece &piece = r.take(at, count);
    if (!meansSomething(r, piece, AskedWhen::Serving))
        return true;
    r.set(piece, fieldAt("inference.weight_format"), nearest);
    r.set(piece, fieldAt("inference.engine"), "llama.cpp", true);
    if (piece.state == AskedState::Understood)
        piece.meaning = "counted as " + std::string(nearest) + " of llama.cpp, the nearest";
    return true;
}

/// "The available KV cache memory (4.6 GiB)" in vLLM's refusal is what its profile run left.
bool takeCacheMemory(Reading &r, std::size_t at)
{
    constexpr auto kWords = std::to_array<std::string_view>({"available", "kv", "cache", "memory"});
    for (std::size_t i = 0; i < kWords.size(); ++i)
        if (!r.isWord(at + i, kWords[i]))
            return false;
    const std::size_t size = at + kWords.size();
    for (std::size_t count = 1; count <= 2 && r.isFree(size + count - 1); ++count) {
        std::string written;
        for (std::size_t i = 0; i < count; ++i)
            written += r.words[size + i].text;
        const auto bytes = writtenBytes(written);
        if (!bytes || isDigit(written.back()))
            continue;
        r.set(r.take(at, kWords.size() + count), fieldAt("inference.kv_cache_memory_bytes"),
              std::to_string(*bytes));
        return true;
    }
    return false;
}

/// "q_proj,v_proj" and "q, k, v and o": the linear layers that get adapters, two at least.
bool takeTargets(Reading &r, std::size_t at)
{
    constexpr auto kLayers =
        std::to_array<std::string_view>({"q", "k", "v", "o", "gate", "up", "down"});
    constexpr auto kAlso = std::to_array<std::string_view>({"and", "+", "und"});
    std::string targets;
    std::size_t end = at;
    std::size_t layers = 0;
    for (std::size_t next = at; r.isFree(next); ++next) {
        std::string_view word = r.words[next].text;
        if (isOneOf(word, kAlso))
            continue;
        if (word.ends_with("_proj"))
            word.remove_suffix(5);
        if (!isOneOf(word, kLayers))
            break;
        targets += (targets.empty() ? "" : ",") + std::string(word);
        end = next + 1;
        ++layers;
    }
    if (layers < 2)
        return false;
    AskedPiece &piece = r.take(at, end - at);
    if (meansSomething(r, piece, AskedWhen::Training))
        r.set(piece, fieldAt("adapters.targets"), targets);
    return true;
}

/// "Tensor parallelism over both cards": over all GPUs.
bool takeBareTensor(Reading &r, std::size_t at)
{
    for (std::size_t count = r.freeFrom(at, 2); count > 0; --count) {
        const AskedKeyword *keyword = findKeyword(r.key(at, count), r.when);
        if (!keyword || keyword->field != "parallel.tensor" || isNegated(r, at))
            continue;
        r.take(at, count).fields = {FieldPath("parallel.tensor")};
        r.splitsTensors = true;
        return true;
    }
    return false;
}

bool takePhrase(Reading &r, std::size_t at)
{
    if (isNegated(r, at)) {
        r.used[at] = true;
        return true;
    }
    const SaidPhrase said = phraseAt(r, at);
    if (said.words == 0)
        return false;
    if (r.isReplaced(at) || r.isLastResort(at)) {
        Reading::passOver(r.take(at, said.words), "is what it would do without");
        return true;
    }
    if (isSwitchedOff(r, at + said.words)) {
        std::fill_n(r.used.begin() + static_cast<std::ptrdiff_t>(at), said.words + 1, true);
        return true;
    }
    const AskedPhrase *phrase = rowFor(said.rows, r.when);
    AskedPiece &piece = r.take(at, said.words);
    const bool ofTraining = phrase->sets.starts_with("~workload=training");
    const bool ofServing = phrase->sets.starts_with("~workload=inference");
    if (r.when == AskedWhen::Serving ? ofTraining : ofServing) {
        r.asked.pieces.pop_back(); // "full context", "run the LoRA"
        return true;
    }
    if (!meansSomething(r, piece, phrase->when))
        return true;
    if (phrase->sets == "!") {
        Reading::contradict(piece, phrase->meaning);
        return true;
    }
    r.setAll(piece, phrase->sets);
    if (piece.state == AskedState::Understood)
        piece.meaning = phrase->meaning;
    return true;
}

/// "q, v" that adapters go to, unless they are a part of a phrase: "k and v in q8_0".
bool takeTensors(Reading &r, std::size_t at)
{
    return phraseAt(r, at).words < 2 && (takeTargets(r, at) || takeBareTensor(r, at));
}

} // namespace

void correctWords(Reading &r)
{
    for (std::size_t at = 0; at < r.words.size(); ++at) {
        std::string &word = r.words[at].text;
        if (r.used[at] || isKnownWord(word) || HintedModels().narrow(word))
            continue;
        if (const std::string_view meant = meantWord(word); !meant.empty())
            word = meant;
    }
}

void takeWords(Reading &r)
{
    for (std::size_t at = 0; at < r.words.size(); ++at) {
        if (r.isFree(at))
            static_cast<void>(takeAssignment(r, at) || takePictureSize(r, at) ||
                              takeBitsOfWeight(r, at) || takeCacheMemory(r, at) ||
                              takeAtOnce(r, at) || takeSequencesOf(r, at) || takeInAndOut(r, at) ||
                              takeNumber(r, at) || takeTensors(r, at) || takePhrase(r, at));
    }
}

namespace {

/// A number that nothing beside it explains, by its range: a length of a sequence or the side of a
/// picture is a multiple of 64, and a share of the memory lies below one.
bool takeByRange(Reading &r, std::size_t at)
{
    constexpr std::int64_t kLeast = 256;
    constexpr std::int64_t kStep = 64;
    const std::string &word = r.words[at].text;
    const bool hasEngine = r.when == AskedWhen::Serving || r.plan.workload == Workload::Rl;
    if (shareOf(word) && hasEngine && !r.isSaid("inference.gpu_memory_utilization")) {
        r.set(r.take(at, 1), fieldAt("inference.gpu_memory_utilization"), word);
        return true;
    }
    const auto number = countOf(r.words[at]);
    if (!number || !isDigit(word.front()))
        return false;
    if (r.asked.sought && r.asked.sought->kind == Sought::Kind::FewestGpus && *number < kMostGpus &&
        !r.isSaid("hardware.gpus")) { // "how many …: do 64 fit?"
        r.asked.sought.reset();
        r.set(r.take(at, 1), fieldAt("hardware.gpus"), word);
        return true;
    }
    const bool isAsked = r.isAskedAbout(r.words[at].begin) && *number >= 4 * kLeast;
    if (*number < kLeast || (*number % kStep != 0 && !isAsked))
        return false;
    if (r.ofPipeline() && r.isSaid("diffusion.width") && r.plan.diffusion.height == number) {
        r.used[at] = true; // "1024, 1024"
        return true;
    }
    if (r.ofPipeline() && *number <= 4096 && !r.isSaid("diffusion.width")) {
        AskedPiece &piece = r.take(at, 1);
        r.set(piece, fieldAt("diffusion.width"), word);
        r.set(piece, fieldAt("diffusion.height"), word);
        return true;
    }
    const AskedKeyword &length = *findKeyword("length", r.when);
    return !r.ofPipeline() && (isAsked || !r.isSaid(findField(length.field)->path)) &&
           takeCounted(r, at, 1, length, word);
}

} // namespace

void takeLeftNumbers(Reading &r)
{
    for (std::size_t at = 0; at < r.words.size(); ++at)
        if (r.isFree(at))
            static_cast<void>(takeByRange(r, at));
}

void passOverTheRest(Reading &r)
{
    for (std::size_t at = 0; at < r.words.size(); ++at) {
        const std::string &word = r.words[at].text;
        if (r.used[at] || isOrdinary(word) || word == "+" ||
            questionOf(r.key(at, 1)) != AskedQuestion::None)
            continue;
        if (isModelSize(word) && r.model) {
            r.used[at] = true; // "a 124M GPT-2"
            continue;
        }
        const bool isNumber = countOf(r.words[at]).has_value();
        const bool counts = !keywordsOf(r.key(at, 1)).empty();
        if (counts && !isNumber) {
            r.used[at] = true; // "the context", "a small batch"
            continue;
        }
        AskedPiece &piece = r.take(at, 1);
        Reading::passOver(piece, isNumber ? "counts nothing; say what, as in \"" + piece.text +
                                                " tokens\" or \"batch " + piece.text + "\""
                                          : "is not known" + didYouMeanAsked(piece.text));
    }
}

} // namespace vramscope
