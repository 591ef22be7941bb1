// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

class QWidget;

namespace vramscope {

class Job;

/// Draws a thin line along the top of `over` that shows how far `job` is, from when it has kept its
/// user waiting for a moment until it ends or is destroyed. It takes no room and no clicks.
void showProgress(const Job &job, QWidget *over);

} // namespace vramscope
