// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/profile/profile_strip.h"

#include "core/print/cells.h"
#include "ui/page/labels.h"
#include "ui/page/layout.h"
#include "ui/profile/profile_text.h"
#include "ui/support/elided_label.h"
#include "ui/support/text.h"

#include <QBoxLayout>
#include <QLabel>

namespace vramscope {

using namespace Qt::StringLiterals;

QString recordedText(const ProfileDocument &document)
{
    const Profile &profile = *document.profile;
    QStringList parts;
    for (const ProfileDevice &device : document.devices) {
        const QString name = foreignText(device.name);
        if (parts.size() == 2) {
            parts << countedText(std::ssize(document.devices), "device");
            break;
        }
        parts << (name.isEmpty() ? u"GPU %1"_s.arg(device.device)
                                 : u"GPU %1: %2"_s.arg(device.device).arg(name));
    }
    if (profile.rank() != kNotStated)
        parts << (profile.worldSize() == kNotStated
                      ? u"rank %1"_s.arg(profile.rank())
                      : u"rank %1 of %2"_s.arg(profile.rank()).arg(profile.worldSize()));
    parts << toQString(counted(profile.eventCount(), "event"));
    parts << durationText(document.end - document.origin);
    const auto steps = static_cast<std::int64_t>(profile.steps().size());
    parts << (steps == 0 ? u"no steps marked"_s : toQString(counted(steps, "step")));
    if (profile.skippedPythonFunctions() > 0)
        parts << toQString(counted(profile.skippedPythonFunctions(), "Python function")) +
                     u" left out"_s;
    return parts.join(u" · "_s);
}

QString busyText(const ProfileDocument &document)
{
    const ProfileDevice *least = nullptr; // busy
    CoverTimes times{};
    std::int64_t length = 0;
    for (const ProfileDevice &device : document.devices) {
        const CoverTimes all = device.coverage.within(document.origin, document.end);
        if (!least || timeOf(all, CoverKind::Idle) > timeOf(times, CoverKind::Idle)) {
            least = &device;
            times = all;
            length = document.end - document.origin;
        }
    }
    if (!least || length <= 0)
        return u"Only the CPU was recorded, for %1"_s.arg(
            durationText(document.end - document.origin));
    const std::int64_t idle = timeOf(times, CoverKind::Idle);
    const std::int64_t exposed = timeOf(times, CoverKind::Communication);
    QString text = u"GPU %1 was busy for %2 of %3"_s.arg(
        QString::number(least->device), shareText(length - idle, length), durationText(length));
    if (document.devices.size() > 1)
        text += u", the least of %1"_s.arg(countedText(std::ssize(document.devices), "GPU"));
    if (exposed > length / 100)
        text += u"; communication was exposed for %1"_s.arg(shareText(exposed, length));
    return unbroken(text);
}

ProfileStrip::ProfileStrip(const std::shared_ptr<const ProfileDocument> &document, QWidget *parent)
    : QWidget(parent)
    , m_recorded(elidedLabel())
    , m_chips(new FindingChips)
{
    setStyled(*this, u"strip"_s);
    m_recorded->setFullText(recordedText(*document));
    m_recorded->setFont(typeFont(Type::Lead));
    QLabel *headline = headlineLabel(busyText(*document));
    headline->setMinimumWidth(1);
    setLayout(column({row({{m_recorded, 1}, m_chips}, 16), headline}, 4, {16, 8, 16, 8}));
    connect(m_chips, &FindingChips::chosen, this, &ProfileStrip::findingChosen);
}

void ProfileStrip::setFindings(const std::vector<Finding> &findings)
{
    m_chips->setFindings(findings);
    fitChips();
}

QSize ProfileStrip::minimumSizeHint() const
{
    return {320, QWidget::minimumSizeHint().height()};
}

void ProfileStrip::resizeEvent(QResizeEvent *event)
{
    QWidget::resizeEvent(event);
    fitChips();
}

/// What was recorded keeps its place.
void ProfileStrip::fitChips()
{
    m_chips->fit(std::max(width() * 6 / 10, width() - m_recorded->sizeHint().width() - 60));
}

} // namespace vramscope
