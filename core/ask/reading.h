// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/ask/asked.h"
#include "core/ask/sentence_words.h"
#include "core/ask/tools.h"
#include "core/ask/vocabulary.h"
#include "core/catalog/catalogue.h"
#include "core/catalog/gpus.h"
#include "core/catalog/named_model.h"
#include "core/plan/field.h"

#include <algorithm>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace vramscope {

/// What is given beside a sentence.
enum class Beside {
    File,    ///< what another file states: its model stays
    OpenPlan ///< a plan: words go over all of it, and what they leave is as it was
};

/// A field that a word or a file has given a value.
struct Claim
{
    FieldPath field;
    std::string value;
    std::string text;    ///< the words that made it
    std::size_t end = 0; ///< of these words in the sentence
    bool ofFile = false; ///< a file states it, and words go over that
    bool isWeak = false; ///< gives way to any other word
};

constexpr std::int64_t kMostGpus = 1'000'000; // that are planned for

/// GPUs of one kind that are named together: "2 nodes of 8 H200", "24 GB card", "2x RTX 3060 12GB".
struct NamedMachine
{
    std::size_t piece = 0;              ///< in Asked::pieces
    std::size_t first = 0, last = 0;    ///< its words
    const GpuPreset *gpu = nullptr;     ///< null where a size alone is named, or a count
    std::int64_t gigabytes = 0;         ///< as sold; 0: not said
    std::vector<std::int64_t> counts{}; ///< as written: nodes and GPUs of each, or GPUs
    bool saysNodes = false;
    bool isNamed = false; ///< by a name, if only of a family whose size is not said
    std::vector<const GpuPreset *> others{}; ///< that the words may mean as well
    Bytes hostBytes = 0;                     ///< of an instance
    bool isInstance = false;
    bool isHost = false;        ///< the size is that of the host's memory
    bool saysDevice = false;    ///< "12 GB card"
    bool isAlternative = false; ///< "or" stands before it
    bool isJoined = false;      ///< to the one before it, by "and" or a plus
    std::string name{};         ///< as it was written
    std::string remark{};       ///< ", the commonest H100"

    /// GPUs in all, 1 where no count is said.
    [[nodiscard]] std::int64_t all() const
    {
        std::int64_t count = 1;
        for (const std::int64_t each : counts)
            count *= std::clamp<std::int64_t>(each, 1, kMostGpus);
        return count;
    }
};

/// What other programs use of the GPUs: "the desktop uses 2 GB".
struct OthersMemory
{
    std::size_t piece = 0; ///< in Asked::pieces
    Bytes bytes = 0;
};

/// A sentence on its way to a plan: its words, what has taken each, and the plan so far. The
/// functions below take what they know of the words that are free; understand.cpp has their order.
struct Reading
{
    Reading(std::string_view sentence, const Plan &beside, Beside how);

    std::string_view text;
    std::vector<SentenceWord> words;
    std::vector<bool> used;
    Plan stated;
    bool isOpen = false;      ///< stated is an open plan
    bool isAnew = true;       ///< what neither words nor the open plan say is assumed
    bool statedFills = false; ///< one replica of the open plan's model has all its GPUs
    const CatalogueModel *model = nullptr;
    NamedModel named;                        ///< as it was named; of a file: nothing
    std::string modelWords;                  ///< that name it
    const CatalogueModel *teacher = nullptr; ///< that it is distilled from
    const CatalogueModel *draft = nullptr;   ///< that speculates for it; null: none is said
    const Tool *trainer = nullptr;
    const Tool *engine = nullptr;
    std::vector<ToolDefault> defaults; ///< that the tools brought
    std::vector<AskedTask> objectives; ///< that are said beside training: preference tuning
    AskedWhen when = AskedWhen::Training;
    bool isTaskSaid = false; ///< or follows from what is said
    Plan plan;
    std::vector<Claim> claims;
    std::vector<NamedMachine> machines;
    std::vector<OthersMemory> others;
    std::optional<std::int64_t> nodes;
    std::int64_t globalBatch = 0; ///< sequences of a step on all GPUs; 0: not said
    std::string length;           ///< the word that says how long a sequence is
    bool isPromptAlone = false;   ///< and is of the prompt, which an answer follows
    std::int64_t answer = 0;      ///< tokens that are generated; 0: not said
    bool splitsTensors = false;   ///< "tensor parallel", without a degree
    Asked asked;

    /// The words from `at`, `most` at most, that nothing has taken and no break divides.
    [[nodiscard]] std::size_t freeFrom(std::size_t at, std::size_t most) const;
    [[nodiscard]] bool isFree(std::size_t at) const { return at < words.size() && !used[at]; }
    [[nodiscard]] bool isWord(std::size_t at, std::string_view word) const;
    [[nodiscard]] std::string key(std::size_t at, std::size_t count) const;
    /// The number that a free word is.
    [[nodiscard]] std::optional<std::int64_t> number(std::size_t at) const;

    AskedPiece &take(std::size_t at, std::size_t count);
    /// Leaves a piece out of the plan, and says why.
    static void passOver(AskedPiece &piece, std::string why);
    static void contradict(AskedPiece &piece, std::string why);
    /// Sets a field, unless another word has set it otherwise. `value` may be empty: the usual one.
    void set(AskedPiece &piece, const Field &field, std::string_view value, bool isWeak = false);
    /// Assignments divided by blanks, as phrases have them.
    void setAll(AskedPiece &piece, std::string_view assignments);
    /// "does 32k work": whether the words from `begin` on are what a question is about.
    [[nodiscard]] bool isAskedAbout(std::size_t begin) const;
    /// "batch 4 runs, but batch 2 …": whether the words between contrast what stands on both sides.
    [[nodiscard]] bool isContrasted(std::size_t from, std::size_t to) const;
    /// "Lion instead of Adam": whether the words at `at` are what others replace.
    [[nodiscard]] bool isReplaced(std::size_t at) const;
    /// "Before that I tried …": whether the words from `begin` on are in a sentence about an
    /// earlier run. "… or do I have to …": whether the word at `at` is what a question would do
    /// without.
    [[nodiscard]] bool isOfThePast(std::size_t begin) const;
    [[nodiscard]] bool isLastResort(std::size_t at) const;
    /// "batch 1 works": whether the words up to `end` tell of another run.
    [[nodiscard]] bool isAside(std::size_t end) const;
    void assume(FieldPath path, std::string meaning);
    /// Tells a part of a word that the plan is without.
    void remark(std::string part, std::string why);

    [[nodiscard]] bool statesModel() const { return !(stated.model == PlanModel{}); }
    [[nodiscard]] bool ofPipelineAsStated() const;
    [[nodiscard]] bool ofPipeline() const;
    [[nodiscard]] bool isClaimed(FieldPath path) const;
    /// By a word.
    [[nodiscard]] bool isSaid(FieldPath path) const;
};

/// "; it may be another: H100 PCIe 80 GB, H100 NVL 94 GB", of GPUs or of models; or nothing.
template<class Named>
[[nodiscard]] std::string othersText(const std::vector<const Named *> &others)
{
    constexpr std::size_t kMostNamed = 3;
    std::string names;
    for (std::size_t i = 0; i < std::min(others.size(), kMostNamed); ++i)
        names += (names.empty() ? "" : ", ") + others[i]->title;
    return names.empty() ? names : "; it may be another: " + names;
}

constexpr std::size_t kLongestPhrase = 5; // words
constexpr std::int64_t kUsualNode = 8;    // GPUs

// Models: read_models.cpp

void takeNamedModels(Reading &reading);
/// Of the words that are left those that are parts of models' names.
void takeHintedModel(Reading &reading);
/// Whether words stand between an unknown one and others with which they make the misspelt name of
/// a model.
[[nodiscard]] bool isInMisspeltModel(const Reading &reading, std::size_t at, std::size_t count);
/// False where the plan has no model; Asked::whyNot says why.
[[nodiscard]] bool placeModel(Reading &reading);

// Machines: read_machines.cpp, place_machines.cpp

void takeMachines(Reading &reading);
void placeMachines(Reading &reading);
/// "another process holds 18 GB": others_memory.cpp.
void takeOthersMemory(Reading &reading);

// Tools, tasks, questions, phrases, numbers: read_tools.cpp and so on

/// Whether a number is a length rather than what the keyword counts: nobody has batches or ranks of
/// thousands.
[[nodiscard]] bool isLengthRather(const AskedKeyword *keyword, std::optional<std::int64_t> number);

/// Whether "not" or the like stands before a word that is no such word itself: "not QLoRA".
[[nodiscard]] bool isNegated(const Reading &reading, std::size_t at);

/// Whether the word behind turns it off: "load_in_4bit=False".
[[nodiscard]] bool isSwitchedOff(const Reading &reading, std::size_t end);

/// The longest phrase that the free words from `at` on make, and how many they are: 0 without one.
/// Ordinary words within it count for nothing: "the base stays in 8 bit" is "base in 8 bit".
struct SaidPhrase
{
    std::span<const AskedPhrase *const> rows;
    std::size_t words = 0;
};
[[nodiscard]] SaidPhrase phraseAt(const Reading &reading, std::size_t at);

/// The words that say what is done with the model; nullptr where none do.
[[nodiscard]] const AskedPhrase *saidTask(const Reading &reading,
                                          std::string_view sets = "workload=");
[[nodiscard]] bool saysServing(const Reading &reading);
/// Decides what kind of plan the words are of: Reading::when.
void decideTask(Reading &reading);
/// Reads words that are a letter off those of the tables as these, where nothing else has them.
void correctWords(Reading &reading);
void takeTools(Reading &reading);
void placeTools(Reading &reading);
void takeQuestion(Reading &reading);
void takeWords(Reading &reading);
void takeLeftNumbers(Reading &reading);
void passOverTheRest(Reading &reading);

// The plan: place_plan.cpp

/// Of an open plan what cannot stay beside the words.
void startAnew(Reading &reading);
void takeStated(Reading &reading);
void placePlan(Reading &reading);

// What fits, where words leave a choice: fitting_plan.cpp

void placeFittingEngine(Reading &reading);
void placeFittingLoss(Reading &reading);
void placeFittingBatch(Reading &reading);
/// Plans that fit in place of one that does not, as versions.
void offerFitting(Reading &reading);

// What is told of it: tell.cpp

void tellMeanings(Reading &reading);
void tellAssumed(Reading &reading);

} // namespace vramscope
