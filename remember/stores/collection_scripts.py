"""What the stores say to Redis in Lua for collections; beside `scripts`, whose Script and Call these are.

A collection has five keys. `leaves` and `bodies` are hashes of the texts, `uses` a hash of how often each body has been
used. `state` is a hash of the version: its epoch, and `n`, the number of commits. `log` is a sorted set of all leaves
that ever were, the score being the `n` of a leaf's last change; a leaf that is gone stays on it, so that whoever knew
it hears so.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from remember.keys import Collection
from remember.stores.base import Body, Changes, Committed
from remember.stores.scripts import Call, Script, read_text

_KEYS = """
local leaves, bodies, uses, log, state = unpack(KEYS, 1, 5)
"""

_READ = """
-- The values of the fields from `first` to `last` of a list, false where there is none; Lua takes no list of any length
-- as arguments.
local function read(hash, fields, first, last)
  local values = {}
  for from = first, last, 500 do
    for _, value in ipairs(redis.call('HMGET', hash, unpack(fields, from, math.min(from + 499, last)))) do
      values[#values + 1] = value
    end
  end
  return values
end
"""

_CHANGES = """
local epoch, n = unpack(redis.call('HMGET', state, 'epoch', 'n'))
local version = epoch and epoch .. ':' .. n

-- The version, whether these are all leaves, their names and their texts.
local function changes(since)
  local known, from = string.match(since, '^(%x+):(%d+)$')
  if not epoch then
    return {false, 1, {}, {}}
  elseif since == version then
    return {version, 0, {}, {}}
  elseif known == epoch and tonumber(from) < tonumber(n) then
    local names = redis.call('ZRANGEBYSCORE', log, '(' .. from, '+inf')
    return {version, 0, names, read(leaves, names, 1, #names)}
  end
  local names, texts = {}, {}
  local all = redis.call('HGETALL', leaves)
  for at = 1, #all, 2 do
    names[#names + 1], texts[#texts + 1] = all[at], all[at + 1]
  end
  return {version, 1, names, texts}
end
"""

CHANGES = Script(
    _KEYS
    + _READ
    + _CHANGES
    + """
return changes(ARGV[1])
"""
)

# The ids begin with those that count as used.
BODIES = Script(
    _KEYS
    + _READ
    + """
local used, all = tonumber(ARGV[1]), tonumber(ARGV[2])
local texts, counts = read(bodies, ARGV, 3, all + 2), read(uses, ARGV, 3, all + 2)
local raised = {}
for at = 1, used do
  if texts[at] then
    counts[at] = (counts[at] or 0) + 1
    raised[#raised + 1], raised[#raised + 2] = ARGV[at + 2], counts[at]
  end
end
for from = 1, #raised, 500 do
  redis.call('HSET', uses, unpack(raised, from, math.min(from + 499, #raised)))
end
return {texts, counts}
"""
)

# Each list of names, with texts where there are any, follows the one before it. The version comes last: should memory
# run out before, the commit has not been, and the next one that gets through tells of its leaves too.
COMMIT = Script(
    _KEYS
    + _READ
    + _CHANGES
    + """
if (version or '') ~= ARGV[1] then
  return changes(ARGV[1])
end
if not epoch then
  redis.call('UNLINK', leaves, bodies, uses, log)
  epoch, n = ARGV[2], 0
end
n = string.format('%d', n + 1)

local from = 7
-- Gives the next arguments to a command on each of these hashes.
local function hand_over(count, command, ...)
  local last = from + count - 1
  for first = from, last, 500 do
    for _, hash in ipairs({...}) do
      redis.call(command, hash, unpack(ARGV, first, math.min(first + 499, last)))
    end
  end
  from = last + 1
end

local texts, gone, leaf_texts, gone_leaves = unpack(ARGV, 3, 6)
hand_over(2 * texts, 'HSET', bodies)
hand_over(gone + 0, 'HDEL', bodies, uses)

local changed = {}
local function note(first, last, step)
  for at = first, last, step do
    changed[#changed + 1], changed[#changed + 2] = n, ARGV[at]
  end
end
note(from, from + 2 * leaf_texts - 1, 2)
note(from + 2 * leaf_texts, from + 2 * leaf_texts + gone_leaves - 1, 1)
for first = 1, #changed, 500 do
  redis.call('ZADD', log, unpack(changed, first, math.min(first + 499, #changed)))
end
hand_over(2 * leaf_texts, 'HSET', leaves)
hand_over(gone_leaves + 0, 'HDEL', leaves)
redis.call('HSET', state, 'epoch', epoch, 'n', n)
return epoch .. ':' .. n
"""
)

CLEAR = Script(
    _KEYS
    + """
if redis.call('EXISTS', state) == 0 then
  return 0
end
local count = redis.call('HLEN', bodies)
redis.call('UNLINK', leaves, bodies, uses, log)
redis.call('HSET', state, 'epoch', ARGV[1], 'n', 0)
return count
"""
)


def changes(collection: Collection, since: str | None) -> Call:
    """The leaves that changed. `read_changes` reads the answer; one command where none did, two for all, else three."""
    return Call(CHANGES, _keys(collection), (since or "",))


def bodies(collection: Collection, ids: Sequence[str], *, used: int) -> Call:
    """The bodies of these ids, of which the first `used` count as used. `read_bodies` reads the answer.

    Two commands for each 500 ids, and one more where any counts as used.
    """
    return Call(BODIES, _keys(collection), (str(used), str(len(ids)), *ids))


def commit(
    collection: Collection,
    version: str | None,
    *,
    leaves: Mapping[str, str | None],
    bodies: Mapping[str, str | None],
    epoch: str,
) -> Call:
    """Write where the version is this. `read_commit` reads the answer; two commands, and one or two for each kind of
    thing that is written. `epoch` is for a collection that never was.
    """
    counts, arguments = [], []
    for things in (bodies, leaves):
        texts = [part for name, text in things.items() if text is not None for part in (name, text)]
        gone = [name for name, text in things.items() if text is None]
        counts += [str(len(texts) // 2), str(len(gone))]
        arguments += [*texts, *gone]
    return Call(COMMIT, _keys(collection), (version or "", epoch, *counts, *arguments))


def clear(collection: Collection, *, epoch: str) -> Call:
    """Remove a collection, whose next life is called `epoch`. Answered by how many bodies it had; four commands."""
    return Call(CLEAR, _keys(collection), (epoch,))


def read_changes(reply: object) -> Changes:
    """The leaves that changed.

    Raises:
        ValueError: the reply is something else; so do the other readers.
    """
    match reply:
        case [None | str() as version, 0 | 1 as complete, [*names], [*texts]] if len(names) == len(texts):
            leaves = {str(name): read_text(text) for name, text in zip(names, texts, strict=True)}
            return Changes(version, bool(complete), leaves)
    raise ValueError("not a collection's changes")


def read_bodies(reply: object, ids: Sequence[str]) -> dict[str, Body]:
    """The bodies that are there, of those that were asked for."""
    match reply:
        case [[*texts], [*counts]] if len(texts) == len(counts) == len(ids):
            rows = zip(ids, map(read_text, texts), counts, strict=True)
            return {name: Body(text, _number(count)) for name, text, count in rows if text is not None}
    raise ValueError("not a collection's bodies")


def read_commit(reply: object) -> Committed:
    """How a commit ended."""
    if isinstance(reply, str):
        return Committed(reply)
    missed = read_changes(reply)
    return Committed(missed.version, missed)


def _number(count: object) -> int:
    """A hash's number; one that was just raised is an integer, others are text."""
    if count is None or isinstance(count, int | str):
        return int(count or 0)
    raise ValueError("not a number")


def _keys(collection: Collection) -> tuple[str, ...]:
    return tuple(collection.part(name) for name in ("leaves", "bodies", "uses", "log", "state"))
