// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/profile/profile_colors.h"

#include "core/profile/launches.h"

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
    static constexpr std::array<QRgb, kCoverCount> kColors{0, 0xff1f63e0, 0xffa65698, 0xffc4830f,
                                                           0xffedd43a}; // of idle time: the theme's
    return cover == CoverKind::Idle ? theme.line : QColor(kColors[static_cast<std::size_t>(cover)]);
}

QColor workColor(WorkClass workClass, WorkFamily family, const Theme &theme)
{
    struct Shades
    {
        std::array<QRgb, kWorkClassCount> classes; // of compute: families
        std::array<QRgb, 12> families;
    };
    static constexpr Shades kLight{{0, 0xffc4830f, 0xffedd43a, 0xff551812},
                                   {0xffe4e4e0, 0xff1f63e0, 0xff4f1f82, 0xff0b2d45, 0xff84a4f6,
                                    0xff0a6652, 0xffa3e584, 0xffe3c4fa, 0xff6a682a, 0xffa65698,
                                    0xffd9928a, 0xffe4e4e0}};
    static constexpr Shades kDark{{0, 0xffe0942e, 0xffe9e202, 0xffc32f43},
                                  {0xffe8e6e2, 0xff2876fe, 0xff6d57b3, 0xff587280, 0xff5d9cea,
                                   0xff2b886b, 0xffdef895, 0xffdfaae7, 0xff95af67, 0xffea67b1,
                                   0xffe1bca6, 0xffe8e6e2}};
    static_assert(kLight.families.size() == static_cast<std::size_t>(WorkFamily::Other) + 1);
    const Shades &shades = theme.dark ? kDark : kLight;
    return QColor(workClass == WorkClass::Compute
                      ? shades.families[static_cast<std::size_t>(family)]
                      : shades.classes[static_cast<std::size_t>(workClass)]);
}

namespace {

// What the host does stands back behind what the devices do.
constexpr std::array<QRgb, 8> kHostHues = {0xff7a9cc6, 0xff8fb8a8, 0xffb39bc8, 0xffc6b08a,
                                           0xff8aa6b8, 0xffa8b88f, 0xffc09aa8, 0xff9aa3c0};

QRgb hostTint(std::size_t hue, const Theme &theme)
{
    return mixedRgb(kHostHues[hue], theme.window.rgb(), theme.dark ? 140 : 150);
}
QRgb callColor(const Theme &theme)
{
    return mixedRgb(theme.dim.rgb(), theme.window.rgb(), 90);
}
QRgb waitingColor(const Theme &theme)
{
    return mixedRgb(theme.bad.rgb(), theme.window.rgb(), 130);
}
QRgb annotationColor(const Theme &theme)
{
    return mixedRgb(theme.accent.rgb(), theme.window.rgb(), 70);
}

} // namespace

std::array<std::string, kSliceKindCount> sliceColors(const Theme &theme)
{
    std::vector<QRgb> colors;
    for (auto family = static_cast<std::size_t>(WorkFamily::MatrixProduct);
         family <= static_cast<std::size_t>(WorkFamily::Other); ++family)
        colors.push_back(
            workColor(WorkClass::Compute, static_cast<WorkFamily>(family), theme).rgb());
    for (const WorkClass other : {WorkClass::Communication, WorkClass::Copy, WorkClass::Fill})
        colors.push_back(workColor(other, WorkFamily::None, theme).rgb());
    for (const QRgb color :
         {hostTint(0, theme), callColor(theme), waitingColor(theme), annotationColor(theme),
          hostTint(2, theme), theme.line.rgb(), theme.line.rgb()})
        colors.push_back(color);
    std::array<std::string, kSliceKindCount> names;
    for (std::size_t at = 0; at < names.size(); ++at)
        names[at] = QColor(colors.at(at)).name().toStdString();
    return names;
}

EventColors::EventColors(const ProfileDocument &document, const Theme &theme)
    : m_document(&document)
    , m_ground(theme.window.rgb())
{
    for (const WorkGroup &group : document.classes().groups)
        m_work.push_back(workColor(group.workClass, group.family, theme).rgb());
    for (std::size_t at = 0; at < kTints; ++at)
        m_tints[at] = hostTint(at, theme);
    m_call = callColor(theme);
    m_waiting = waitingColor(theme);
    m_annotation = annotationColor(theme);
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
