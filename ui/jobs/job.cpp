// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/jobs/job.h"

#include "core/base/result.h"

#include <QEvent>
#include <QProgressBar>
#include <QThreadPool>
#include <QTimer>

#include <chrono>
#include <cstdio>
#include <cstdlib>

namespace vramscope {

using namespace Qt::StringLiterals;

JobFailures *JobFailures::instance()
{
    static JobFailures failures;
    return &failures;
}

Job::~Job()
{
    cancel();
}

void Job::cancel()
{
    m_future.cancel();
}

void Job::fail(const Error &error)
{
    Q_EMIT JobFailures::instance()->happened(QString::fromStdString(error.text()));
    Q_EMIT failed();
}

int endJobs(int status)
{
    constexpr int kMoment = 200; // milliseconds
    if (QThreadPool::globalInstance()->waitForDone(kMoment))
        return status;
    std::fflush(nullptr);
    std::_Exit(status);
}

using namespace std::chrono_literals;

namespace {

constexpr int kSteps = 1000;
constexpr int kHeight = 4;
constexpr auto kPatience = 300ms; // shorter work would only flicker

class JobLine : public QProgressBar
{
public:
    JobLine(const Job &job, QWidget *over)
        : QProgressBar(over)
    {
        setRange(0, kSteps);
        setTextVisible(false);
        setAccessibleName(u"Progress of the work"_s);
        setAttribute(Qt::WA_TransparentForMouseEvents);
        hide();
        over->installEventFilter(this);
        connect(&job, &Job::progressed, this,
                [this](double share) { setValue(static_cast<int>(share * kSteps)); });
        connect(&job, &Job::ended, this, &QObject::deleteLater);
        connect(&job, &QObject::destroyed, this, &QObject::deleteLater);
        QTimer::singleShot(kPatience, this, [this] {
            // A picture made on no screen does not depend on how fast the machine is.
            if (parentWidget()->window()->testAttribute(Qt::WA_DontShowOnScreen))
                return;
            lieOnTop();
            show();
        });
    }

protected:
    bool eventFilter(QObject *watched, QEvent *event) override
    {
        if (watched == parent() && event->type() == QEvent::Resize)
            lieOnTop();
        return QProgressBar::eventFilter(watched, event);
    }

private:
    void lieOnTop()
    {
        setGeometry(0, 0, parentWidget()->width(), kHeight);
        raise();
    }
};

} // namespace

void showProgress(const Job &job, QWidget *over)
{
    if (job.isRunning())
        new JobLine(job, over);
}

} // namespace vramscope
