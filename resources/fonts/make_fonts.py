#!/usr/bin/env python3
# SPDX-FileCopyrightText: The VRAMscope authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Makes the fonts that the window compiles in from Inter's (SIL Open Font License, fonts-inter of Debian):

    make_fonts.py FOLDER-OF-INTER OUTPUT-FOLDER

The family "VRAMscope Inter" has Inter's tabular figures in place of the proportional ones, because Qt before 6.7 cannot switch a
feature of a font on. Its Bold is Inter's SemiBold. "VRAMscope Inter Head" is the SemiBold with proportional figures, for large
type. All contain Latin, Greek, punctuation, arrows and mathematical signs only.

The outlines become TrueType's. FreeType thickens the stems of PostScript outlines and Qt then blends them with a gamma, which
takes half a millisecond a frame and makes the regular weight look bold on a dark background.
"""
import pathlib
import sys

from fontTools import subset
from fontTools.pens.cu2quPen import Cu2QuPen
from fontTools.pens.ttGlyphPen import TTGlyphPen
from fontTools.ttLib import TTFont, newTable

# Latin with its supplements, Greek, punctuation, superscripts, currency, letterlike, arrows, operators, shapes.
RANGES = ((0x20, 0x7E), (0xA0, 0x17F), (0x218, 0x21B), (0x2C6, 0x2DD), (0x384, 0x3CE), (0x1E9E, 0x1E9E), (0x2000, 0x206F),
          (0x2070, 0x209F), (0x20AC, 0x20AC), (0x2113, 0x2126), (0x2190, 0x21FF), (0x2200, 0x22FF), (0x2318, 0x2318),
          (0x25A0, 0x25FF), (0x2713, 0x2717))
FONTS = (("Inter-Regular", "VRAMscope Inter", "Regular", True), ("Inter-SemiBold", "VRAMscope Inter", "Bold", True),
         ("Inter-SemiBold", "VRAMscope Inter Head", "Bold", False))


def freeze(font, feature):
    """Replaces in the character map each glyph that the feature substitutes."""
    gsub = font["GSUB"].table
    lookups = {i for record in gsub.FeatureList.FeatureRecord if record.FeatureTag == feature for i in record.Feature.LookupListIndex}
    substitutes = {}
    for i in sorted(lookups):
        for table in gsub.LookupList.Lookup[i].SubTable:
            substitutes.update(getattr(getattr(table, "ExtSubTable", table), "mapping", {}))
    for table in font["cmap"].tables:
        table.cmap = {code: substitutes.get(glyph, glyph) for code, glyph in table.cmap.items()}


def rename(font, family, style):
    names = font["name"]
    names.names = [name for name in names.names if name.nameID in (0, 13, 14)]
    for name_id, text in ((1, family), (2, style), (3, f"{family} {style}"), (4, f"{family} {style}"),
                          (6, f"{family} {style}".replace(" ", "-"))):
        names.setName(text, name_id, 3, 1, 0x409)
    if style == "Bold":
        font["OS/2"].usWeightClass = 700
        font["OS/2"].fsSelection = font["OS/2"].fsSelection & ~0x40 | 0x20
        font["head"].macStyle |= 1


def to_truetype(font):
    """Replaces cubic outlines by quadratic ones, at most half a unit (of 2048 or more an em) away."""
    if "CFF " not in font:
        return
    drawn, glyphs = font.getGlyphSet(), {}
    for name in font.getGlyphOrder():
        pen = TTGlyphPen(drawn)
        drawn[name].draw(Cu2QuPen(pen, 0.5, reverse_direction=True))
        glyphs[name] = pen.glyph()
    font["loca"], font["glyf"] = newTable("loca"), newTable("glyf")
    font["glyf"].glyphOrder, font["glyf"].glyphs = font.getGlyphOrder(), glyphs
    del font["CFF "]
    most = font["maxp"]
    most.tableVersion, most.maxZones = 0x00010000, 1
    for key in ("TwilightPoints", "Storage", "FunctionDefs", "InstructionDefs", "StackElements", "SizeOfInstructions",
                "ComponentElements"):
        setattr(most, f"max{key}", 0)
    font["post"].formatType = 3.0  # without names of glyphs
    font.sfntVersion = "\x00\x01\x00\x00"


def main():
    source, output = map(pathlib.Path, sys.argv[1:3])
    output.mkdir(parents=True, exist_ok=True)
    for file, family, style, tabular in FONTS:
        path = next(p for p in (source / f"{file}.otf", source / f"{file}.ttf") if p.exists())
        font = TTFont(path, recalcTimestamp=False)
        if tabular:
            freeze(font, "tnum")
        options = subset.Options(layout_features=["kern", "mark", "mkmk", "ccmp", "locl"], name_IDs=["*"], notdef_outline=True,
                                 hinting=True, desubroutinize=True)
        subsetter = subset.Subsetter(options)
        subsetter.populate(unicodes=[code for first, last in RANGES for code in range(first, last + 1)])
        subsetter.subset(font)
        rename(font, family, style)
        to_truetype(font)
        font.save(output / (f"{family} {style}".replace(" ", "") + ".ttf"))


main()
