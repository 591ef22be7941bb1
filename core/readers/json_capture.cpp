// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/readers/json_capture.h"

#include <nlohmann/json.hpp>

namespace vramscope {

namespace {

std::string quoted(std::string_view text)
{
    return nlohmann::json(text).dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
}

} // namespace

void JsonCapture::clear()
{
    *this = {};
}

void JsonCapture::append(std::string_view text)
{
    m_tooLong = m_tooLong || m_text.size() + text.size() > kMost;
    if (m_tooLong)
        m_text.clear();
    else
        m_text += text;
}

void JsonCapture::value(std::string_view text)
{
    if (m_comma)
        append(",");
    append(text);
    m_began = m_comma = true;
}

void JsonCapture::open(char bracket)
{
    value({&bracket, 1});
    m_comma = false;
    ++m_depth;
}

void JsonCapture::close(char bracket)
{
    append({&bracket, 1});
    m_comma = true;
    --m_depth;
}

void JsonCapture::key(std::string_view name)
{
    value(quoted(name));
    append(":");
    m_comma = false;
}

void JsonCapture::string(std::string_view text)
{
    value(text.size() > kMost ? std::string(kMost + 1, ' ') : quoted(text));
}

void JsonCapture::word(std::string_view text)
{
    value(text);
}

} // namespace vramscope
