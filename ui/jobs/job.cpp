// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/jobs/job.h"

namespace vramscope {

Job::~Job()
{
    cancel();
}

void Job::cancel()
{
    m_future.cancel();
}

} // namespace vramscope
