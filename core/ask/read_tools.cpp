// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/ask/reading.h"

#include <algorithm>

namespace vramscope {

namespace {

constexpr std::size_t kLongestToolName = 4; // words

/// "transformers" trains and serves: what a word of the language would mean decides.
bool trains(const Reading &r)
{
    const AskedPhrase *task = saidTask(r);
    return task && task->sets.find("workload=inference") == task->sets.npos;
}

/// Whether it is an engine itself, and no program around one or several of them.
bool isOneProgram(const Tool &tool)
{
    return tool.name == tool.behavesAs;
}

/// The trainer that the repository of a model is made for; nullptr: none.
const Tool *trainerOfRepository(std::string_view repository)
{
    const std::size_t slash = repository.find('/');
    const auto found = std::ranges::find_if(tools(), [&](const Tool &tool) {
        return !tool.hubOwner.empty() && slash != repository.npos &&
               tool.hubOwner == repository.substr(0, slash);
    });
    return found == tools().end() ? nullptr : &*found;
}

const Tool *toolMeant(const Reading &r, std::string_view key)
{
    const Tool *engine = findTool(key, ToolKind::Engine);
    const Tool *trainer = findTool(key, ToolKind::Trainer);
    return engine && (!trainer || !trains(r)) ? engine : trainer;
}

} // namespace

void takeTools(Reading &r)
{
    for (std::size_t at = 0; at < r.words.size(); ++at) {
        for (std::size_t count = r.freeFrom(at, kLongestToolName); count > 0; --count) {
            const Tool *tool = toolMeant(r, r.key(at, count));
            const bool isPart =
                (at > 0 && !phrasesOf(r.key(at - 1, count + 1)).empty()) ||
                (r.freeFrom(at, count + 1) > count && !phrasesOf(r.key(at, count + 1)).empty());
            const bool isSought = at > 0 && questionOf(r.key(at, count)) != AskedQuestion::None &&
                                  questionOf(r.key(at - 1, 1)) == AskedQuestion::Which;
            // "sentence transformers", "which GGUF", "mistal nemo 12b"
            if (!tool || isPart || isSought || isInMisspeltModel(r, at, count))
                continue;
            const bool isNot = isNegated(r, at);
            AskedPiece &piece = r.take(at, count);
            piece.meaning = tool->title;
            const Tool *&known = tool->kind == ToolKind::Trainer ? r.trainer : r.engine;
            if (isNot)
                Reading::passOver(piece, "is ruled out");
            else if (tool->behavesAs.empty())
                Reading::passOver(piece, "is not computed");
            else if (tool->kind == ToolKind::Trainer)
                known = known && !known->launches ? known : tool; // "accelerate, TRL"
            else if (known && isOneProgram(*known) && isOneProgram(*tool) && known != tool)
                Reading::contradict(piece, "is a second engine beside " + known->title);
            else
                known = known && isOneProgram(*known) ? known : tool;
            if (piece.state == AskedState::Understood)
                piece.fields = {tool->kind == ToolKind::Trainer ? FieldPath("trainer")
                                                                : FieldPath("inference.engine")};
            at += count - 1;
            break;
        }
    }
}

/// "q4 gguf": a word that names the type of a transformer's file.
bool saysFileType(const Reading &r)
{
    constexpr std::string_view kSets = "diffusion.transformer_format=q";
    for (std::size_t at = 0; at < r.words.size(); ++at)
        for (const AskedPhrase *phrase : phrasesOf(r.key(at, 1)))
            if (phrase->sets.starts_with(kSets))
                return true;
    return false;
}

/// An engine of language models: of a pipeline its word can only mean the file.
void placeFile(Reading &r)
{
    const bool isTyped = saysFileType(r);
    for (AskedPiece &piece : r.asked.pieces) {
        if (piece.fields != std::vector{FieldPath("inference.engine")})
            continue;
        if (piece.text != "gguf") {
            Reading::passOver(piece, "does not run diffusion pipelines");
        } else if (isTyped) {
            piece.fields = {FieldPath("diffusion.transformer_format")};
            piece.meaning = "weights from a GGUF file";
        } else {
            Reading::passOver(piece, "says no type; name one, such as q4_k_s");
        }
    }
}

void placeTools(Reading &r)
{
    const bool learns = r.plan.workload == Workload::Rl || saidTask(r, "workload=rl");
    const bool serves = r.when == AskedWhen::Serving;
    if (!r.trainer && !serves)
        r.trainer = trainerOfRepository(r.modelWords);
    if (r.trainer && !serves && !r.isClaimed("trainer")) {
        r.plan.trainer = r.trainer->name;
        r.claims.push_back(
            {.field = "trainer", .value = r.trainer->name, .text = r.trainer->title});
    }
    if (r.engine && r.when == AskedWhen::Diffusion) {
        placeFile(r);
    } else if (r.engine && !serves && !learns) {
        for (AskedPiece &piece : r.asked.pieces)
            if (piece.fields == std::vector{FieldPath("inference.engine")})
                Reading::passOver(piece, "is of serving, and this plan trains");
    } else if (r.engine) {
        static_cast<void>(
            setField(r.plan, fieldAt("inference.engine"), std::string(r.engine->behavesAs)));
        r.claims.push_back(
            {.field = "inference.engine", .value = r.engine->behavesAs, .text = r.engine->title});
    }
}

} // namespace vramscope
