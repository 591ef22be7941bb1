# SPDX-FileCopyrightText: The VRAMscope authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Checkpoints of Lightning, of which two are kept."""

import lightning
import torch
from lightning.pytorch.callbacks import ModelCheckpoint


class Model(lightning.LightningModule):
    def __init__(self):
        super().__init__()
        self.layer = torch.nn.Linear(32, 2)

    def training_step(self, batch, index):
        loss = self.layer(batch).sum()
        self.log("loss", loss)
        return loss

    def configure_optimizers(self):
        return torch.optim.SGD(self.parameters(), 0.1)


keeps = ModelCheckpoint("old", every_n_train_steps=1, save_top_k=2, monitor="loss", save_last="link")
trainer = lightning.Trainer(max_steps=4, accelerator="gpu", devices=1, callbacks=[keeps],
                            logger=False, enable_progress_bar=False)
trainer.fit(Model(), torch.utils.data.DataLoader(torch.randn(16, 32), batch_size=2))
trainer.save_checkpoint("old/model.pt")
Model.load_from_checkpoint("old/model.pt")
print("ended")
