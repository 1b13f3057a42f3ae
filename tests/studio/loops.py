"""How is a coroutine finished in a test, beside a browser that has a loop of its own?"""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine
from concurrent.futures import ThreadPoolExecutor
from typing import Any


def finish(coroutine: Coroutine[Any, Any, Any]) -> Any:
    """Run it to its end in a thread: Playwright's loop may be running in this one."""
    with ThreadPoolExecutor(max_workers=1) as pool:
        return pool.submit(asyncio.run, coroutine).result()
