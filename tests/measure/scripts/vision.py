# SPDX-FileCopyrightText: The VRAMscope authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""torchvision's ResNet-50, or ViT-B/16 with --vit, on random images in channels-last fp16."""

import sys

import torch
import torchvision


def main():
    vit = "--vit" in sys.argv
    model = (torchvision.models.vit_b_16() if vit else torchvision.models.resnet50()).to(
        "cuda", memory_format=torch.channels_last)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1, momentum=0.9)
    scaler = torch.amp.GradScaler("cuda")
    steps = int(sys.argv[sys.argv.index("--steps") + 1]) if "--steps" in sys.argv else 3
    for _ in range(steps):
        images = torch.rand(32, 3, 224, 224).to("cuda", memory_format=torch.channels_last)
        labels = torch.randint(0, 1000, (32,)).to("cuda")
        with torch.autocast("cuda", dtype=torch.float16):
            loss = torch.nn.functional.cross_entropy(model(images), labels)
        optimizer.zero_grad()
        scaler.scale(loss).backward()
        scaler.step(optimizer)
        scaler.update()


main()
