// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/json_text.h"

#include "core/base/format.h"
#include "core/base/text.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <unordered_set>
#include <vector>

namespace vramscope {

namespace {

using Json = nlohmann::ordered_json;

constexpr std::size_t kDeepest = 64;
constexpr std::size_t kMostKeys = 4096; ///< of one object: an ordered object is searched in order

/// A character below U+10000 as "\uXXXX".
std::string escaped(std::string_view character)
{
    constexpr std::string_view kHex = "0123456789abcdef";
    const char32_t code = codePoint(character);
    std::string text = "\\u";
    for (int shift = 12; shift >= 0; shift -= 4)
        text += kHex[code >> shift & 15U];
    return text;
}

/// Listens to the parser and refuses forbidden content; builds nothing.
class Checker : public nlohmann::json_sax<Json>
{
public:
    explicit Checker(std::string_view text)
        : m_text(text)
    {
    }

    [[nodiscard]] const std::optional<Error> &error() const { return m_error; }

    bool null() override { return true; }
    bool boolean(bool) override { return true; }
    bool number_integer(number_integer_t) override { return true; }
    bool number_unsigned(number_unsigned_t) override { return true; }
    bool number_float(number_float_t, const string_t &) override { return true; }
    bool string(string_t &) override { return true; }
    bool binary(binary_t &) override { return true; }
    bool start_array(std::size_t) override { return descend(); }
    bool end_array() override { return ascend(); }
    bool start_object(std::size_t) override { return descend(); }
    bool end_object() override { return ascend(); }

    bool key(string_t &name) override
    {
        auto &keys = m_open.back();
        if (!keys.insert(name).second)
            return fail("The key \"" + excerpt(name, 60) +
                        "\" stands twice in one object; remove one.");
        if (keys.size() > kMostKeys)
            return fail("An object has more than " + formatCount(kMostKeys) + " keys.");
        return true;
    }

    bool parse_error(std::size_t position, const std::string &,
                     const nlohmann::detail::exception &reason) override
    {
        constexpr int kNumberOverflow = 406; // nlohmann/json's out_of_range
        const std::size_t at = std::min(position > 0 ? position - 1 : 0, m_text.size());
        const auto line =
            1 + std::count(m_text.begin(), m_text.begin() + static_cast<std::ptrdiff_t>(at), '\n');
        const std::string there = "line " + formatCount(line);
        if (reason.id == kNumberOverflow)
            m_error = Error{ErrorCode::Invalid, "A number in " + there + " is too large."};
        else if (at == m_text.size())
            m_error = Error{ErrorCode::Truncated,
                            "The JSON ends before it is complete: complete it or copy it again.",
                            static_cast<std::int64_t>(at)};
        else
            m_error = Error{ErrorCode::Malformed,
                            "This is not JSON from " + there + " on; correct it there.",
                            static_cast<std::int64_t>(at)};
        return false;
    }

private:
    bool fail(std::string text)
    {
        m_error = Error{ErrorCode::Invalid, std::move(text)};
        return false;
    }

    bool descend()
    {
        m_open.emplace_back();
        return m_open.size() <= kDeepest ||
               fail("The JSON is nested deeper than " + formatCount(kDeepest) + " levels.");
    }

    bool ascend()
    {
        m_open.pop_back();
        return true;
    }

    std::string_view m_text;
    std::vector<std::unordered_set<std::string>> m_open; ///< keys of the open objects
    std::optional<Error> m_error;
};

} // namespace

std::string jsonText(const Json &json, int indent)
{
    const std::string text = json.dump(indent, ' ', false, Json::error_handler_t::replace);
    std::string safe;
    std::size_t done = 0;
    for (std::size_t at = 0; at < text.size(); ++at) {
        if (static_cast<unsigned char>(text[at]) < 0x7f)
            continue; // those below the blank are escaped already
        const std::string_view character =
            std::string_view(text).substr(at, characterLength(std::string_view(text).substr(at)));
        if (isControl(character)) {
            safe.append(text, done, at - done).append(escaped(character));
            done = at + character.size();
        }
        at += character.size() - 1;
    }
    return done == 0 ? text : safe.append(text, done);
}

Result<void> checkJson(std::string_view text, std::size_t longest)
{
    if (text.size() > longest)
        return Error{ErrorCode::Unsupported, "The document is longer than " +
                                                 std::to_string(longest >> 20) +
                                                 " MiB, which none of VRAMscope's is."};
    Checker checker(text);
    Json::sax_parse(text, &checker);
    if (checker.error())
        return *checker.error();
    return {};
}

Json parsedJson(std::string_view text)
{
    return Json::parse(text, nullptr, false);
}

Result<std::string> compactObject(std::string_view text)
{
    if (const Result<void> checked = checkJson(text); !checked)
        return checked.error();
    const Json json = parsedJson(text);
    if (!json.is_object())
        return Error{ErrorCode::Invalid, "This JSON is not an object."};
    return jsonText(json);
}

} // namespace vramscope
