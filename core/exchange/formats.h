// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/exchange/shell_words.h"
#include "core/exchange/translation.h"
#include "core/settings/engines/vllm_releases.h"

#include <functional>

namespace vramscope {

// One function per format. Each takes the settings that it knows and leaves the others to
// Translation::finish().

[[nodiscard]] Imported importHfConfig(Translation translation, std::string_view text);
[[nodiscard]] Imported importDeepSpeed(Translation translation);
[[nodiscard]] Imported importTorchtitan(Translation translation);
[[nodiscard]] Imported importAxolotl(Translation translation);
[[nodiscard]] Imported importTrainer(Translation translation);
[[nodiscard]] Imported importMegatron(Translation translation);
[[nodiscard]] Imported importVllm(Translation translation, VllmUse use = VllmUse::Server);
[[nodiscard]] Imported importSglang(Translation translation);
[[nodiscard]] Imported importLlamaCpp(Translation translation);
[[nodiscard]] Imported importTrtLlm(Translation translation);
[[nodiscard]] Imported importVerl(Translation translation);

// Converts the text of a format to settings.

[[nodiscard]] Result<std::vector<ForeignSetting>> jsonSettings(std::string_view text);
[[nodiscard]] Result<std::vector<ForeignSetting>> tomlSettings(std::string_view text);
[[nodiscard]] Result<std::vector<ForeignSetting>> yamlSettings(std::string_view text);
/// The commands of the containers in a docker compose file or in Kubernetes manifests, each as one
/// command; no words if the text describes no containers.
[[nodiscard]] ShellScript containerScript(std::string_view text);
/// "-tp" and "--tp" are options, "-1" is a number.
[[nodiscard]] bool isOption(std::string_view word);
/// "line 12, --lr".
[[nodiscard]] std::string placeOfWord(const ShellWord &word, std::string_view key);
/// How many of the following words an option takes.
enum class Takes {
    One,
    Nothing, ///< except true or false
    OnOrOff, ///< on, off and the like, or nothing
    List,
    Any, ///< nothing, one or a list, up to a program
};
/// How a program reads its command line.
struct OptionSyntax
{
    std::function<Takes(std::string_view option)> takes;
    std::function<ForeignSetting(const ShellWord &word)> operand; ///< a word without an option
    bool underscores = false;                                     ///< differ from dashes
};
[[nodiscard]] std::vector<ForeignSetting> optionSettings(std::span<const ShellWord> words,
                                                         const OptionSyntax &syntax);
/// The options of a command line or shell script: "--hidden-size 4096" and "--hidden_size=4096"
/// both have the key "--hidden-size". Words before them have the key "command".
[[nodiscard]] std::vector<ForeignSetting> flagSettings(const std::vector<ShellWord> &words);
/// Hydra's overrides on a command line, "actor_rollout_ref.rollout.n=5", except null ones.
[[nodiscard]] std::vector<ForeignSetting> verlSettings(const std::vector<ShellWord> &words);
/// The keyword arguments of Python's LLM(…), in the spelling of the command line.
[[nodiscard]] Result<std::vector<ForeignSetting>> pythonSettings(std::string_view text);

} // namespace vramscope
