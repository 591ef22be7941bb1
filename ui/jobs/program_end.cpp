// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/jobs/program_end.h"

#include <QThreadPool>

#include <cstdio>
#include <cstdlib>

namespace vramscope {

int endJobs(int status)
{
    constexpr int kMoment = 200; // milliseconds
    if (QThreadPool::globalInstance()->waitForDone(kMoment))
        return status;
    std::fflush(nullptr);
    std::_Exit(status);
}

} // namespace vramscope
