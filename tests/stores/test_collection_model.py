"""Any sequence of steps on a collection, against a dictionary and three readers with caches, on each store."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from hypothesis import given
from hypothesis import strategies as st

from remember.keys import Collection
from remember.stores.base import Body, Changes, Store
from tests.stores.conftest import World
from tests.stores.test_collections import everything
from tests.stores.test_contract import several


@dataclass
class Model:
    """The same promise, kept by dictionaries."""

    leaves: dict[str, str] = field(default_factory=dict)
    bodies: dict[str, Body] = field(default_factory=dict)
    version: str | None = None

    def commit(self, version: str | None, leaves: Mapping[str, str | None], bodies: Mapping[str, str | None]) -> None:
        assert version not in (None, self.version)
        self.version = version
        change(self.leaves, leaves)
        for name, text in bodies.items():
            if text is None:
                self.bodies.pop(name, None)
            else:
                self.bodies[name] = Body(text, self.bodies.get(name, Body("", 0)).uses)

    def use(self, names: str) -> None:
        for name in self.bodies.keys() & set(names):
            self.bodies[name] = Body(self.bodies[name].text, self.bodies[name].uses + 1)


@dataclass
class Reader:
    """A process that keeps leaves, and learns what others do to them only by changes."""

    leaves: dict[str, str] = field(default_factory=dict)
    version: str | None = None

    def learn(self, told: Changes) -> None:
        if told.complete:
            self.leaves.clear()
        change(self.leaves, told.leaves)
        self.version = told.version


def change(held: dict[str, str], leaves: Mapping[str, str | None]) -> None:
    for name, text in leaves.items():
        if text is None:
            held.pop(name, None)
        else:
            held[name] = text


READERS = st.integers(0, 2)
TEXTS = st.sampled_from(["1", "2", "3", None])
STEPS = st.one_of(
    st.tuples(
        st.just("commit"),
        READERS,
        st.dictionaries(st.sampled_from("abcd"), TEXTS, max_size=3),
        st.dictionaries(st.sampled_from("xyz"), TEXTS, max_size=2),
    ),
    st.tuples(st.just("look"), READERS),
    st.tuples(st.just("use"), st.text("xyz", max_size=4), st.text("xyz", max_size=3)),
    st.tuples(st.just("clear")),
)


async def play(
    store: Store, collection: Collection, model: Model, readers: list[Reader], step: tuple[object, ...]
) -> None:
    match step:
        case ("commit", int(who), dict(leaves), dict(bodies)):
            reader = readers[who]
            done = await store.commit(collection, reader.version, leaves=leaves, bodies=bodies)
            assert (done.missed is None) == (reader.version == model.version)
            if done.missed is None:
                model.commit(done.version, leaves, bodies)
                reader.learn(Changes(done.version, complete=False, leaves=leaves))
            else:
                assert done.version == done.missed.version
                reader.learn(done.missed)
            assert (reader.leaves, reader.version) == (model.leaves, model.version)
        case ("look", int(who)):
            readers[who].learn(await store.changes(collection, readers[who].version))
            assert (readers[who].leaves, readers[who].version) == (model.leaves, model.version)
        case ("use", str(ids), str(use)):
            model.use("".join(set(ids) & set(use)))
            expected = {name: body for name, body in model.bodies.items() if name in ids}
            assert await store.bodies(collection, ids, use=use) == expected
        case ("clear",):
            assert await store.clear(collection) == len(model.bodies)
            fresh = (await store.changes(collection, None)).version
            assert (fresh is None) == (model.version is None)
            assert fresh is None or fresh != model.version
            model.leaves.clear()
            model.bodies.clear()
            model.version = fresh


@several
@given(st.lists(STEPS, max_size=25))
def test_it_does_what_a_dictionary_would(world: World, steps: list[tuple[object, ...]]) -> None:
    """Any sequence of steps leaves what it leaves in a dictionary; three readers that learn by changes agree."""
    collection = world.collection()

    async def story(store: Store) -> None:
        model, readers = Model(), [Reader() for _ in range(3)]
        for step in steps:
            await play(store, collection, model, readers, step)
            found = await everything(store, collection)
            assert found == (Changes(model.version, complete=True, leaves=model.leaves), model.bodies)
        for who in range(3):
            await play(store, collection, model, readers, ("look", who))

    world.run(story)
