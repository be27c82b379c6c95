"""From a trained model to the forest that the product carries, with where it comes from."""

import hashlib
import json
import subprocess
import tempfile
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

import numpy as np
from catboost import CatBoost

from extractors.kernels.forest import Forest, Provenance


def forest_of(model: CatBoost, names: list[str], depth: int) -> Forest:
    """A trained model of symmetric trees as the product evaluates it; trees that stopped early are left out."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "model.json"
        model.save_model(str(path), format="json")
        data = json.loads(path.read_text())
    trees = [tree for tree in data["oblivious_trees"] if len(tree["splits"]) == depth]
    rest = sum(tree["leaf_values"][0] for tree in data["oblivious_trees"] if not tree["splits"])
    splits = [split for tree in trees for split in tree["splits"]]
    scale, bias = data["scale_and_bias"]
    return Forest(
        feature=np.array([split["float_feature_index"] for split in splits], np.int16),
        threshold=np.array([split["border"] for split in splits], np.float32),
        leaves=np.array([tree["leaf_values"] for tree in trees], np.float32) * scale,
        bias=float(np.ravel(bias)[0]) + rest,
        names=names,
    )


def mean_of(forests: Sequence[Forest]) -> Forest:
    """One forest that scores as these do in the mean; all are of one depth and ask about the same features."""
    return Forest(
        feature=np.concatenate([forest.feature for forest in forests]),
        threshold=np.concatenate([forest.threshold for forest in forests]),
        leaves=np.concatenate([forest.leaves for forest in forests]) / len(forests),
        bias=float(np.mean([forest.bias for forest in forests])),
        names=forests[0].names,
    )


def provenance(pages: Mapping[str, int], sets: Iterable[Path], scores: Mapping[str, float]) -> Provenance:
    """Of a forest that is trained now: on the given number of pages of each folder, with these scores on unseen sites."""
    described = subprocess.run(
        ["git", "describe", "--always", "--dirty", "--abbrev=12"], capture_output=True, check=True, text=True
    )
    rounded = {name: round(float(score), 3) for name, score in scores.items()}
    return Provenance(dict(pages), digest_of(sets), described.stdout.strip(), rounded)


def digest_of(sets: Iterable[Path]) -> str:
    """16 hexadecimal digits of the gold and the sources of all pages in these folders, or of single files."""
    found = hashlib.sha256()
    for given in sorted(sets):
        for file in [given] if given.is_file() else sorted(path for path in given.rglob("*") if path.is_file()):
            found.update(f"{given.name}/{file.relative_to(given)}".encode() + b"\0" + file.read_bytes())
    return found.hexdigest()[:16]
