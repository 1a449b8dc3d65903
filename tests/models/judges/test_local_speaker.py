"""A small LLaVA with random weights, in its own layout, as a judge of three kinds."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
import torch
import transformers
from tokenizers import Tokenizer, models, pre_tokenizers

from pentathlon.core.errors import DataError
from pentathlon.models.chat import picture_part, user
from pentathlon.models.judges.vlm import load_speaker, make_rubric, make_true, make_vlm

CLIP = np.random.default_rng(0).integers(0, 255, (16, 24, 24, 3), dtype=np.uint8)
SENTENCES = ("We heat the mug", "We cool the mug")
TEMPLATE = (
    "{% for message in messages %}{{ message['role'] }} {% for part in message['content'] %}"
    "{% if part['type'] == 'image' %}<image> {% else %}{{ part['text'] }} {% endif %}{% endfor %}{% endfor %}"
    "{% if add_generation_prompt %}assistant{% endif %}"
)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("llava")
    words = ["<pad>", "<unk>", "</s>", "<image>", "True", "False", *map(str, range(10)), "mug", "heat", "cool", "We"]
    plain = Tokenizer(models.WordLevel({word: number for number, word in enumerate(words)}, "<unk>"))
    plain.pre_tokenizer = pre_tokenizers.WhitespaceSplit()
    tokenizer = transformers.PreTrainedTokenizerFast(
        tokenizer_object=plain, pad_token="<pad>", unk_token="<unk>", eos_token="</s>"
    )
    tokenizer.add_special_tokens({"additional_special_tokens": ["<image>"]})
    pictures = transformers.CLIPImageProcessor(size={"shortest_edge": 28}, crop_size={"height": 28, "width": 28})
    processor = transformers.LlavaProcessor(
        pictures, tokenizer, patch_size=14, vision_feature_select_strategy="default", chat_template=TEMPLATE,
        num_additional_image_tokens=1,
    )  # fmt: skip
    processor.save_pretrained(str(path))
    config = transformers.LlavaConfig(
        vision_config=transformers.CLIPVisionConfig(
            hidden_size=16, intermediate_size=24, num_hidden_layers=2, num_attention_heads=2, image_size=28,
            patch_size=14,
        ),
        text_config=transformers.LlamaConfig(
            vocab_size=len(words), hidden_size=16, intermediate_size=24, num_hidden_layers=2, num_attention_heads=2,
            num_key_value_heads=2, max_position_embeddings=4096, eos_token_id=2, pad_token_id=0, bos_token_id=0,
        ),
        image_token_index=3,
        image_seq_length=4,
    )  # fmt: skip
    torch.manual_seed(0)
    model = transformers.LlavaForConditionalGeneration(config)
    for parameter in model.parameters():
        torch.nn.init.normal_(parameter, std=0.5)
    model.save_pretrained(str(path))
    return path


def test_the_three_messages_are_spoken(folder: Path) -> None:
    judge = make_vlm(str(folder))
    scores = judge.score(CLIP, SENTENCES)
    assert scores.shape == (2,)
    assert set(judge.remarks) == {"counts", "described", "matched", "scored"}
    assert judge.remarks["counts"]["refused"] == 0
    # Sixteen pictures of four places each were read, and words besides.
    assert judge.remarks["counts"]["tokens in"] > 16 * 4
    np.testing.assert_array_equal(judge.score(CLIP, SENTENCES), scores)


def test_a_rubric_gives_a_level_or_nothing(folder: Path) -> None:
    judge = make_rubric(str(folder))
    scores = judge.score(CLIP, SENTENCES)
    assert set(scores.tolist()) <= {0.0, 1.0, 2.0, 3.0, 4.0, 5.0}
    assert judge.remarks["counts"]["unscored"] == sum(score == 0.0 for score in scores)


def test_the_chance_of_true_is_the_model_s_own(folder: Path) -> None:
    speaker = load_speaker(str(folder))
    messages = [user(picture_part(CLIP[0]), "We heat the mug")]
    chances = [speaker.log_chance(messages, word) for word in ("True", "False", "mug")]
    assert all(chance < 0 for chance in chances)
    assert len(set(chances)) == 3
    judge = make_true(str(folder))
    first, second = judge.score(CLIP, SENTENCES)
    assert first != second


def test_other_folders_are_refused(tmp_path: Path) -> None:
    (tmp_path / "config.json").write_text('{"model_type": "vit"}')
    with pytest.raises(DataError, match="Expected a vision-language model with its processor in"):
        load_speaker(str(tmp_path))


def test_a_package_that_is_missing_is_named(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*given: object, **options: object) -> None:
        raise ImportError("\nQwen2VLVideoProcessor requires the Torchvision library.\n")

    monkeypatch.setattr(transformers.AutoProcessor, "from_pretrained", fail)
    with pytest.raises(DataError, match=r"is not here: Qwen2VLVideoProcessor requires .*Install it"):
        load_speaker(str(folder))
