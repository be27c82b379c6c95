"""The texts of an article's parts are stored in their order, behind its first page, which waits for its verdict."""

import asyncio

from scrapy.utils.test import get_crawler

from pipelines.items import RowsItem
from pipelines.stores.tables import PAGES
from pipelines.titles.pipeline import TitlesPipeline


def test_a_later_part_does_not_overtake_an_earlier_one() -> None:
    passed: list[str] = []

    async def scene() -> None:
        pipeline = TitlesPipeline(get_crawler())
        answer = asyncio.get_running_loop().create_future()

        async def through(name: str) -> None:
            await pipeline.process_item(RowsItem([(PAGES, {"key": "first", "body": name})]))
            passed.append(name)

        async def first() -> None:
            pipeline._pending["first"] = answer
            await answer
            del pipeline._pending["first"]
            passed.append("first")
            tasks.append(asyncio.create_task(through("three parts")))

        tasks = [asyncio.create_task(first())]
        await asyncio.sleep(0)
        tasks.append(asyncio.create_task(through("two parts")))
        await asyncio.sleep(0)
        answer.set_result(None)
        await asyncio.gather(*tasks[:2])
        await asyncio.gather(*tasks)

    asyncio.run(scene())
    assert passed == ["first", "two parts", "three parts"]
