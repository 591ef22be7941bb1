// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/report/page_style.h"

#include <string_view>

namespace vramscope {

namespace {

// The colours of the window's two appearances.
constexpr std::string_view kLight =
    "color-scheme:light;--window:#f6f7f9;--card:#fff;--line:#e2e5ea;--text:#1d2430;--dim:#5c6778;"
    "--accent:#2660c4;--good:#1a7f4b;--warn:#9a6700;--bad:#b42318";
constexpr std::string_view kDark =
    "color-scheme:dark;--window:#16191f;--card:#1e222a;--line:#2d333d;--text:#e6e9ee;--dim:#98a2b3;"
    "--accent:#6ea0ff;--good:#4cc38a;--warn:#e0b04a;--bad:#ff8a7a";

constexpr std::string_view kLayout = R"(*{box-sizing:border-box}
html{-webkit-text-size-adjust:100%}
body{margin:0;background:var(--window);color:var(--text);
 font:15px/1.5 system-ui,-apple-system,"Segoe UI",Roboto,"Noto Sans","DejaVu Sans",sans-serif}
main{max-width:1100px;margin:0 auto;padding:24px 20px 48px;overflow-wrap:anywhere}
h1{font-size:1.55rem;line-height:1.25;margin:1.6em 0 .4em}
h1:first-child{margin-top:0}
h2{font-size:1.15rem;margin:1.8em 0 .5em}
h3{font-size:1rem;margin:1.4em 0 .4em;color:var(--dim)}
h1,h2,h3{break-after:avoid}
p{margin:.5em 0;max-width:78ch}
p.answer{font-size:1.3rem;line-height:1.35;font-weight:600;max-width:none;margin:.4em 0 .8em;
 padding:14px 18px;background:var(--card);border:1px solid var(--line);
 border-left:5px solid var(--accent);border-radius:8px}
p.good{color:var(--good)}p.bad{color:var(--bad)}
p.answer.good{border-left-color:var(--good)}p.answer.bad{border-left-color:var(--bad)}
p.answer.warning{color:var(--warn);border-left-color:var(--warn)}
p.warning b{color:var(--warn)}p.note b{color:var(--dim)}
table{border-collapse:collapse;background:var(--card);border:1px solid var(--line);
 font-variant-numeric:tabular-nums;margin:.5em 0 1em;max-width:100%}
th,td{padding:6px 12px;text-align:left;vertical-align:top;border-bottom:1px solid var(--line);
 overflow-wrap:break-word}
td.long{overflow-wrap:anywhere;min-width:13em}
th{color:var(--dim);font-weight:600;font-size:.85rem}
tbody tr:last-child td{border-bottom:0}
.n{text-align:right;white-space:nowrap}
thead{break-after:avoid}tr{break-inside:avoid}
table.pairs{display:block;background:none;border:0}
table.pairs tbody{display:block;columns:3 15em;column-gap:28px}
table.pairs tr{display:flex;justify-content:space-between;gap:14px;
 border-bottom:1px solid var(--line)}
table.pairs td{padding:4px 2px;border:0}
table.pairs td:first-child{color:var(--dim)}table.pairs td:last-child{text-align:right}
figure{margin:1em 0;break-inside:avoid}
.picture{border:1px solid var(--line);border-radius:8px;overflow:hidden}
.picture>*{display:block;width:100%;height:auto}
.picture.small,.picture.dark{display:none}
figcaption{color:var(--dim);font-size:.9rem;margin-top:.4em}
pre{background:var(--card);border:1px solid var(--line);border-radius:8px;padding:12px;
 overflow-x:auto;overflow-wrap:normal;font:12.5px/1.45 ui-monospace,"DejaVu Sans Mono",monospace}
footer{margin-top:2.5em;padding-top:.8em;border-top:1px solid var(--line);color:var(--dim);
 font-size:.85rem}
details{margin:.5em 0}summary{cursor:pointer;color:var(--accent)}
@media screen and (max-width:640px){
 main{padding:14px 12px 40px}
 h1{font-size:1.3rem}p.answer{font-size:1.1rem;padding:11px 13px}
 th,td{padding:5px 8px;overflow-wrap:anywhere}
 table{width:100%}
 table.wide,table.wide tbody{display:block}
 table.wide thead{display:none}
 table.wide tr{display:flex;flex-wrap:wrap;gap:2px 16px;padding:8px 10px;
  border-bottom:1px solid var(--line)}
 table.wide tbody tr:last-child{border-bottom:0}
 td.long{min-width:0}table.wide td{flex:0 0 100%;padding:0;border:0;text-align:left}
 table.wide td.n{flex:0 0 auto}
 table.wide td:first-child:not(.n,:only-child){font-weight:600}
 table.wide td:empty{display:none}
 table.wide td[data-label]:not(:first-child:not(.n))::before{content:attr(data-label) "\00a0 ";
  color:var(--dim);font-size:.85rem}
 .picture.large.light{display:none}.picture.small.light{display:block}
}
@media print{
 body{font-size:10pt;background:#fff}
 main{max-width:none;padding:0}
 p.answer{font-size:13pt}
 h1:not(:first-child){break-before:page}
 th,td{padding:3px 6px}
 table.pairs tbody{columns:3}table.pairs td{padding:2px}
 details{display:none}
}
@page{margin:16mm 14mm}
)";

constexpr std::string_view kDarkPictures = R"(@media screen and (prefers-color-scheme:dark){
 .picture.large.light,.picture.small.light{display:none}.picture.large.dark{display:block}
}
@media screen and (prefers-color-scheme:dark) and (max-width:640px){
 .picture.large.dark{display:none}.picture.small.dark{display:block}
}
)";

std::string rule(std::string_view selector, std::string_view body)
{
    return std::string(selector) + "{" + std::string(body) + "}";
}

} // namespace

// Paper is light, also where the system is dark.
std::string pageStyle(PageColors colors)
{
    std::string style = rule(":root", colors == PageColors::Dark ? kDark : kLight) + "\n";
    if (colors == PageColors::Both)
        style += rule("@media screen and (prefers-color-scheme:dark)", rule(":root", kDark)) + "\n";
    style += kLayout;
    return colors == PageColors::Both ? style + std::string(kDarkPictures) : style;
}

} // namespace vramscope
