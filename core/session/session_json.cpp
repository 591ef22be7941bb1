// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/session/session_json.h"

#include "core/base/counted.h"
#include "core/base/json_text.h"

#include <nlohmann/json.hpp>

namespace vramscope {

namespace {

using Json = nlohmann::ordered_json;

constexpr const char *kKindKey = "vramscope";
constexpr const char *kKind = "session";
constexpr const char *kVersionKey = "version";
constexpr std::int64_t kVersion = 1;

constexpr std::size_t kLongestWord = 60; ///< names of views, colours, axes and other keys
constexpr std::size_t kLongestFileName = 1000;
constexpr std::size_t kMostOthers = 8; ///< of one object
constexpr std::size_t kLongestOther = 200;

std::string dumped(const Json &json, int indent = -1)
{
    return json.dump(indent, ' ', false, Json::error_handler_t::replace);
}

/// Takes the known keys out of one object of the document and remembers the first error; the keys
/// left in it are unknown ones.
class Keys
{
public:
    /// `where`: the beginning of a sentence about a key, such as "Bookmark 3: ".
    Keys(Json object, std::string where)
        : m_object(std::move(object))
        , m_where(std::move(where))
    {
    }

    void text(const char *key, std::string &into, std::size_t longest)
    {
        const Json value = take(key);
        if (value.is_discarded())
            return;
        if (!value.is_string())
            return fail(key, "must be a text.");
        if (value.get_ref<const std::string &>().size() > longest)
            return fail(key, "is longer than " +
                                 counted(static_cast<std::int64_t>(longest), "byte") + ".");
        into = value.get<std::string>();
    }

    void number(const char *key, std::int64_t &into)
    {
        const Json value = take(key);
        if (!value.is_discarded() && !read(value, into))
            fail(key, "must be a whole number.");
    }

    void yesOrNo(const char *key, bool &into)
    {
        const Json value = take(key);
        if (value.is_discarded())
            return;
        if (!value.is_boolean())
            return fail(key, "must be true or false.");
        into = value.get<bool>();
    }

    void pair(const char *key, std::int64_t &from, std::int64_t &to)
    {
        const Json value = take(key);
        if (value.is_discarded())
            return;
        if (!value.is_array() || value.size() != 2 || !read(value[0], from) || !read(value[1], to))
            fail(key, "must be two whole numbers.");
    }

    /// The key's value; discarded if the key is missing.
    Json take(const char *key)
    {
        const auto found = m_object.find(key);
        if (found == m_object.end())
            return Json(Json::value_t::discarded); // braces would make a list
        Json value = std::move(*found);
        m_object.erase(found);
        return value;
    }

    [[nodiscard]] std::vector<OtherField> others() const
    {
        std::vector<OtherField> kept;
        for (const auto &[key, value] : m_object.items()) {
            const std::string text = value.is_primitive() ? dumped(value) : std::string();
            if (!text.empty() && text.size() <= kLongestOther && key.size() <= kLongestWord &&
                kept.size() < kMostOthers)
                kept.emplace_back(key, text);
        }
        return kept;
    }

    [[nodiscard]] const Result<void> &result() const { return m_result; }

private:
    static bool read(const Json &value, std::int64_t &into)
    {
        if (!value.is_number_integer() ||
            (value.is_number_unsigned() &&
             value.get<std::uint64_t>() > std::uint64_t(Bookmark::kEnd)))
            return false;
        into = value.get<std::int64_t>();
        return true;
    }

    void fail(const char *key, const std::string &what)
    {
        if (m_result)
            m_result = invalid(m_where + key + ' ' + what);
    }

    Json m_object;
    std::string m_where;
    Result<void> m_result;
};

Result<Bookmark> bookmarkFrom(Json json, std::size_t at)
{
    const std::string where = "Bookmark " + std::to_string(at + 1) + ": ";
    if (!json.is_object())
        return invalid(where + "it must be an object.");
    Keys keys(std::move(json), where);
    Bookmark bookmark;
    keys.text("name", bookmark.name, kLongestName);
    keys.text("note", bookmark.note, kLongestNote);
    keys.number("device", bookmark.device);
    keys.text("view", bookmark.view, kLongestWord);
    keys.text("color", bookmark.color, kLongestWord);
    keys.text("axis", bookmark.axis, kLongestWord);
    keys.pair("range", bookmark.from, bookmark.to);
    keys.pair("bytes", bookmark.bytesFrom, bookmark.bytesTo);
    keys.number("cursor", bookmark.cursor);
    keys.number("selected", bookmark.selected);
    keys.text("filter", bookmark.filter, kLongestFilter);
    keys.text("selected_kind", bookmark.selectedKind, kLongestWord);
    keys.yesOrNo("marked_by_name", bookmark.markedByName);
    keys.text("part", bookmark.part, kLongestWord);
    keys.pair("stretch", bookmark.stretchFrom, bookmark.stretchTo);
    bookmark.other = keys.others();
    return keys.result() ? Result<Bookmark>(std::move(bookmark)) : keys.result().error();
}

Result<OrderEntry> entryFrom(Json json, std::size_t at)
{
    const std::string where = "Place " + std::to_string(at + 1) + " of the order: ";
    if (!json.is_object())
        return invalid(where + "it must be an object.");
    Keys keys(std::move(json), where);
    OrderEntry entry;
    keys.text("item", entry.item, kLongestItem);
    keys.yesOrNo("shown", entry.shown);
    keys.text("note", entry.note, kLongestNote);
    return keys.result() ? Result<OrderEntry>(std::move(entry)) : keys.result().error();
}

void addOthers(Json &json, const std::vector<OtherField> &others)
{
    for (const auto &[key, text] : others)
        json[key] = parsedJson(text);
}

/// Leaves out default values where a reader would not look for them.
Json jsonOf(const Bookmark &bookmark)
{
    const Bookmark usual;
    Json json;
    json["name"] = bookmark.name;
    if (!bookmark.note.empty())
        json["note"] = bookmark.note;
    json["device"] = bookmark.device;
    json["view"] = bookmark.view;
    json["color"] = bookmark.color;
    json["axis"] = bookmark.axis;
    if (bookmark.from != usual.from || bookmark.to != usual.to)
        json["range"] = {bookmark.from, bookmark.to};
    if (bookmark.bytesFrom != usual.bytesFrom || bookmark.bytesTo != usual.bytesTo)
        json["bytes"] = {bookmark.bytesFrom, bookmark.bytesTo};
    json["cursor"] = bookmark.cursor;
    if (bookmark.selected != usual.selected)
        json["selected"] = bookmark.selected;
    if (!bookmark.filter.empty())
        json["filter"] = bookmark.filter;
    if (!bookmark.selectedKind.empty())
        json["selected_kind"] = bookmark.selectedKind;
    if (bookmark.markedByName)
        json["marked_by_name"] = true;
    if (!bookmark.part.empty())
        json["part"] = bookmark.part;
    if (bookmark.stretchFrom != usual.stretchFrom || bookmark.stretchTo != usual.stretchTo)
        json["stretch"] = {bookmark.stretchFrom, bookmark.stretchTo};
    addOthers(json, bookmark.other);
    return json;
}

Result<void> checkKind(const Json &json)
{
    const auto kind = json.is_object() ? json.find(kKindKey) : json.end();
    if (!json.is_object() || kind == json.end() || *kind != kKind)
        return Error{ErrorCode::NotRecognized, "This JSON holds no bookmarks: a session begins "
                                               "with \"vramscope\": \"session\"."};
    const auto version = json.find(kVersionKey);
    if (version == json.end() || !version->is_number_integer() || *version < 1)
        return invalid("version must be 1, the version of the session.");
    if (*version > kVersion)
        return Error{ErrorCode::Unsupported, "This session is of version " + dumped(*version) +
                                                 ", which a newer VRAMscope wrote; this one reads "
                                                 "version 1."};
    return {};
}

Json jsonOf(const OrderEntry &entry)
{
    Json json;
    json["item"] = entry.item;
    if (!entry.shown)
        json["shown"] = false;
    if (!entry.note.empty())
        json["note"] = entry.note;
    return json;
}

/// Reads at most `most` elements of a list with this key, each with `from`.
template<class Element>
Result<std::vector<Element>> listFrom(Keys &keys, const char *key, std::size_t most,
                                      const std::string &name,
                                      Result<Element> (*from)(Json, std::size_t))
{
    Json list = keys.take(key);
    std::vector<Element> elements;
    if (list.is_discarded())
        return elements;
    if (!list.is_array())
        return invalid(std::string(key) + " must be a list.");
    if (list.size() > most)
        return invalid("There are more than " + std::to_string(most) + ' ' + name + '.');
    for (std::size_t at = 0; at < list.size(); ++at) {
        auto element = from(std::move(list[at]), at);
        if (!element)
            return element.error();
        elements.push_back(std::move(element).value());
    }
    return elements;
}

} // namespace

Result<Session> parseSession(std::string_view text)
{
    if (const auto checked = checkJson(text, kLongestSession); !checked)
        return checked.error();
    Json json = parsedJson(text);
    if (const auto checked = checkKind(json); !checked)
        return checked.error();
    Keys keys(std::move(json), "");
    (void)keys.take(kKindKey);
    (void)keys.take(kVersionKey);
    Session session;
    if (Json recording = keys.take("recording"); recording.is_object()) {
        Keys of(std::move(recording), "recording: ");
        of.text("file", session.recording, kLongestFileName);
        of.number("bytes", session.recordingBytes);
        if (!of.result())
            return of.result().error();
    } else {
        return invalid("recording must be an object with the recording's file and bytes.");
    }
    auto bookmarks = listFrom(keys, "bookmarks", kMostBookmarks, "bookmarks", bookmarkFrom);
    if (!bookmarks)
        return bookmarks.error();
    auto order = listFrom(keys, "order", kMostShown, "places in the order", entryFrom);
    if (!order)
        return order.error();
    session.bookmarks = std::move(bookmarks).value();
    session.order = std::move(order).value();
    session.other = keys.others();
    return session;
}

std::string sessionJson(const Session &session)
{
    Json json;
    json[kKindKey] = kKind;
    json[kVersionKey] = kVersion;
    json["recording"] = {{"file", session.recording}, {"bytes", session.recordingBytes}};
    json["bookmarks"] = Json::array();
    for (const Bookmark &bookmark : session.bookmarks)
        json["bookmarks"].push_back(jsonOf(bookmark));
    for (const OrderEntry &entry : session.order)
        json["order"].push_back(jsonOf(entry));
    addOthers(json, session.other);
    return dumped(json, 2) + '\n';
}

} // namespace vramscope
