"""What the stores say to Redis in Lua, where several steps must be one; REST and redis-py share it.

An entry is a plain string at its storage key, with an expiry where it has one. Each shelf has one index, a
sorted set: the member is an entry's name as it is, the score the end of its time in milliseconds, or +inf.
A name on the index whose entry is gone is a ghost: no page shows it, and the page that meets it takes it off.

Beside the index, a hash notes the large texts (base.SMALL_CHARS): the field is a name, the value the text's bytes
and its end. Both bounds of a quota are kept by these two. A note whose end is not the one on the index is of an
entry that is gone; it counts until the bound is reached, and is then dropped.
"""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

from remember.keys import Place, Shelf, literal_prefix
from remember.stores.base import PAGE_CHARS, SMALL_CHARS, Charge, Page, Quota, Swap
from remember.stores.paging import PAGE_NAMES, PAGE_STEPS

KEY_LOCKING = "#!lua flags=allow-key-locking\n"
"""Lets Upstash lock a script's own keys instead of the whole database; a real Redis refuses this line."""


@dataclass(frozen=True)
class Script:
    """Lua to run on the server. `closed`: it touches no key that is not in KEYS."""

    text: str
    closed: bool = True

    @cached_property
    def sha(self) -> str:
        return hashlib.sha1(self.text.encode(), usedforsecurity=False).hexdigest()  # EVALSHA's name for it

    @cached_property
    def charged(self) -> Script:
        """The same for a call that is counted."""
        return Script(_CHARGE + self.text, self.closed)

    @cached_property
    def locking(self) -> Script:
        """The same for an Upstash host."""
        return Script(KEY_LOCKING + self.text) if self.closed else self


@dataclass(frozen=True, slots=True)
class Call:
    """A script with what it is given."""

    script: Script
    keys: tuple[str, ...]
    args: tuple[str, ...]

    def charged(self, charge: Charge, *, now: int) -> Call:
        """The same, counted first; answered by `OVER` and nothing else where the charge is at its limit."""
        args = (*self.args, str(charge.limit), str(charge.expires_at - now))
        return Call(self.script.charged, (*self.keys, charge.key), args)


OVER = ["over"]
FULL = "full"

_CHARGE = """
-- The window and its bounds come last, behind what the script itself is given.
local calls = redis.call('INCR', KEYS[#KEYS])
if calls == 1 then
  redis.call('PEXPIRE', KEYS[#KEYS], ARGV[#ARGV])
end
if calls > tonumber(ARGV[#ARGV - 1]) then
  return {'over'}
end
"""

GET = Script("""
return redis.call('GET', KEYS[1])
""")


_LARGE = f"local SMALL = {SMALL_CHARS}"

_STORE = (
    _LARGE
    + """
local key, index, sizes = KEYS[1], KEYS[2], KEYS[3]
local name, text, ttl, ends, now, most_entries, most_bytes = unpack(ARGV, 1, 7)

-- The bytes of the other large texts, and of the one that is noted for this name. `live` are the index's ends by name;
-- notes that do not agree with them are dropped.
local function large_texts(live)
  local others, own, stale = 0, 0, {}
  local notes = redis.call('HGETALL', sizes)
  for at = 1, #notes, 2 do
    local bytes, noted = string.match(notes[at + 1], '^(%d+) (%d*)$')
    local listed = live and live[notes[at]]
    if live and not (listed and (noted == '' or tonumber(noted) == tonumber(listed))) then
      stale[#stale + 1] = notes[at]
    elseif notes[at] == name then
      own = tonumber(bytes)
    else
      others = others + tonumber(bytes)
    end
  end
  for from = 1, #stale, 500 do
    redis.call('HDEL', sizes, unpack(stale, from, math.min(from + 499, #stale)))
  end
  return others, own
end

local function bytes_fit()
  local function fit(others, own)
    return #text <= own or others + #text <= tonumber(most_bytes)
  end
  if fit(large_texts()) then
    return true
  end
  local live = {}
  local listed = redis.call('ZRANGEBYSCORE', index, '(' .. now, '+inf', 'WITHSCORES')
  for at = 1, #listed, 2 do
    live[listed[at]] = listed[at + 1]
  end
  return fit(large_texts(live))
end

-- How many more names the index may take; names of expired entries are in nobody's way.
local function room()
  local left = most_entries - redis.call('ZCARD', index)
  if left < 0 and redis.call('ZREMRANGEBYSCORE', index, '-inf', now) > 0 then
    left = most_entries - redis.call('ZCARD', index)
  end
  return left
end

-- Puts the text at the key and its name on the index. Gives what lay there; nil and a bound's name where that bound is
-- reached; and the room that is left, where it was looked at. The name goes first: should memory run out between the
-- two, a ghost heals itself, and an entry that no list shows would not.
local function store()
  if ttl ~= '' and tonumber(ttl) <= 0 then
    redis.call('ZREM', index, name)
    return redis.call('GETDEL', key)
  end
  -- An owner who never lists would pile up ghosts. About one write in 16 clears them, chosen by the last bits of the
  -- entry's end, so that the others keep to two commands.
  if ttl ~= '' and tonumber(ends) % 16 == 0 then
    redis.call('ZREMRANGEBYSCORE', index, '-inf', now)
  end
  if #text > SMALL and not bytes_fit() then
    return nil, 'chars'
  end
  local left = false
  if redis.call('ZADD', index, ends == '' and '+inf' or ends, name) == 1 and most_entries ~= '' then
    left = room()
    if left < 0 then
      redis.call('ZREM', index, name)
      return nil, 'entries'
    end
  end
  if #text > SMALL then
    redis.call('HSET', sizes, name, #text .. ' ' .. ends)
  end
  local old
  if ttl == '' then
    old = redis.call('SET', key, text, 'GET')
  else
    old = redis.call('SET', key, text, 'PX', ttl, 'GET')
  end
  if old and #old > SMALL and #text <= SMALL then
    redis.call('HDEL', sizes, name)
  end
  return old, false, left
end
"""
)

_ENCODE = """
-- keys.encode: a name as the last part of a storage key.
local function encode(name)
  return (string.gsub(name, '[^A-Za-z0-9_.~-]', function(char)
    return string.format('%%%02X', string.byte(char))
  end))
end
"""

_FITS = """
-- The place after the character that begins at `at`, which may be several bytes of UTF-8.
local function following(text, at)
  at = at + 1
  local byte = string.byte(text, at)
  while byte and byte >= 128 and byte < 192 do
    at = at + 1
    byte = string.byte(text, at)
  end
  return at
end

-- keys.fits: `*` is any text, `?` any one character, all else itself.
local function fits(name, pattern)
  local here, at, star, mark = 1, 1, nil, nil
  while here <= #name do
    local want = string.byte(pattern, at)
    if want == 42 then
      at = at + 1
      star, mark = at, here
    elseif want == 63 then
      at = at + 1
      here = following(name, here)
    elseif want and want == string.byte(name, here) then
      at = at + 1
      here = here + 1
    elseif star then
      mark = following(name, mark)
      here, at = mark, star
    else
      return false
    end
  end
  while string.byte(pattern, at) == 42 do
    at = at + 1
  end
  return at > #pattern
end
"""

_BEFORE = """
-- Whether one name stands before another by its bytes, which for UTF-8 is the order of code points. Lua's own `<` is
-- ten times as fast and follows the server's locale, so it is used where that is the plain one.
local plain = 'B' < 'a' and 'a-c' < 'ab' and 'z' < '\\195\\169'
local function before(one, other)
  if plain then
    return one < other
  end
  for at = 1, math.min(#one, #other) do
    local a, b = string.byte(one, at), string.byte(other, at)
    if a ~= b then
      return a < b
    end
  end
  return #one < #other
end
"""

PUT = Script(
    _STORE
    + """
local old, full, left = store()
if full then
  return {'full', full}
end
return {old and 1 or 0, left or false}
"""
)

SWAP = Script(
    _STORE
    + """
local expecting, expected = unpack(ARGV, 8, 9)
local current = redis.call('GET', key)
if current ~= (expecting == '1' and expected) then
  return {0, current}
end
local old, full = store()
if full then
  return {'full', full}
end
return {1}
"""
)

REMOVE = Script(
    _LARGE
    + """
redis.call('ZREM', KEYS[2], ARGV[1])
local text = redis.call('GETDEL', KEYS[1])
if text and #text > SMALL then
  redis.call('HDEL', KEYS[3], ARGV[1])
end
return text
"""
)

# The keys of the entries are not in KEYS: which they are stands in the index, and asking for it first would make two
# requests of one, with a gap between them.
PAGE = Script(
    _ENCODE
    + _FITS
    + _BEFORE
    + """
local prefix, after, pattern, begin, now = unpack(ARGV, 1, 5)
local limit, most_chars, most_names, most_steps = unpack(ARGV, 6, 9)
limit, most_chars, most_names, most_steps = limit + 0, most_chars + 0, most_names + 0, most_steps + 0

local names = {}
for _, name in ipairs(redis.call('ZRANGEBYSCORE', KEYS[1], '(' .. now, '+inf')) do
  if string.sub(name, 1, #begin) == begin and before(after, name) then
    names[#names + 1] = name
  end
end
table.sort(names, not plain and before or nil)

local shown, texts, ghosts = {}, {}, {}
local chars, steps, at, last = 0, 0, 1, nil

-- The names that fit, from `at` on, up to `most` of them; false once this page has looked far enough.
local function gather(most)
  local batch = {}
  while at <= #names and #batch < most do
    if at > most_names or steps >= most_steps then
      return batch, false
    end
    local name = names[at]
    steps = steps + #name * #pattern
    at = at + 1
    if fits(name, pattern) then
      batch[#batch + 1] = name
    elseif #batch == 0 then
      last = name
    end
  end
  return batch, true
end

local function finish(going_on)
  for from = 1, #ghosts, 500 do
    redis.call('ZREM', KEYS[1], unpack(ghosts, from, math.min(from + 499, #ghosts)))
  end
  return {shown, texts, going_on and last or false}
end

local most = 10
while true do
  local full = #shown >= limit or chars > most_chars
  local batch, may_go_on = gather(full and 1 or math.min(most, limit - #shown))
  if #batch == 0 then
    return finish(not may_go_on)
  end
  if full then
    return finish(true)
  end
  local keys = {}
  for i, name in ipairs(batch) do
    keys[i] = prefix .. encode(name)
  end
  local found = redis.call('MGET', unpack(keys))
  for i, name in ipairs(batch) do
    if chars > most_chars then
      return finish(true)
    end
    if found[i] then
      shown[#shown + 1], texts[#texts + 1] = name, found[i]
      chars = chars + #found[i]
    else
      ghosts[#ghosts + 1] = name
    end
    last = name
  end
  -- As many at once as the page has room for, going by the size of the texts so far.
  most = math.max(1, math.min(500, math.ceil((most_chars - chars) * #shown / math.max(chars, 1))))
end
""",
    closed=False,
)

# As for a page, the keys of the entries stand in the index.
WIPE = Script(
    _ENCODE
    + """
local names = redis.call('ZRANGE', KEYS[1], 0, -1)
local count = 0
for from = 1, #names, 500 do
  local keys = {}
  for at = from, math.min(from + 499, #names) do
    keys[#keys + 1] = ARGV[1] .. encode(names[at])
  end
  count = count + redis.call('UNLINK', unpack(keys))
end
redis.call('DEL', KEYS[1], KEYS[2])
return count
""",
    closed=False,
)


def get(key: str) -> Call:
    """The text under a key, as a script: only worth it with a charge."""
    return Call(GET, (key,), ())


def put(place: Place, text: str, expires_at: int | None, *, now: int, quota: Quota, look: bool) -> Call:
    """Store text. `read_put` reads the answer. Two commands; a large text has two more.

    `look`: count the names if this one is new, so that there are not too many; one command more.
    """
    return Call(PUT, _keys(place), (place.name, text, *_time(expires_at, now), *_bounds(quota, look=look)))


def swap(place: Place, expected: str | None, text: str, expires_at: int | None, *, now: int, quota: Quota) -> Call:
    """Store text where `expected` lies. `read_swap` reads the answer; three commands, or one; more as for `put`."""
    bounds = _bounds(quota, look=expected is None)
    wanted = ("", "") if expected is None else ("1", expected)
    return Call(SWAP, _keys(place), (place.name, text, *_time(expires_at, now), *bounds, *wanted))


def remove(place: Place) -> Call:
    """Take an entry out. Answered by its text; two commands, three for a large one."""
    return Call(REMOVE, _keys(place), (place.name,))


def page(shelf: Shelf, *, after: str | None, pattern: str, limit: int, now: int) -> Call:
    """One page of a shelf. `read_page` reads the answer; three commands as a rule, whatever else is stored."""
    what = (shelf.prefix, after or "", pattern, literal_prefix(pattern))
    bounds = (now, limit, PAGE_CHARS, PAGE_NAMES, PAGE_STEPS)
    return Call(PAGE, (shelf.index,), (*what, *map(str, bounds)))


def wipe(shelf: Shelf) -> Call:
    """Remove a shelf. Answered by how many entries were on it; three commands, and one more for each 500 entries."""
    return Call(WIPE, (shelf.index, shelf.sizes), (shelf.prefix,))


def read_text(reply: object) -> str | None:
    """A text, or None where nothing lies.

    Raises:
        ValueError: the reply is neither; so do the other readers.
    """
    if reply is None or isinstance(reply, str):
        return reply
    raise ValueError("not a text")


def read_count(reply: object) -> int:
    """How many."""
    if isinstance(reply, int):
        return reply
    raise ValueError("not a number")


class Put(NamedTuple):
    """How a put ended: whether something lay there, and the room for more names where it was looked at."""

    replaced: bool
    room: int | None


def read_put(reply: object) -> Put:
    """How a put ended."""
    match reply:
        case [0 | 1 as replaced, None | int() as room]:
            return Put(bool(replaced), room)
    raise ValueError("not a put's answer")


def read_swap(reply: object) -> Swap:
    """How a swap ended."""
    match reply:
        case [1]:
            return Swap(done=True)
        case [0, current]:
            return Swap(done=False, current=read_text(current))
    raise ValueError("not a swap's answer")


def read_page(reply: object) -> Page:
    """A page's names and texts, and where to go on."""
    match reply:
        case [[*names], [*texts], following] if len(names) == len(texts):
            items = tuple((str(name), str(text)) for name, text in zip(names, texts, strict=True))
            return Page(items, read_text(following))
    raise ValueError("not a page's answer")


def _keys(place: Place) -> tuple[str, str, str]:
    return place.key, place.shelf.index, place.shelf.sizes


def _bounds(quota: Quota, *, look: bool) -> tuple[str, str]:
    return str(quota.entries) if look else "", str(quota.chars)


def _time(expires_at: int | None, now: int) -> tuple[str, str, str]:
    """How long from now, the end, and now. Redis is told the first, so that its clock need not agree with ours."""
    if expires_at is None:
        return "", "", str(now)
    return str(expires_at - now), str(expires_at), str(now)
