// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/ask/asked.h"
#include "core/ask/asked_kind.h"
#include "core/ask/lengths.h"
#include "core/ask/named_models.h"
#include "core/ask/new_plan.h"
#include "core/ask/sentence_words.h"
#include "core/ask/vocabulary.h"
#include "core/base/counted.h"
#include "core/base/format.h"
#include "core/base/text.h"
#include "core/base/written_size.h"
#include "core/catalog/catalogue.h"
#include "core/catalog/gpu_names.h"
#include "core/planner/degrees.h"
#include "core/planner/field_text.h"
#include "core/planner/job_text.h"
#include "core/planner/settings.h"

#include <algorithm>
#include <iterator>
#include <span>

namespace vramscope {

namespace {

constexpr std::size_t kLongestSentence = 1000;
constexpr std::size_t kLongestName = 8;   // words
constexpr std::size_t kLongestPhrase = 4; // words
constexpr std::int64_t kMostGpus = 1'000'000;
constexpr std::int64_t kUsualNode = 8;

/// The settings of "New plan" that go for a server as well.
Plan servedPlan()
{
    const Plan usual = newPlan();
    Plan plan;
    plan.workload = Workload::Inference;
    plan.hardware = usual.hardware;
    plan.inference.engine = Engine::Vllm;
    return plan;
}

std::string upper(std::string text)
{
    for (char &c : text)
        c = c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c;
    return text;
}

/// What is given beside a sentence.
enum class Beside {
    File,    ///< what another file states: its model stays
    OpenPlan ///< a plan: words go over all of it, and what they leave is as it was
};

class SentenceReader
{
public:
    SentenceReader(std::string_view text, const Plan &stated, Beside beside)
        : m_text(text)
        , m_words(sentenceWords(text))
        , m_used(m_words.size(), false)
        , m_stated(stated)
        , m_open(beside == Beside::OpenPlan)
    {
    }

    Asked read()
    {
        takeNamedModels();
        if (m_open)
            startAnew();
        m_when = ofPipeline() ? AskedWhen::Diffusion
                 : serves()   ? AskedWhen::Serving
                              : AskedWhen::Training;
        if (m_anew)
            m_plan = serves() ? servedPlan() : newPlan();
        takeStated();
        for (std::size_t at = 0; at < m_words.size(); ++at) {
            if (!m_used[at])
                takeAssignment(at) || takePictureSize(at) || takeNumber(at) || takePhrase(at) ||
                    takeGpus(at) || takePlainLength(at);
        }
        if (!m_found && (m_open || !statesModel()))
            takeHintedModel();
        nameTheRest();
        std::ranges::stable_sort(m_asked.pieces, {}, &AskedPiece::begin);
        if (!m_asked.candidates.empty() || !placeModel())
            return std::move(m_asked);
        placeGpus();
        placeTask();
        placeLength();
        placeDegrees();
        dropWithoutEffect();
        refuseUncomputed();
        tellMeanings();
        if (m_anew)
            tellAssumed();
        m_asked.plan = m_plan;
        return std::move(m_asked);
    }

private:
    std::span<const SentenceWord> wordsFrom(std::size_t at, std::size_t count) const
    {
        return std::span(m_words).subspan(at, count);
    }

    /// The words from `at` that nothing has taken and no break divides.
    std::size_t freeFrom(std::size_t at, std::size_t most) const
    {
        if (at >= m_words.size())
            return 0;
        std::size_t count = unbroken(std::span(m_words).subspan(at), most);
        for (std::size_t i = 0; i < count; ++i)
            if (m_used[at + i])
                return i;
        return count;
    }

    AskedPiece &addPiece(std::size_t at, std::size_t count)
    {
        for (std::size_t i = 0; i < count; ++i)
            m_used[at + i] = true;
        AskedPiece piece;
        piece.begin = m_words[at].begin;
        piece.end = m_words[at + count - 1].end;
        piece.text = m_text.substr(piece.begin, piece.end - piece.begin);
        return m_asked.pieces.emplace_back(std::move(piece));
    }

    static void refuse(AskedPiece &piece, std::string why)
    {
        piece.state = AskedState::NotUnderstood;
        piece.fields.clear();
        piece.meaning = std::move(why);
    }

    /// Sets a field, unless another word has set it otherwise.
    void set(AskedPiece &piece, const Field &field, std::string_view value)
    {
        if (piece.state == AskedState::NotUnderstood)
            return;
        const bool isLearning = field.path == "workload" && m_plan.workload == Workload::Rl;
        for (const Claim &claim : m_claims) {
            if (claim.field != field.path || claim.value == value || claim.ofFile)
                continue;
            if (isLearning) { // "grpo lora" trains adapters, "grpo sglang" names the engine
                piece.fields.push_back(field.path);
                return;
            }
            if (!(claim.field == "workload" && value == "rl"))
                return refuse(piece, "contradicts \"" + claim.text +
                                         "\": " + std::string(field.path) + " has one value");
        }
        if (!value.empty()) {
            const Result<void> isSet = setField(m_plan, field, writtenValue(field, value));
            if (!isSet)
                return refuse(piece, isSet.error().detail);
        }
        m_claims.push_back({field.path, std::string(value), piece.text, false});
        piece.fields.push_back(field.path);
    }

    // What a file states

    bool statesModel() const { return !(m_stated.model == PlanModel{}); }

    /// Of an open plan what cannot stay beside the words: the layout and the lengths of the other
    /// kind of work, adapters of another task, and all but the GPUs beside a model of another kind.
    void startAnew()
    {
        const Settings now = resolve(m_stated).settings;
        const PlanHardware hardware = m_stated.hardware;
        m_anew = m_found && m_found->pipeline != ofPipelineAsStated();
        if (m_anew)
            m_stated = {};
        m_stated.hardware = hardware;
        if (ofPipeline())
            return;
        m_stated.hardware.gpus = now.gpus;
        if (m_anew)
            return;
        m_statedFills = now.gpus == now.tensor * now.pipeline;
        const AskedPhrase *task = saidTask();
        const auto sets = [&](std::string_view what) {
            return task && task->sets.find(what) != task->sets.npos;
        };
        const bool serves = now.workload == Workload::Inference;
        m_anew =
            serves ? sets("workload=training") || sets("workload=rl") : sets("workload=inference");
        if (m_anew || sets("adapters.kind"))
            m_stated.adapters = {};
        if (!m_anew)
            return;
        m_stated.workload = serves ? Workload::Training : Workload::Inference;
        m_stated.parallel = {};
        if (serves)
            m_stated.batch.sequenceLength = now.maxModelLen;
        else
            m_stated.inference.maxModelLen = now.sequenceLength;
    }

    /// The words that say what is done with the model; nullptr where none do.
    const AskedPhrase *saidTask(std::string_view sets = "workload=") const
    {
        for (std::size_t at = 0; at < m_words.size(); ++at) {
            for (std::size_t count = freeFrom(at, kLongestPhrase); count > 0; --count) {
                const AskedPhrase *phrase =
                    findPhrase(keyOf(wordsFrom(at, count)), AskedWhen::Always);
                if (phrase && phrase->sets.starts_with(sets))
                    return phrase;
            }
        }
        return nullptr;
    }

    void takeStated()
    {
        m_plan.model = {};
        for (const Field &field : planFields()) {
            const FieldValue value = field.get(m_stated);
            if (!isStated(value) || (field.path == "name" && !m_open))
                continue;
            field.set(m_plan, value);
            m_claims.push_back({field.path, {}, {}, true});
        }
    }

    /// Of the other kind of plan.
    void dropWithoutEffect()
    {
        const Settings settings = resolve(m_plan).settings;
        for (const Claim &claim : m_claims) {
            const Field &field = fieldAt(claim.field);
            if (claim.ofFile && !field.applies(settings))
                field.set(m_plan, {});
        }
    }

    bool isClaimed(FieldPath path) const
    {
        return std::ranges::find(m_claims, path, &Claim::field) != m_claims.end();
    }

    /// By a word.
    bool isSaid(FieldPath path) const
    {
        return std::ranges::any_of(
            m_claims, [&](const Claim &claim) { return claim.field == path && !claim.ofFile; });
    }

    // Models

    void takeNamedModels()
    {
        for (std::size_t at = 0; at < m_words.size(); ++at) {
            for (std::size_t count = freeFrom(at, kLongestName); count > 0; --count) {
                const CatalogueModel *model = modelNamed(wordsFrom(at, count));
                if (!model)
                    continue;
                takeModel(addPiece(at, count), *model);
                at += count - 1;
                break;
            }
        }
    }

    void takeModel(AskedPiece &piece, const CatalogueModel &model)
    {
        if (statesModel() && !m_open)
            return refuse(piece, "names a model, and the file has one");
        if (m_found && m_found != &model)
            return refuse(piece, "is a second model beside " + m_found->title);
        m_found = &model;
        piece.fields = {model.pipeline ? FieldPath("model.pipeline") : FieldPath("model.preset")};
        piece.meaning = model.title;
    }

    /// Of the words that are left those that are parts of models' names.
    void takeHintedModel()
    {
        HintedModels hinted;
        std::vector<std::size_t> taken;
        for (std::size_t at = 0; at < m_words.size(); ++at) {
            if (!m_used[at] && !isFiller(m_words[at].text) && hinted.narrow(m_words[at].text))
                taken.push_back(at);
        }
        if (taken.empty())
            return;
        m_found = hinted.meant();
        for (std::size_t i = 0, count = 0; i < taken.size(); i += count) {
            for (count = 1; i + count < taken.size() && taken[i + count] == taken[i] + count;)
                ++count;
            AskedPiece &piece = addPiece(taken[i], count);
            if (!m_found) {
                refuse(piece, {});
                continue;
            }
            piece.fields = {m_found->pipeline ? FieldPath("model.pipeline")
                                              : FieldPath("model.preset")};
            piece.meaning = m_found->title;
            for (const CatalogueModel *other : hinted.models()) {
                if (other != m_found)
                    piece.meaning += "; the shape of " + other->title + " is the same";
            }
        }
        if (!m_found)
            nameCandidates(hinted.models(), taken);
    }

    void nameCandidates(const std::vector<const CatalogueModel *> &models,
                        const std::vector<std::size_t> &taken)
    {
        constexpr std::size_t kMostNamed = 8;
        std::string words;
        for (const std::size_t at : taken)
            words += (words.empty() ? "" : " ") + m_words[at].text;
        std::string names;
        for (const CatalogueModel *model : models) {
            m_asked.candidates.push_back(model->name);
            if (m_asked.candidates.size() <= kMostNamed)
                names += (names.empty() ? "" : ", ") + model->name;
        }
        if (models.size() > kMostNamed)
            names += " and " + formatCount(static_cast<std::int64_t>(models.size() - kMostNamed)) +
                     " more";
        m_asked.whyNot =
            "\"" + printable(words) + "\" may be one of several models: " + names + ". Name one.";
    }

    bool placeModel()
    {
        if (!m_found && statesModel())
            return true;
        if (!m_found) {
            m_asked.whyNot = "No model is named. Name one of the catalogue, such as qwen3-32b, or "
                             "its repository on Hugging Face.";
            return false;
        }
        m_plan.model = {};
        (m_found->pipeline ? m_plan.model.pipeline : m_plan.model.preset) = m_found->name;
        return true;
    }

    // What the words say

    bool ofPipelineAsStated() const { return m_stated.model.pipeline || m_stated.model.components; }

    bool ofPipeline() const { return m_found ? m_found->pipeline : ofPipelineAsStated(); }

    bool serves() const
    {
        if (m_stated.workload)
            return m_stated.workload == Workload::Inference;
        if (saidTask("workload=rl"))
            return false;
        const AskedPhrase *task = saidTask();
        return (task && task->sets.starts_with("workload=inference")) ||
               std::ranges::find(m_words, "workload=inference", &SentenceWord::text) !=
                   m_words.end();
    }

    /// A trainer and an engine: words of both mean something.
    bool learns() const { return m_stated.workload == Workload::Rl || saidTask("workload=rl"); }

    /// Refuses words that mean something in plans of the other kind alone.
    bool meansSomething(AskedPiece &piece, AskedWhen when) const
    {
        const bool means = when == AskedWhen::Always || when == m_when || ofPipeline() ||
                           (when == AskedWhen::Serving && learns());
        if (!means)
            refuse(piece, when == AskedWhen::Diffusion  ? "is of diffusion pipelines"
                          : when == AskedWhen::Training ? "is of training, and this plan serves"
                                                        : "is of serving, and this plan trains; "
                                                          "say serve");
        return means;
    }

    bool takeAssignment(std::size_t at)
    {
        const std::string_view word = m_words[at].text;
        const std::size_t equals = word.find_first_of("=:");
        if (equals == word.npos)
            return false;
        AskedPiece &piece = addPiece(at, 1);
        const Field *field = findField(word.substr(0, equals));
        if (!field) {
            Plan unused;
            refuse(piece, setWritten(unused, word).error().detail);
            return true;
        }
        set(piece, *field, word.substr(equals + 1));
        return true;
    }

    /// "1024x768", of what a pipeline makes.
    bool takePictureSize(std::size_t at)
    {
        const std::string_view word = m_words[at].text;
        const std::size_t times = word.find('x');
        if (!ofPipeline() || times == word.npos)
            return false;
        const auto width = writtenCount(word.substr(0, times));
        const auto height = writtenCount(word.substr(times + 1));
        if (!width || !height)
            return false;
        AskedPiece &piece = addPiece(at, 1);
        set(piece, fieldAt("diffusion.width"), std::to_string(*width));
        set(piece, fieldAt("diffusion.height"), std::to_string(*height));
        return true;
    }

    /// Takes a word as the number of what a keyword counts; false where it is none. More tokens
    /// than a sequence may have are those of the run.
    bool takeCounted(std::size_t at, std::size_t count, const AskedKeyword &keyword,
                     const std::string &word)
    {
        const bool isLength = keyword.field == findKeyword("length", m_when)->field;
        const bool saysTokens = std::ranges::any_of(wordsFrom(at, count), [](const auto &each) {
            return each.text == "tokens" || each.text == "token";
        });
        const bool ofRun =
            keyword.field == "run.tokens" || (isLength && saysTokens && tokensOfRun(word));
        const auto number = ofRun ? writtenAmount(word) : countOf({word});
        if (!number)
            return false;
        AskedPiece &piece = addPiece(at, count);
        if (!ofRun && !meansSomething(piece, keyword.when))
            return true;
        set(piece, *findField(ofRun ? "run.tokens" : keyword.field), std::to_string(*number));
        if (isLength && !ofRun && piece.state == AskedState::Understood)
            m_length = word;
        return true;
    }

    /// "seq 8192", "8192 tokens", "20B tokens", "8k".
    bool takeNumber(std::size_t at)
    {
        for (std::size_t count = std::min(freeFrom(at, kLongestPhrase), kLongestPhrase); count > 1;
             --count) {
            const AskedKeyword *keyword = findKeyword(keyOf(wordsFrom(at, count - 1)), m_when);
            if (keyword && takeCounted(at, count, *keyword, m_words[at + count - 1].text))
                return true;
        }
        for (std::size_t count = freeFrom(at, kLongestPhrase); count > 1; --count) {
            // In "4 batch 2" the 2 is the batch.
            const bool hasOwn = freeFrom(at, count + 1) > count && countOf(m_words[at + count]);
            const AskedKeyword *keyword =
                hasOwn ? nullptr : findKeyword(keyOf(wordsFrom(at + 1, count - 1)), m_when);
            if (keyword && takeCounted(at, count, *keyword, m_words[at].text))
                return true;
        }
        const std::string &word = m_words[at].text;
        const bool isShort = (word.back() == 'k' || word.back() == 'm') && isDigit(word.front());
        return isShort && !tokensOfRun(word) &&
               takeCounted(at, 1, *findKeyword("length", m_when), word);
    }

    /// "262144", where it is no GPU's name.
    bool takePlainLength(std::size_t at)
    {
        return !m_used[at] && !ofPipeline() && isPlainLength(m_words[at].text) &&
               takeCounted(at, 1, *findKeyword("length", m_when), m_words[at].text);
    }

    bool takePhrase(std::size_t at)
    {
        for (std::size_t count = freeFrom(at, kLongestPhrase); count > 0; --count) {
            const AskedPhrase *phrase = findPhrase(keyOf(wordsFrom(at, count)), m_when);
            if (!phrase)
                continue;
            AskedPiece &piece = addPiece(at, count);
            if (!meansSomething(piece, phrase->when))
                return true;
            applyPhrase(piece, phrase->sets);
            if (piece.state == AskedState::Understood)
                piece.meaning = phrase->meaning;
            return true;
        }
        return false;
    }

    void applyPhrase(AskedPiece &piece, std::string_view sets)
    {
        while (!sets.empty()) {
            const std::size_t blank = std::min(sets.find(' '), sets.size());
            const std::string_view one = sets.substr(0, blank);
            const std::size_t equals = one.find('=');
            set(piece, *findField(one.substr(0, equals)), one.substr(equals + 1));
            sets.remove_prefix(std::min(blank + 1, sets.size()));
        }
    }

    // GPUs

    bool isWord(std::size_t at, std::string_view text) const
    {
        return at < m_words.size() && !m_used[at] && m_words[at].text == text;
    }

    bool isNode(std::size_t at) const { return isWord(at, "node") || isWord(at, "nodes"); }

    std::optional<std::int64_t> numberAt(std::size_t at) const
    {
        return at < m_words.size() && !m_used[at] ? countOf(m_words[at]) : std::nullopt;
    }

    /// In "131072 h100" the number is no count of GPUs, of which nobody has so many.
    bool isLengthBeforeGpu(std::size_t at) const
    {
        const bool counts = isNode(at + 1) || isWord(at + 1, "x") || isWord(at + 1, "gpu") ||
                            isWord(at + 1, "gpus");
        return !counts && !ofPipeline() && isPlainLength(m_words[at].text);
    }

    /// "2 nodes of 8 H200", "8 x H100", "H100 x 8", "8 GPUs", "2 nodes".
    bool takeGpus(std::size_t begin)
    {
        std::size_t at = begin;
        std::vector<std::int64_t> counts;
        bool saysNodes = false;
        while (counts.size() < 2) {
            const auto count = numberAt(at);
            if (!count || findNamedGpu(m_words[at].text).gpu || isLengthBeforeGpu(at)) // "4090"
                break;
            counts.push_back(*count);
            ++at;
            if (isNode(at)) {
                saysNodes = true;
                ++at;
                if (isWord(at, "of") || isWord(at, "with") || isWord(at, "x"))
                    ++at;
            } else if (isWord(at, "x")) {
                ++at;
            }
        }
        while (at < m_words.size() && isMaker(m_words[at].text))
            ++at;
        NamedGpu named;
        std::size_t length = freeFrom(at, kLongestPhrase);
        while (length > 0 && !(named = findNamedGpu(keyOf(wordsFrom(at, length)))).gpu)
            --length;
        const std::size_t name = at;
        at += length;
        if (named.gpu && counts.empty() && isWord(at, "x") && numberAt(at + 1)) {
            counts.push_back(*numberAt(at + 1));
            at += 2;
        }
        const bool saysGpus = isWord(at, "gpus") || isWord(at, "gpu") || isWord(at, "cards");
        if (saysGpus)
            ++at;
        if (!named.gpu && !(saysGpus && !counts.empty()) && !saysNodes)
            return false;
        AskedPiece &piece = addPiece(begin, at - begin);
        if (named.gpu)
            takeGpuName(piece, named, wordsFrom(name, length));
        takeGpuCounts(piece, counts, saysNodes);
        return true;
    }

    void takeGpuName(AskedPiece &piece, const NamedGpu &named, std::span<const SentenceWord> words)
    {
        set(piece, fieldAt("hardware.gpu"), named.gpu->name);
        if (!named.ofFamily || piece.state != AskedState::Understood)
            return;
        m_commonest = ", the commonest";
        for (const SentenceWord &word : words)
            m_commonest += ' ' + upper(word.text);
    }

    void takeGpuCounts(AskedPiece &piece, const std::vector<std::int64_t> &counts, bool saysNodes)
    {
        for (const std::int64_t count : counts) {
            if (count < 1 || count > kMostGpus)
                return refuse(piece, "counts " + counted(count, "GPU") +
                                         "; 1 to 1,000,000 are planned for");
        }
        if (piece.state == AskedState::NotUnderstood)
            return;
        const bool isNodesAlone = saysNodes && counts.size() == 1;
        if (isNodesAlone && m_nodes && m_nodes != counts.front())
            return refuse(piece, "counts nodes that were counted otherwise before");
        if (counts.size() == 2)
            set(piece, fieldAt("hardware.gpus_per_node"), std::to_string(counts.back()));
        if (isNodesAlone) {
            m_nodes = counts.front();
            piece.fields.push_back("hardware.gpus");
        } else if (!counts.empty()) {
            const std::int64_t all = counts.front() * (counts.size() == 2 ? counts.back() : 1);
            set(piece, fieldAt("hardware.gpus"), std::to_string(all));
        }
    }

    void nameTheRest()
    {
        for (std::size_t at = 0; at < m_words.size(); ++at) {
            if (m_used[at] || isFiller(m_words[at].text))
                continue;
            const bool isNumber = countOf(m_words[at]).has_value();
            const bool counts = findKeyword(keyOf(wordsFrom(at, 1)), m_when);
            AskedPiece &piece = addPiece(at, 1);
            refuse(piece, isNumber ? "counts nothing; say what, as in \"" + piece.text +
                                         " tokens\" or \"batch " + piece.text + "\""
                          : counts ? "needs a number beside it"
                                   : "is not known" + didYouMeanAsked(piece.text));
        }
    }

    // The plan

    void placeGpus()
    {
        PlanHardware &hardware = m_plan.hardware;
        if (m_nodes) {
            // "16 H100 on 2 nodes" are all of them, "8 H100, 2 nodes" are those of each.
            const std::int64_t count = isClaimed("hardware.gpus") ? *hardware.gpus : kUsualNode;
            const bool isAll = count > kUsualNode && count % *m_nodes == 0;
            hardware.gpusPerNode = isAll ? count / *m_nodes : count;
            hardware.gpus = std::min(*m_nodes * *hardware.gpusPerNode, kMostGpus);
            return;
        }
        if (isClaimed("hardware.gpus"))
            return;
        PlanParallel degrees;
        degrees.tensor = m_plan.parallel.tensor;
        degrees.pipeline = m_plan.parallel.pipeline;
        degrees.context = m_plan.parallel.context;
        const std::int64_t data = isClaimed("parallel.data") ? *m_plan.parallel.data : 1;
        const std::int64_t replica = std::min(replicaGpus(degrees).value_or(1), kMostGpus);
        if (replica * data > 1)
            hardware.gpus = std::min(replica * std::min(data, kMostGpus), kMostGpus);
        else if (isClaimed("hardware.gpu"))
            hardware.gpus = 1;
    }

    void placeTask()
    {
        // Who says a rank says adapters: "lora rank 32" is one phrase.
        if (isSaid("adapters.rank") && !isSaid("adapters.kind"))
            m_plan.adapters.kind = AdapterKind::Lora;
        if (m_plan.adapters.kind == AdapterKind::Lora && m_when != AskedWhen::Serving)
            m_plan.adapters.rank = m_plan.adapters.rank.value_or(16);
        if (ofPipeline()) {
            if (!isClaimed("workload"))
                m_plan.workload.reset();
            if (isSaid("adapters.rank") && !isSaid("workload"))
                m_plan.workload = Workload::Training;
            m_plan.parallel = {};
            m_plan.batch.sequenceLength.reset();
            m_plan.hardware.gpus.reset();
            m_plan.inference.engine.reset();
            return;
        }
        if (m_when == AskedWhen::Serving)
            return;
        if (m_plan.workload == Workload::Rl) { // verl's own share
            constexpr double kShare = 0.5;
            m_plan.inference.engine = m_plan.inference.engine.value_or(Engine::Vllm);
            if (m_plan.inference.engine == Engine::Vllm && !m_plan.inference.gpuMemoryUtilization)
                m_plan.inference.gpuMemoryUtilization = kShare;
            if (m_plan.inference.engine == Engine::Sglang &&
                !m_plan.inference.sglang.memFractionStatic)
                m_plan.inference.sglang.memFractionStatic = kShare;
        }
        if (m_plan.adapters.kind == AdapterKind::Lora && !m_plan.adapters.targets)
            m_plan.adapters.targets = TextList{"all-linear"};
        const std::int64_t longest = resolve(m_plan).settings.architecture.maxPositions;
        std::optional<std::int64_t> &length = m_plan.batch.sequenceLength;
        if (!isClaimed("batch.sequence_length") && length && longest > 0)
            length = std::min(*length, longest);
        const bool keepsStrategy =
            m_open ? isSaid("parallel.strategy") : isClaimed("parallel.strategy");
        if (!keepsStrategy && m_plan.hardware.gpus == 1)
            m_plan.parallel.strategy.reset();
        // DeepSpeed's fp16 is an engine of its own and no autocast; a field says what it says.
        const bool statesField = std::ranges::any_of(m_claims, [](const Claim &claim) {
            return claim.field == "precision.regime" && claim.text.find('=') != std::string::npos;
        });
        if (m_plan.precision.regime == Regime::AutocastFp16 && isZero(m_plan.parallel.strategy) &&
            !statesField && (isSaid("precision.regime") || isSaid("parallel.strategy")))
            m_plan.precision.regime = Regime::DeepSpeedFp16;
    }

    static bool isZero(std::optional<Strategy> strategy)
    {
        return strategy == Strategy::Zero1 || strategy == Strategy::Zero2 ||
               strategy == Strategy::Zero3;
    }

    /// "131k" beside a model of 131,072 is that, which is assumed.
    void placeLength()
    {
        const Field &field = *findField(findKeyword("length", m_when)->field);
        const std::int64_t limit = resolve(m_plan).settings.architecture.maxPositions;
        const auto meant = meantLength(m_length, limit);
        if (!meant || !meant->isOther || !setField(m_plan, field, meant->tokens))
            return;
        AskedPiece piece;
        piece.state = AskedState::Assumed;
        piece.fields = {field.path};
        piece.meaning = m_length + " as " + formatCount(meant->tokens) +
                        (meant->tokens == limit ? ", the model's own limit" : " tokens");
        m_asked.pieces.push_back(std::move(piece));
    }

    /// Words of adapters and formats that a diffusion pipeline's figures do not follow.
    void refuseUncomputed()
    {
        if (!ofPipeline())
            return;
        const Settings settings = resolve(m_plan).settings;
        const auto isLost = [&](FieldPath path) {
            const std::string_view name = path;
            return (name.starts_with("adapters.") || name.starts_with("precision.") ||
                    name == "inference.weight_format") &&
                   !fieldAt(path).applies(settings);
        };
        for (AskedPiece &piece : m_asked.pieces)
            if (piece.state == AskedState::Understood && std::ranges::any_of(piece.fields, isLost))
                refuse(piece,
                       std::string("is not computed for a diffusion pipeline that ") +
                           (settings.workload == Workload::Training ? "is trained" : "generates"));
    }

    /// GPUs, or how the model lies on them.
    bool saysLayout() const
    {
        return m_nodes || std::ranges::any_of(m_claims, [](const Claim &claim) {
                   const std::string_view path = claim.field;
                   return !claim.ofFile &&
                          (path.starts_with("parallel.") || path == "hardware.gpus");
               });
    }

    void placeDegrees()
    {
        if (ofPipeline())
            return;
        const std::int64_t gpus = *m_plan.hardware.gpus;
        PlanParallel &parallel = m_plan.parallel;
        if (m_open && !m_anew && !saysLayout())
            return;
        if (m_open ? isSaid("parallel.data") : isClaimed("parallel.data"))
            return;
        parallel.data.reset();
        const bool statesSplit = isClaimed("parallel.tensor") || isClaimed("parallel.pipeline");
        const bool saysSplit = isSaid("parallel.tensor") || isSaid("parallel.pipeline");
        const bool splits = m_when == AskedWhen::Serving && !saysSplit &&
                            (!statesSplit || (m_open && m_statedFills));
        if (splits && m_open)
            parallel.pipeline.reset();
        // A server splits the model over all its GPUs, as far as its heads divide.
        for (std::int64_t tensor = splits ? std::min<std::int64_t>(gpus, 1024) : 0; tensor > 0;
             --tensor) {
            parallel.tensor = tensor;
            if (fillGpus(parallel, gpus) && resolve(m_plan).computable())
                return;
        }
        if (splits)
            parallel.tensor = gpus;
        fillGpus(parallel, gpus);
    }

    // What is told of it

    std::string valueText(const Settings &settings, FieldPath path) const
    {
        if (path == "hardware.gpu" && settings.gpu)
            return settings.gpu->title;
        return fieldWords(effectiveValue(m_plan, settings, fieldAt(path)));
    }

    std::string fieldText(const Settings &settings, FieldPath path) const
    {
        std::string label(fieldAt(path).label);
        if (label.size() > 1 && !(label[1] >= 'A' && label[1] <= 'Z'))
            label = lowered(label.substr(0, 1)) + label.substr(1);
        return label + ' ' + valueText(settings, path);
    }

    void tellMeanings()
    {
        const Settings settings = resolve(m_plan).settings;
        for (AskedPiece &piece : m_asked.pieces) {
            if (piece.state != AskedState::Understood || !piece.meaning.empty())
                continue;
            const bool namesGpu =
                std::ranges::find(piece.fields, FieldPath("hardware.gpu")) != piece.fields.end();
            if (namesGpu) {
                piece.meaning = formatCount(m_plan.hardware.gpus.value_or(1)) + " × " +
                                valueText(settings, "hardware.gpu") + m_commonest;
                continue;
            }
            for (const FieldPath path : piece.fields)
                piece.meaning += (piece.meaning.empty() ? "" : ", ") + fieldText(settings, path);
        }
    }

    void tellAssumed()
    {
        const Settings settings = resolve(m_plan).settings;
        const auto assume = [&](FieldPath path, std::string meaning) {
            AskedPiece piece;
            piece.state = AskedState::Assumed;
            piece.fields = {path};
            piece.meaning = std::move(meaning);
            m_asked.pieces.push_back(std::move(piece));
        };
        if (!isClaimed("workload") && !ofPipeline())
            assume("workload", "training of all parameters");
        std::vector<FieldPath> deciding = {"hardware.gpu", "hardware.gpus"};
        std::ranges::copy(decidingFields(settings), std::back_inserter(deciding));
        for (const FieldPath path : deciding) {
            if (!isClaimed(path) && !(path == "hardware.gpus" && m_nodes) &&
                !valueText(settings, path).empty())
                assume(path, fieldText(settings, path));
        }
    }

    struct Claim
    {
        FieldPath field;
        std::string value;
        std::string text;    ///< the words that made it
        bool ofFile = false; ///< a file states it, and words go over that
    };

    std::string_view m_text;
    std::vector<SentenceWord> m_words;
    std::vector<bool> m_used;
    Plan m_stated;
    bool m_open;
    bool m_anew = true;         ///< what neither words nor m_stated say is as in newPlan()
    bool m_statedFills = false; ///< one replica of the open plan's model has all its GPUs
    const CatalogueModel *m_found = nullptr;
    AskedWhen m_when = AskedWhen::Training;
    Plan m_plan;
    std::vector<Claim> m_claims;
    std::optional<std::int64_t> m_nodes;
    std::string m_length;    ///< the word that says how long a sequence is
    std::string m_commonest; ///< ", the commonest H100"
    Asked m_asked;
};

} // namespace

bool Asked::understood() const
{
    return plan && std::ranges::none_of(pieces, [](const AskedPiece &piece) {
               return piece.state == AskedState::NotUnderstood;
           });
}

namespace {

Asked readSentence(std::string_view text, const Plan &stated, Beside beside)
{
    Asked asked;
    asked.kind = askedKind(text);
    if (asked.kind != AskedKind::Words) {
        asked.whyNot = "This is no sentence about a plan; import it.";
        return asked;
    }
    if (text.size() > kLongestSentence) {
        asked.whyNot = "The text is longer than " +
                       formatCount(static_cast<std::int64_t>(kLongestSentence)) +
                       " bytes, which no sentence about a plan needs.";
        return asked;
    }
    return SentenceReader(text, stated, beside).read();
}

} // namespace

Asked understand(std::string_view text)
{
    return understand(text, {});
}

Asked understand(std::string_view text, const Plan &stated)
{
    return readSentence(text, stated, Beside::File);
}

Asked reworded(std::string_view text, const Plan &plan)
{
    return readSentence(text, plan, Beside::OpenPlan);
}

} // namespace vramscope
