// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/pickle_writer.h"

#include <algorithm>
#include <bit>
#include <map>

namespace vramscope::test {

Py Py::list(std::vector<Py> items)
{
    Py py;
    py.m_content = std::make_shared<const Node>(Node{Container::List, std::move(items)});
    return py;
}

Py Py::tuple(std::vector<Py> items)
{
    Py py;
    py.m_content = std::make_shared<const Node>(Node{Container::Tuple, std::move(items)});
    return py;
}

Py Py::dict(std::vector<std::pair<Py, Py>> items)
{
    std::vector<Py> flat;
    for (auto &[key, value] : items) {
        flat.push_back(key);
        flat.push_back(value);
    }
    Py py;
    py.m_content = std::make_shared<const Node>(Node{Container::Dict, std::move(flat)});
    return py;
}

Py Py::with(const char *key, Py value) const
{
    Node node = *std::get<std::shared_ptr<const Node>>(without(key).m_content);
    node.items.emplace_back(key);
    node.items.push_back(std::move(value));
    Py py;
    py.m_content = std::make_shared<const Node>(std::move(node));
    return py;
}

Py Py::without(const char *key) const
{
    Node node = *std::get<std::shared_ptr<const Node>>(m_content);
    for (std::size_t at = 0; at < node.items.size(); at += 2) {
        const auto *text = std::get_if<std::string>(&node.items[at].m_content);
        if (text && *text == key) {
            const auto first = node.items.begin() + static_cast<std::ptrdiff_t>(at);
            node.items.erase(first, first + 2);
            break;
        }
    }
    Py py;
    py.m_content = std::make_shared<const Node>(std::move(node));
    return py;
}

namespace {

class Writer
{
public:
    Writer(int protocol, PickleStyle style)
        : m_protocol(style == PickleStyle::Cpp ? 2 : protocol)
        , m_style(style)
    {
    }

    std::string write(const Py &value)
    {
        if (m_style == PickleStyle::Cpp)
            countUses(value);
        put(value);
        m_out += '.';
        if (m_protocol < 2)
            return m_out;
        std::string head{'\x80', static_cast<char>(m_protocol)};
        if (m_protocol >= 4)
            head += '\x95' + little(m_out.size(), 8);
        return head + m_out;
    }

private:
    using NodePointer = std::shared_ptr<const Py::Node>;

    static std::string little(std::uint64_t value, int bytes)
    {
        std::string out;
        for (int byte = 0; byte < bytes; ++byte, value >>= 8)
            out += static_cast<char>(value & 0xFF);
        return out;
    }

    /// Text of Latin-1 as protocol 0 writes it.
    static std::string escaped(const std::string &text)
    {
        std::string out;
        for (const char c : text) {
            if (c == '\\')
                out += "\\u005c";
            else if (c == '\n')
                out += "\\u000a";
            else
                out += c;
        }
        return out;
    }

    void countUses(const Py &value)
    {
        const auto *node = std::get_if<NodePointer>(&value.content());
        if (!node || ++m_uses[node->get()] > 1)
            return;
        for (const Py &item : (*node)->items)
            countUses(item);
    }

    void put(const Py &value)
    {
        std::visit([this](const auto &content) { putContent(content); }, value.content());
    }

    void putContent(std::monostate) { m_out += 'N'; }
    void putContent(bool value)
    {
        if (m_protocol < 2)
            m_out += value ? "I01\n" : "I00\n";
        else
            m_out += value ? '\x88' : '\x89';
    }
    void putContent(const Py::Raw &raw)
    {
        m_out += raw.bytes;
        m_slots += raw.memoSlots;
    }
    void putContent(const Py::Long &number)
    {
        m_out += '\x8a' + little(number.bytes.size(), 1) + number.bytes;
    }
    void putContent(double value)
    {
        if (m_protocol == 0) {
            m_out += 'F' + std::to_string(value) + '\n';
            return;
        }
        std::string bytes = little(std::bit_cast<std::uint64_t>(value), 8);
        std::ranges::reverse(bytes);
        m_out += 'G' + bytes;
    }
    void putContent(std::int64_t value)
    {
        const auto bits = static_cast<std::uint64_t>(value);
        const bool isLong = value != static_cast<std::int32_t>(value);
        if (m_protocol < 2 && isLong)
            m_out += 'L' + std::to_string(value) + "L\n";
        else if (m_protocol == 0)
            m_out += 'I' + std::to_string(value) + '\n';
        else if (value >= 0 && value < 256)
            m_out += 'K' + little(bits, 1);
        else if (value >= 0 && value < 65536)
            m_out += 'M' + little(bits, 2);
        else if (value == static_cast<std::int32_t>(value))
            m_out += 'J' + little(bits, 4);
        else
            putContent(Py::Long{little(bits, m_style == PickleStyle::Cpp ? 8 : longBytes(value))});
    }
    static int longBytes(std::int64_t value)
    {
        int bytes = 5;
        while (bytes < 8 && value != (value << (64 - 8 * bytes)) >> (64 - 8 * bytes))
            ++bytes;
        return bytes;
    }
    void putContent(const std::string &text)
    {
        if (recall(m_texts, text))
            return;
        if (m_protocol == 0)
            m_out += 'V' + escaped(text) + '\n';
        else if (m_protocol >= 4 && text.size() < 256)
            m_out += '\x8c' + little(text.size(), 1) + text;
        else
            m_out += 'X' + little(text.size(), 4) + text;
        remember(m_texts, text);
    }
    void putContent(const NodePointer &node)
    {
        if (recall(m_nodes, node.get()))
            return;
        if (node->container == Py::Container::Tuple)
            putTuple(*node);
        else
            putContainer(*node);
    }

    void putTuple(const Py::Node &node)
    {
        const bool isShort = m_protocol >= 2 && !node.items.empty() && node.items.size() <= 3;
        if (!isShort)
            m_out += '(';
        for (const Py &item : node.items)
            put(item);
        m_out += isShort ? static_cast<char>(0x84 + node.items.size()) : 't';
        if (m_style == PickleStyle::Python || m_uses[&node] > 1)
            remember(m_nodes, &node);
    }

    void putContainer(const Py::Node &node)
    {
        const bool isDict = node.container == Py::Container::Dict;
        if (m_protocol == 0)
            m_out += isDict ? "(d" : "(l";
        else
            m_out += isDict ? '}' : ']';
        if (m_style == PickleStyle::Python)
            remember(m_nodes, &node);
        const std::size_t width = isDict ? 2 : 1;
        const std::size_t batch = m_protocol == 0                  ? width
                                  : m_style == PickleStyle::Python ? 1000 * width
                                                                   : node.items.size() + 1;
        for (std::size_t first = 0; first < node.items.size(); first += batch) {
            const std::size_t last = std::min(first + batch, node.items.size());
            const bool single = m_style == PickleStyle::Python && last - first == width;
            if (!single)
                m_out += '(';
            for (std::size_t at = first; at < last; ++at)
                put(node.items[at]);
            m_out += isDict ? (single ? 's' : 'u') : (single ? 'a' : 'e');
        }
        if (m_style == PickleStyle::Cpp && m_uses[&node] > 1)
            remember(m_nodes, &node);
    }

    template<class Key>
    bool recall(const std::map<Key, std::size_t> &slots, const Key &key)
    {
        const auto known = slots.find(key);
        if (known == slots.end())
            return false;
        const std::size_t slot = known->second;
        if (m_protocol == 0)
            m_out += 'g' + std::to_string(slot) + '\n';
        else
            m_out += slot < 256 ? 'h' + little(slot, 1) : 'j' + little(slot, 4);
        return true;
    }

    template<class Key>
    void remember(std::map<Key, std::size_t> &slots, const Key &key)
    {
        const std::size_t slot = m_slots++;
        slots[key] = slot;
        if (m_protocol == 0)
            m_out += 'p' + std::to_string(slot) + '\n';
        else if (m_protocol >= 4)
            m_out += '\x94';
        else
            m_out += slot < 256 ? 'q' + little(slot, 1) : 'r' + little(slot, 4);
    }

    int m_protocol;
    PickleStyle m_style;
    std::string m_out;
    std::size_t m_slots = 0;
    std::map<std::string, std::size_t> m_texts;
    std::map<const Py::Node *, std::size_t> m_nodes;
    std::map<const Py::Node *, int> m_uses;
};

} // namespace

std::string pickled(const Py &value, int protocol, PickleStyle style)
{
    return Writer(protocol, style).write(value);
}

} // namespace vramscope::test
