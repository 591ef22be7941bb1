// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/memory.h"
#include "core/base/progress.h"

#include <QFuture>
#include <QFutureWatcher>
#include <QObject>
#include <QPointer>
#include <QPromise>
#include <QtConcurrentRun>

#include <memory>
#include <new>
#include <optional>
#include <type_traits>
#include <utility>

class QWidget;

namespace vramscope {

class Job;

/// Reports jobs that ended without a result because memory ran out.
class JobFailures : public QObject
{
    Q_OBJECT

public:
    static JobFailures *instance();

Q_SIGNALS:
    void happened(const QString &sentence);
};

/// One core function running on a worker thread. The work is a function of values alone, `T
/// work(const Progress &)`; it notices cancel() at its next progress call. `done(T)` runs on the
/// thread of the Job, at most once, and neither after cancel() nor after the Job is destroyed.
/// Destroying a running Job cancels it and does not wait: the work owns everything it uses. Work
/// that runs out of memory ends as an Error: it is passed to done() if T can be an Error; else
/// failed() is emitted, and JobFailures reports it.
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
    /// There was not enough memory, and done() is not called. The receiver may destroy the Job.
    void failed();
    /// The worker has finished: after done() or failed(), or after a cancel took effect.
    void ended();

private:
    void fail(const Error &error);

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
    const auto failure = std::make_shared<std::optional<Error>>(); // the worker's until it finishes
    connect(watcher, &QFutureWatcherBase::finished, this,
            [this, watcher, failure, done = std::move(done)]() mutable {
                m_running = false;
                const QPointer<Job> self(this); // a receiver may destroy it
                // A cancelled future finishes too, with or without a result.
                if (!watcher->isCanceled() && *failure) {
                    if constexpr (std::is_constructible_v<Value, Error>)
                        done(Value(**failure));
                    else
                        fail(**failure);
                } else if (!watcher->isCanceled() && watcher->future().resultCount() > 0) {
                    done(watcher->future().takeResult());
                }
                if (self)
                    Q_EMIT ended();
            });
    connect(watcher, &QFutureWatcherBase::progressValueChanged, this,
            [this](int value) { Q_EMIT progressed(static_cast<double>(value) / kSteps); });
    const auto future =
        QtConcurrent::run([work = std::move(work), failure](QPromise<Value> &promise) {
            promise.setProgressRange(0, kSteps);
            try {
                promise.addResult(work([&promise](double share) {
                    promise.setProgressValue(static_cast<int>(share * kSteps));
                    return !promise.isCanceled();
                }));
            } catch (const std::bad_alloc &) {
                *failure = notEnoughMemory();
            }
        });
    m_future = QFuture<void>(future);
    watcher->setFuture(future);
}

/// Returns `status` once the workers of all jobs have ended. If some do not within a moment,
/// although their owners are gone and have cancelled them, the program exits immediately with this
/// status: their results are useless by then, and Qt would wait for them.
[[nodiscard]] int endJobs(int status);

/// Draws a thin line along the top of `over` that shows how far `job` is, from when it has kept its
/// user waiting for a moment until it ends or is destroyed. It takes no room and no clicks.
void showProgress(const Job &job, QWidget *over);

} // namespace vramscope
