// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/profile/profile_colors.h"

#include "core/profile/call_kinds.h"

namespace vramscope {

namespace {

QRgb mixedRgb(QRgb a, QRgb b, int partOfA) // of 256
{
    const auto channel = [partOfA](int x, int y) {
        return (x * partOfA + y * (256 - partOfA)) / 256;
    };
    return qRgb(channel(qRed(a), qRed(b)), channel(qGreen(a), qGreen(b)),
                channel(qBlue(a), qBlue(b)));
}

} // namespace

QColor coverColor(CoverKind cover, const Theme &theme)
{
    switch (cover) {
    case CoverKind::Compute:
        return QColor::fromRgb(0x4477aa);
    case CoverKind::Both:
        return QColor::fromRgb(0xaa3377);
    case CoverKind::Communication:
        return QColor::fromRgb(0xee7733);
    case CoverKind::Copies:
        return QColor::fromRgb(0xccbb44);
    case CoverKind::Idle:
        break;
    }
    return theme.line;
}

QColor workColor(WorkClass workClass, WorkFamily family)
{
    switch (workClass) {
    case WorkClass::Communication:
        return QColor::fromRgb(0xee7733);
    case WorkClass::Copy:
        return QColor::fromRgb(0xccbb44);
    case WorkClass::Fill:
        return QColor::fromRgb(0xddd28a);
    case WorkClass::Compute:
        break;
    }
    switch (family) {
    case WorkFamily::MatrixProduct:
        return QColor::fromRgb(0x4477aa);
    case WorkFamily::Attention:
        return QColor::fromRgb(0x66ccee);
    case WorkFamily::Convolution:
        return QColor::fromRgb(0x228833);
    case WorkFamily::Normalization:
        return QColor::fromRgb(0x44aa99);
    case WorkFamily::Elementwise:
        return QColor::fromRgb(0x88a9d6);
    case WorkFamily::Reduction:
        return QColor::fromRgb(0x7a8b99);
    case WorkFamily::Softmax:
        return QColor::fromRgb(0x5aae9b);
    case WorkFamily::Embedding:
        return QColor::fromRgb(0xc9a66b);
    case WorkFamily::Optimizer:
        return QColor::fromRgb(0x9b6bb3);
    case WorkFamily::Triton:
        return QColor::fromRgb(0x5b5fb0);
    case WorkFamily::Other:
    case WorkFamily::None:
        break;
    }
    return QColor::fromRgb(0x94a3b8);
}

EventColors::EventColors(const ProfileDocument &document, const Theme &theme)
    : m_document(&document)
    , m_ground(theme.window.rgb())
{
    for (const WorkGroup &group : document.classes().groups)
        m_work.push_back(workColor(group.workClass, group.family).rgb());
    // What the host does stands back behind what the devices do.
    static constexpr std::array<QRgb, kTints> kHues = {0xff7a9cc6, 0xff8fb8a8, 0xffb39bc8,
                                                       0xffc6b08a, 0xff8aa6b8, 0xffa8b88f,
                                                       0xffc09aa8, 0xff9aa3c0};
    for (std::size_t at = 0; at < kTints; ++at)
        m_tints[at] = mixedRgb(kHues[at], m_ground, theme.dark ? 140 : 150);
    m_call = mixedRgb(theme.dim.rgb(), m_ground, 90);
    m_waiting = mixedRgb(theme.bad.rgb(), m_ground, 130);
    m_annotation = mixedRgb(theme.accent.rgb(), m_ground, 70);
    m_quiet = theme.line.rgb();
    const Profile &profile = *document.profile;
    for (const StringId name : profile.calls().name) {
        const auto id = static_cast<std::size_t>(name);
        if (id < m_waits.size())
            continue;
        for (std::size_t at = m_waits.size(); at <= id; ++at)
            m_waits.push_back(waitsForDevice(profile.text(StringId(at))));
    }
}

QRgb EventColors::faint(QRgb color) const
{
    return mixedRgb(color, m_ground, 60);
}

QRgb EventColors::textOn(QRgb color)
{
    return qGray(color) > 128 ? qRgb(0x12, 0x16, 0x1c) : qRgb(0xff, 0xff, 0xff);
}

QRgb EventColors::ofHost(EventKind kind, std::uint32_t event) const
{
    const Profile &profile = *m_document->profile;
    const auto tint = [this](StringId name) {
        return m_tints[(static_cast<std::uint32_t>(name) * 2654435761U >> 16) % kTints];
    };
    if (kind == EventKind::Operator)
        return tint(profile.operators().name[event]);
    if (kind == EventKind::Call)
        return m_waits[static_cast<std::size_t>(profile.calls().name[event])] ? m_waiting : m_call;
    switch (profile.ranges().kind[event]) {
    case RangeKind::User:
    case RangeKind::Device:
        return m_annotation;
    case RangeKind::Python:
        return tint(profile.ranges().name[event]);
    case RangeKind::Overhead:
    case RangeKind::Sync:
        break;
    }
    return m_quiet;
}

} // namespace vramscope
