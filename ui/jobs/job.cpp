// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/jobs/job.h"

#include "core/base/result.h"

namespace vramscope {

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

} // namespace vramscope
