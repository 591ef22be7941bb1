// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/progress.h"

#include <QFuture>
#include <QFutureWatcher>
#include <QObject>
#include <QPromise>
#include <QtConcurrentRun>

#include <utility>

namespace vramscope {

/// One core function running on a worker thread. The work is a function of values alone,
/// `T work(const Progress &)`; it hears of cancel() at its next progress call. `done(T)` runs on
/// the thread of the Job, at most once, and neither after cancel() nor after the Job is destroyed.
/// Destroying a running Job cancels it and does not wait: nothing the work holds belongs to the
/// owner.
class Job : public QObject
{
    Q_OBJECT

public:
    template<class Work, class Done>
    Job(Work work, Done done, QObject *parent = nullptr);
    ~Job() override;

    void cancel();
    [[nodiscard]] bool isRunning() const { return m_running; }

Q_SIGNALS:
    /// Share of the work that is done, 0 to 1; at most 25 times a second.
    void progressed(double share);
    /// The worker is through: after done(), or after a cancel took effect.
    void ended();

private:
    static constexpr int kSteps = 10'000;

    QFuture<void> m_future;
    bool m_running = true;
};

template<class Work, class Done>
Job::Job(Work work, Done done, QObject *parent)
    : QObject(parent)
{
    using Value = decltype(work(Progress{}));
    auto *watcher = new QFutureWatcher<Value>(this);
    connect(watcher, &QFutureWatcherBase::finished, this,
            [this, watcher, done = std::move(done)]() mutable {
                m_running = false;
                // A cancelled future finishes too, with or without a result.
                if (!watcher->isCanceled() && watcher->future().resultCount() > 0)
                    done(watcher->future().takeResult());
                Q_EMIT ended();
            });
    connect(watcher, &QFutureWatcherBase::progressValueChanged, this,
            [this](int value) { Q_EMIT progressed(static_cast<double>(value) / kSteps); });
    const auto future = QtConcurrent::run([work = std::move(work)](QPromise<Value> &promise) {
        promise.setProgressRange(0, kSteps);
        promise.addResult(work([&promise](double share) {
            promise.setProgressValue(static_cast<int>(share * kSteps));
            return !promise.isCanceled();
        }));
    });
    m_future = QFuture<void>(future);
    watcher->setFuture(future);
}

} // namespace vramscope
