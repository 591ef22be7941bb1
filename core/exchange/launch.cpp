// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/exchange/launch.h"

#include "core/base/format.h"
#include "core/base/shipped_documents.h"
#include "core/base/text.h"
#include "core/exchange/formats.h"
#include "core/settings/engines/engine_version.h"

#include <algorithm>
#include <array>
#include <span>

namespace vramscope {

namespace {

using Words = std::span<const ShellWord>;

/// From resources/tools/options.csv; an option that it does not list takes one value.
Takes takesOf(Engine engine, std::string_view option)
{
    static const CsvTable options = parseCsv(shippedDocument("tools/options.csv")).value();
    const CsvRow *row = rowOfKey(options, choiceText(engine), option);
    if (!row)
        return Takes::One;
    const std::string_view takes = row->cells[2];
    return takes == "nothing" ? Takes::Nothing : takes == "list" ? Takes::List : Takes::OnOrOff;
}

/// The options and the model from an engine's own words.
std::vector<ForeignSetting> engineSettings(Engine engine, Words words)
{
    const bool llama = engine == Engine::LlamaCpp;
    bool model = llama; // which names the model only by an option
    const auto operand = [&](const ShellWord &word) -> ForeignSetting {
        if (model)
            return {word.text, true, placeOfWord(word, word.text)};
        model = true;
        return {"--model", word.text, "line " + formatCount(word.line)};
    };
    const auto takes = [&](std::string_view option) { return takesOf(engine, option); };
    return optionSettings(words, {takes, operand, llama});
}

/// The last part of a path, without the ending of Windows.
std::string_view baseName(std::string_view word)
{
    word = word.substr(word.find_last_of("/\\") + 1); // npos + 1 is 0
    if (word.ends_with(".exe"))
        word.remove_suffix(4);
    return word;
}

struct Found
{
    Engine engine;
    std::size_t arguments; ///< where the engine's arguments begin
};

constexpr std::array<std::string_view, 4> kLlamaPrograms = {"llama-server", "llama-cli",
                                                            "llama-mtmd-cli", "llama-completion"};

/// The engine of the program or module that begins at a word.
std::optional<Found> programAt(Words words, std::size_t at)
{
    const auto word = [&](std::size_t i) {
        return i < words.size() ? std::string_view(words[i].text) : std::string_view();
    };
    const std::string_view name = baseName(word(at));
    const bool vllm = name == "vllm" || name.starts_with("vllm@");
    const bool sglang = name == "sglang";
    if (vllm || sglang) {
        const Engine engine = vllm ? Engine::Vllm : Engine::Sglang;
        if (word(at + 1) == "serve")
            return Found{engine, at + 2};
        if (word(at + 1).starts_with("--")) // the usual short form
            return Found{engine, at + 1};
    }
    if (word(at) == "-m" && word(at + 1).starts_with("vllm.entrypoints"))
        return Found{Engine::Vllm, at + 2};
    if (word(at) == "-m" && word(at + 1) == "sglang.launch_server")
        return Found{Engine::Sglang, at + 2};
    if (isOneOf(name, kLlamaPrograms))
        return Found{Engine::LlamaCpp, at + 1};
    if (name == "trtllm-serve")
        return Found{Engine::TrtLlm, at + (word(at + 1) == "serve" ? 2 : 1)};
    return std::nullopt;
}

/// The engine that the image of a container starts by default.
std::optional<Found> imageAt(Words words, std::size_t at)
{
    const std::string_view word = words[at].text;
    if (isOption(word) || word.find('=') != word.npos)
        return std::nullopt;
    if (word.find("vllm-openai") != word.npos)
        return Found{Engine::Vllm, at + 1};
    if (word.find("llama.cpp:") != word.npos && word.find("server") != word.npos)
        return Found{Engine::LlamaCpp, at + 1};
    return std::nullopt;
}

/// The first word at which `find` finds an engine.
std::optional<Found> firstEngine(Words words, std::optional<Found> (*find)(Words, std::size_t))
{
    for (std::size_t at = 0; at < words.size(); ++at)
        if (const auto found = find(words, at))
            return found;
    return std::nullopt;
}

/// The release in "vllm/vllm-openai:v0.21.0", "vllm==0.19.0" or "vllm@0.21.0"; empty if the word
/// has none.
std::string versionIn(std::string_view word, std::string_view engine)
{
    const std::size_t name = word.find(engine);
    if (name == word.npos)
        return {};
    const std::string_view rest = word.substr(name);
    std::size_t begin = rest.find("==");
    begin = begin != rest.npos ? begin + 2 : rest.find_first_of(":@") + 1; // npos + 1 is 0
    std::string_view text = begin > 0 ? rest.substr(begin) : std::string_view();
    if (text.starts_with('v'))
        text.remove_prefix(1);
    text = text.substr(0, text.find_first_not_of("0123456789."));
    while (text.ends_with('.'))
        text.remove_suffix(1);
    return engineVersion(text) ? std::string(text) : std::string();
}

/// Environment variables that configure engines; others belong to the shell.
constexpr std::array<std::string_view, 7> kVariables = {"VLLM_",
                                                        "SGLANG_",
                                                        "SGL_",
                                                        "LLAMA_ARG_",
                                                        "CUDA_VISIBLE_DEVICES=",
                                                        "PYTORCH_CUDA_ALLOC_CONF=",
                                                        "PYTORCH_ALLOC_CONF="};

void addVariables(Words words, std::vector<ForeignSetting> &settings)
{
    for (const ShellWord &word : words) {
        const std::string_view text = word.text;
        const std::size_t equals = text.find('=');
        const bool known = std::ranges::any_of(
            kVariables, [text](std::string_view name) { return text.starts_with(name); });
        if (!known || equals == text.npos)
            continue;
        const std::string name(text.substr(0, equals));
        settings.push_back({name, std::string(text.substr(equals + 1)), placeOfWord(word, name)});
    }
}

/// A command between two separators.
std::vector<Words> commandsOf(const std::vector<ShellWord> &words)
{
    std::vector<Words> commands;
    std::size_t begin = 0;
    for (std::size_t at = 0; at <= words.size(); ++at) {
        if (at < words.size() && !words[at].end)
            continue;
        if (at > begin)
            commands.push_back(Words(words).subspan(begin, at - begin));
        begin = at + 1;
    }
    return commands;
}

/// The script that a command passes to a shell in one word: bash -c "vllm serve …".
std::string_view innerScript(Words words)
{
    const auto flag = std::ranges::find_if(words, [](const ShellWord &word) {
        return word.text == "-c" || word.text == "-lc" || word.text == "-ec" || word.text == "-euc";
    });
    const auto script = flag == words.end() ? flag : std::next(flag);
    return script == words.end() ? std::string_view() : std::string_view(script->text);
}

std::optional<EngineLaunch> launchIn(const ShellScript &script, int depth);

/// The engine that one command starts: by its program, else by the script that it passes to a
/// shell, else by the image of its container.
std::optional<EngineLaunch> launchOfCommand(Words command, int depth)
{
    const auto started = [&](const Found &found) {
        EngineLaunch launch{found.engine,
                            engineSettings(found.engine, command.subspan(found.arguments))};
        addVariables(command.first(found.arguments), launch.settings);
        return launch;
    };
    if (const auto found = firstEngine(command, programAt))
        return started(*found);
    const std::string_view inner = depth > 0 ? innerScript(command) : std::string_view();
    if (const Result<ShellScript> within = readShell(inner); !inner.empty() && within) {
        std::optional<EngineLaunch> launch = launchIn(*within, depth - 1);
        if (launch)
            addVariables(command, launch->settings);
        if (launch)
            return launch;
    }
    if (const auto found = firstEngine(command, imageAt))
        return started(*found);
    return std::nullopt;
}

std::optional<EngineLaunch> launchIn(const ShellScript &script, int depth)
{
    std::optional<EngineLaunch> launch;
    for (const Words command : commandsOf(script.words)) {
        std::optional<EngineLaunch> here = launchOfCommand(command, depth);
        if (here && launch)
            launch->others += 1 + here->others;
        else if (here)
            launch = std::move(here);
    }
    if (!launch)
        return launch;
    addVariables(script.assignments, launch->settings);
    const std::string_view package = launch->engine == Engine::Vllm ? "vllm" : "sglang";
    std::string version;
    for (const ShellWord &word : script.words)
        if (version.empty())
            version = versionIn(word.text, package);
    const bool stated = std::ranges::any_of(launch->settings, [](const ForeignSetting &setting) {
        return setting.key == "engine_version";
    });
    if (!version.empty() && !stated)
        launch->settings.push_back({"engine_version", version, "the image or package"});
    return launch;
}

} // namespace

std::optional<EngineLaunch> servingLaunch(const ShellScript &script)
{
    constexpr int kDeepestShell = 2;
    return launchIn(script, kDeepestShell);
}

} // namespace vramscope
