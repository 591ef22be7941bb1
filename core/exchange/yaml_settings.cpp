// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/format.h"
#include "core/base/text.h"
#include "core/exchange/formats.h"
#include "core/exchange/setting_values.h"

#include <yaml-cpp/eventhandler.h>
#include <yaml-cpp/exceptions.h>
#include <yaml-cpp/parser.h>

#include <algorithm>
#include <array>
#include <iterator>
#include <sstream>

namespace vramscope {

namespace {

constexpr std::size_t kDeepestMapping = 4;
constexpr std::size_t kLongestKey = 160;
constexpr std::size_t kMostSettings = 10'000;
constexpr std::size_t kMostAnchors = 64;
constexpr int kMostAliases = 1000;

struct Scalar
{
    std::string text;
    FieldValue value;
};

/// The meaning of a plain scalar in YAML 1.1, which Python's yaml reads.
FieldValue meaningOf(const std::string &text)
{
    constexpr std::array<std::string_view, 3> kYes = {"true", "yes", "on"};
    constexpr std::array<std::string_view, 3> kNo = {"false", "no", "off"};
    const std::string low = lowered(text);
    if (low.empty() || low == "~" || low == "null")
        return {};
    if (isOneOf(low, kYes) || isOneOf(low, kNo))
        return isOneOf(low, kYes);
    if (!isDigit(text.front()) && std::string_view("+-.").find(text.front()) == text.npos)
        return text;
    std::string digits = text.substr(text.front() == '+' ? 1 : 0);
    std::erase(digits, '_');
    const auto number = asNumber(digits);
    if (!number)
        return text;
    const bool whole = digits.find_first_of(".eE") == digits.npos;
    const auto count = whole ? asCount(digits) : std::nullopt;
    return count ? FieldValue(*count) : FieldValue(*number);
}

/// Turns a document into settings while the parser reads it. No tree is built, and an alias of a
/// list or mapping is not followed, so that memory stays in proportion to the length of the text.
class SettingCollector : public YAML::EventHandler
{
public:
    std::vector<ForeignSetting> take() { return std::move(m_settings); }

    void OnDocumentStart(const YAML::Mark &mark) override
    {
        if (++m_documents > 1)
            throw YAML::ParserException(mark, "a second document begins");
    }
    void OnDocumentEnd() override {}
    void OnNull(const YAML::Mark &mark, YAML::anchor_t anchor) override { put(mark, anchor, {}); }
    void OnAlias(const YAML::Mark &mark, YAML::anchor_t anchor) override
    {
        if (++m_aliases > kMostAliases)
            throw YAML::ParserException(mark, "there are more than 1,000 aliases");
        const auto found = std::ranges::find(m_anchored, anchor, &Anchored::anchor);
        put(mark, YAML::NullAnchor, found == m_anchored.end() ? unread() : found->scalar);
    }
    void OnScalar(const YAML::Mark &mark, const std::string &tag, YAML::anchor_t anchor,
                  const std::string &value) override
    {
        const bool plain = tag == "?";
        put(mark, anchor, {value, plain ? meaningOf(value) : FieldValue(value)});
    }
    void OnSequenceStart(const YAML::Mark &mark, const std::string &, YAML::anchor_t,
                         YAML::EmitterStyle::value) override
    {
        const bool read = awaitsValue(mark);
        const Level level{read ? Kind::List : Kind::Skipped, {}, {}, m_settings.size()};
        put(mark, YAML::NullAnchor, read ? Scalar{{}, TextList()} : unread());
        m_levels.push_back(level);
    }
    void OnSequenceEnd() override { m_levels.pop_back(); }
    void OnMapStart(const YAML::Mark &mark, const std::string &, YAML::anchor_t,
                    YAML::EmitterStyle::value) override
    {
        const bool within = awaitsValue(mark);
        if (m_levels.empty() || (within && m_levels.size() < kDeepestMapping)) {
            std::string path = within ? pathOf(m_levels.back()) + '.' : std::string();
            if (within)
                m_levels.back().key.reset();
            m_levels.push_back({Kind::Mapping, std::move(path), {}, 0});
            return;
        }
        put(mark, YAML::NullAnchor, unread());
        m_levels.push_back({Kind::Skipped, {}, {}, 0});
    }
    void OnMapEnd() override { m_levels.pop_back(); }

private:
    enum class Kind { Mapping, List, Skipped };
    struct Level
    {
        Kind kind;
        std::string path;               ///< for a mapping, before each of its keys
        std::optional<std::string> key; ///< for a mapping, while its value is awaited
        std::size_t setting;            ///< for a list, which becomes it
    };
    struct Anchored
    {
        YAML::anchor_t anchor;
        Scalar scalar;
    };

    static Scalar unread() { return {"…", "…"}; }
    static std::string pathOf(const Level &level)
    {
        return (level.path + *level.key).substr(0, kLongestKey);
    }

    /// Whether a list or mapping that begins is the value of a key.
    [[nodiscard]] bool awaitsValue(const YAML::Mark &mark) const
    {
        const bool within = !m_levels.empty() && m_levels.back().kind == Kind::Mapping;
        if (within && !m_levels.back().key)
            throw YAML::ParserException(mark, "a list or mapping is no key");
        return within;
    }

    void put(const YAML::Mark &mark, YAML::anchor_t anchor, Scalar scalar)
    {
        if (anchor != YAML::NullAnchor && m_anchored.size() < kMostAnchors &&
            scalar.text.size() <= kLongestKey)
            m_anchored.push_back({anchor, scalar});
        if (m_levels.empty())
            return;
        Level &level = m_levels.back();
        if (level.kind == Kind::List)
            std::get<TextList>(m_settings[level.setting].value).push_back(std::move(scalar.text));
        if (level.kind != Kind::Mapping)
            return;
        if (!level.key) {
            level.key = std::move(scalar.text);
            return;
        }
        if (m_settings.size() >= kMostSettings)
            throw YAML::ParserException(mark, "there are more than 10,000 settings");
        const std::string path = pathOf(level);
        level.key.reset();
        m_settings.push_back(
            {path, std::move(scalar.value), "line " + formatCount(mark.line + 1) + ", " + path});
    }

    std::vector<ForeignSetting> m_settings;
    std::vector<Level> m_levels;
    std::vector<Anchored> m_anchored;
    int m_documents = 0;
    int m_aliases = 0;
};

/// Collects the commands of containers: of every mapping its image, its command and its arguments,
/// in the order in which a runtime joins them, and its environment. docker compose writes a command
/// as one text or as a list, Kubernetes as lists.
class ContainerCollector : public YAML::EventHandler
{
public:
    ShellScript take() { return std::move(m_script); }

    void OnDocumentStart(const YAML::Mark &) override { m_levels.clear(); }
    void OnDocumentEnd() override {}
    void OnNull(const YAML::Mark &mark, YAML::anchor_t) override { put(mark, {}); }
    void OnAlias(const YAML::Mark &mark, YAML::anchor_t) override { put(mark, {}); }
    void OnScalar(const YAML::Mark &mark, const std::string &, YAML::anchor_t,
                  const std::string &value) override
    {
        put(mark, value);
    }
    void OnSequenceStart(const YAML::Mark &, const std::string &, YAML::anchor_t,
                         YAML::EmitterStyle::value) override
    {
        begin(false);
    }
    void OnSequenceEnd() override { end(); }
    void OnMapStart(const YAML::Mark &, const std::string &, YAML::anchor_t,
                    YAML::EmitterStyle::value) override
    {
        begin(true);
    }
    void OnMapEnd() override { end(); }

private:
    struct Level
    {
        bool mapping = false;
        std::string key;    ///< for a mapping the one whose value is awaited, for a list its own
        bool named = false; ///< of a mapping: the key is read
        std::vector<ShellWord> image, command, arguments, environment;
        std::string name; ///< of a variable, "- name: A" before "value: b"
    };

    void begin(bool mapping)
    {
        Level level;
        level.mapping = mapping;
        level.key = m_levels.empty() ? std::string() : m_levels.back().key;
        if (!m_levels.empty() && m_levels.back().mapping)
            m_levels.back().named = false;
        m_levels.push_back(std::move(level));
    }
    void end()
    {
        Level level = std::move(m_levels.back());
        m_levels.pop_back();
        std::vector<ShellWord> words = std::move(level.image);
        std::ranges::move(level.command, std::back_inserter(words));
        std::ranges::move(level.arguments, std::back_inserter(words));
        if (words.empty())
            return;
        words.push_back({{}, words.back().line, true});
        std::ranges::move(words, std::back_inserter(m_script.words));
        std::ranges::move(level.environment, std::back_inserter(m_script.assignments));
    }
    /// The nearest enclosing mapping, whose key the lists within it have.
    Level *around()
    {
        const auto found =
            std::ranges::find_if(m_levels.rbegin(), m_levels.rend(), &Level::mapping);
        return found == m_levels.rend() ? nullptr : &*found;
    }

    void put(const YAML::Mark &mark, const std::string &value)
    {
        if (m_levels.empty())
            return;
        Level &level = m_levels.back();
        if (level.mapping && !level.named) {
            level.key = value;
            level.named = true;
            return;
        }
        const bool listed = !level.mapping;
        level.named = false;
        if (Level *owner = around())
            hold(*owner, listed ? level.key : owner->key, {value, mark.line + 1}, listed);
    }

    void hold(Level &owner, const std::string &key, const ShellWord &word, bool listed)
    {
        if (key == "image")
            owner.image = {word};
        else if (key == "command" || key == "entrypoint")
            add(owner.command, word, listed);
        else if (key == "args")
            add(owner.arguments, word, listed);
        else if (listed && key == "environment")
            owner.environment.push_back(word);
        else if (key == "name")
            owner.name = word.text;
        else if (key == "value" && m_levels.size() > 2)
            variables().push_back({owner.name + '=' + word.text, word.line});
    }
    /// The variables of the container with a list of them, each as a mapping.
    std::vector<ShellWord> &variables()
    {
        for (std::size_t at = m_levels.size() - 1; at > 0; --at)
            if (m_levels[at - 1].mapping)
                return m_levels[at - 1].environment;
        return m_levels.front().environment;
    }

    /// Reads a text like a shell; a word of a list is kept.
    static void add(std::vector<ShellWord> &to, const ShellWord &word, bool listed)
    {
        if (listed) {
            to.push_back(word);
            return;
        }
        const Result<std::vector<ShellWord>> words = shellWords(word.text);
        if (!words)
            return;
        for (const ShellWord &each : *words)
            to.push_back({each.text, each.line + word.line - 1, each.end});
    }

    ShellScript m_script;
    std::vector<Level> m_levels;
};

} // namespace

ShellScript containerScript(std::string_view text)
{
    std::istringstream stream{std::string(text)};
    ContainerCollector collector;
    try {
        YAML::Parser parser(stream);
        while (parser.HandleNextDocument(collector)) {
        }
    } catch (const YAML::Exception &) {
        return {};
    }
    return collector.take();
}

Result<std::vector<ForeignSetting>> yamlSettings(std::string_view text)
{
    std::istringstream stream{std::string(text)};
    SettingCollector collector;
    try {
        YAML::Parser parser(stream);
        while (parser.HandleNextDocument(collector)) {
        }
    } catch (const YAML::Exception &error) {
        return Error{ErrorCode::Malformed, "This is not YAML from line " +
                                               formatCount(error.mark.line + 1) + " on (" +
                                               excerpt(error.msg, 120) + "); correct it there."};
    }
    return collector.take();
}

} // namespace vramscope
