// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/window/command_line.h"

namespace vramscope {

using namespace Qt::StringLiterals;

QString usageText()
{
    return uR"(Usage: vramscope [FILE…]
       vramscope --compare FILE FILE…
       vramscope --reconcile PLAN RECORDING
       vramscope --trust
       vramscope render [FILE…] --view VIEW -o|--out FILE [--size WxH]
                        [--format F] [--scale 1…4] [--caption] [--title TEXT] [--redact]
                        [--theme light|dark] [--unit gib|gb] [--device N] [--color BY]
                        [--cost COST] [--event N] [--range FIRST:LAST]
       vramscope report FILE… -o|--out FILE.html|FILE.pdf [--format html|pdf] [--redact]
                        [--unit gib|gb] [--light|--dark|--both]
       vramscope --check [FILE…]

Opens plans, recorded snapshots, curves over time and folders with the snapshots of a run in the
window; --compare holds two to eight snapshots against each other in one tab, --reconcile a plan
against a snapshot of its run, --trust the planner against measured figures. render writes one view
without a screen, as a picture (png, svg, pdf) or the table that goes with it (csv, md, json), by
the ending of FILE or --format:
  plan, plan/VIEW                          the page of a plan, with step, sweep, layouts, allocator
                                           or compare below; the plans of further files stand beside
                                           it
  breakdown                                of a plan: its stacked bars
  active-memory, reserved, bands, lanes    of a recorded snapshot: timelines, of all events or of
                                           those of --range
  state                                    its address space after --event, or at the peak
  events                                   its events, about --event
  stacks                                   its flame graph by COST
  steps                                    its training steps over each other; that of --event
                                           stands out
  what-if                                  the same requests under other settings of the allocator
  trace, trace/VIEW                        its whole page: with active memory, or with one of these
  series                                   of a profiler trace, a memory timeline or a log of
                                           nvidia-smi
  compare                                  of two to eight recorded snapshots
  reconcile                                of a plan and a recorded snapshot of its run
  ranks                                    of a folder with the snapshots of a run
  trust                                    of the measured figures that ship; takes no FILE
BY is what allocations are coloured by: stack, category, size, age, stream or pool. COST is live
(after --event), peak, byte-time, total, temporary or never-freed. Events are numbered from 0.
A picture has 1600x1000 pixels, is light, counts bytes in powers of 1024 and shows the device that
ran out of memory, or else did most, where --size, --theme, --unit (gb: powers of 1000) and
--device say nothing else.
--scale gives a PNG up to four pixels to each of these. --caption puts title, capacity, source and
the file's date (or that of $SOURCE_DATE_EPOCH) around it, --title another title. --redact leaves
out names of users and machines and home folders. The same file gives the same bytes every time.
report writes one file, a page that needs no network or a PDF, about plans, recordings and folders
with those of a run: answer, pictures, tables, assumptions, formulas and warnings of a plan, which
opens from the page again; of a snapshot what happened, what filled the memory and why it ran out;
of curves over time their peaks; of ranks which one stands out; several of a kind, or a plan with a
snapshot of its run, compared. --redact leaves out names of people and machines and home folders. A
page has its reader's colours, or those of --light or --dark. The same files give the same bytes.
What is written replaces the file of its name once all of it is on the disk, never one that is
read. - as FILE is the standard output, where render needs --format and report writes a page; a
device or a pipe is written into.
--check opens the window without a screen, with the examples where no file is named, and ends
with status 0 when every page came up.
--help and --version say what they say.
)"_s;
}

} // namespace vramscope
