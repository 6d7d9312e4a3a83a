"""Connections: kept, noticed when closed, bounded in time and size, and left behind by nobody."""

from __future__ import annotations

import asyncio
import datetime
import gc
import ipaddress
import json
import socket
import ssl
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec

from remember.errors import StoreUnavailable
from remember.settings import Secret
from remember.stores import transport
from remember.stores.transport import Answer, NoAnswer, Transport
from remember.stores.upstash import UpstashStore
from tests.standins.clock import MovingClock
from tests.standins.upstash_rest import UpstashRest
from tests.stores.test_upstash import PLACE, QUICK, TEXT, store_at

PING = json.dumps(["PING"]).encode()


def to(server: UpstashRest, clock: MovingClock) -> Transport:
    return Transport(server.url, clock=clock, deadline=3.0)


async def ask(transport: Transport, server: UpstashRest, *, repeatable: bool = True) -> Answer:
    return await transport.post({"Authorization": f"Bearer {server.token}"}, PING, repeatable=repeatable)


def test_a_connection_is_kept_open(upstash: UpstashRest, clock: MovingClock) -> None:
    """Ten requests one after the other take one connection, ten at once no more than ten."""

    async def story() -> None:
        client = to(upstash, clock)
        for _ in range(10):
            assert (await ask(client, upstash)).status == 200
        assert upstash.connections == 1
        await asyncio.gather(*(ask(client, upstash) for _ in range(10)))
        assert upstash.connections <= 10
        await client.close()
        assert await asyncio.to_thread(upstash.all_closed.wait, 5)

    asyncio.run(story())


def test_an_idle_connection_is_let_go(upstash: UpstashRest, clock: MovingClock) -> None:
    """After four seconds without a request the next one gets a new connection."""

    async def story() -> None:
        client = to(upstash, clock)
        await ask(client, upstash)
        clock.advance(3_999)
        await ask(client, upstash)
        assert upstash.connections == 1
        clock.advance(4_000)
        await ask(client, upstash)
        assert upstash.connections == 2

    asyncio.run(story())


@pytest.mark.parametrize("frozen", [False, True])
def test_a_closed_peer_is_noticed_before_a_write_is_lost(
    upstash: UpstashRest, clock: MovingClock, frozen: bool
) -> None:
    """A write after the server closed the connection goes out on a new one, also where the loop stood still."""

    async def story() -> None:
        client = to(upstash, clock)
        upstash.faults.append("close-later")
        await ask(client, upstash)
        if frozen:
            assert upstash.all_closed.wait(5)  # on purpose in the loop, which must not look at the socket meanwhile
        else:
            assert await asyncio.to_thread(upstash.all_closed.wait, 5)
        assert (await ask(client, upstash, repeatable=False)).status == 200
        assert (upstash.connections, len(upstash.requests)) == (2, 2)

    asyncio.run(story())


def test_a_read_is_repeated_once_where_a_kept_connection_broke(upstash: UpstashRest, clock: MovingClock) -> None:
    """Lost on a kept connection before any answer: a read is sent again, once; a write never is."""

    async def story() -> None:
        client = to(upstash, clock)
        await ask(client, upstash)
        upstash.faults.append("drop")
        assert (await ask(client, upstash)).status == 200
        upstash.faults += ["drop", "drop"]
        with pytest.raises(NoAnswer, match="reset"):
            await ask(client, upstash)
        upstash.reset()
        await ask(client, upstash)
        upstash.faults.append("drop")
        with pytest.raises(NoAnswer, match="reset"):
            await ask(client, upstash, repeatable=False)
        assert len(upstash.requests) == 2

    asyncio.run(story())


def test_a_read_whose_answer_had_begun_is_not_repeated(upstash: UpstashRest, clock: MovingClock) -> None:
    """A cut answer is told, not asked for again."""

    async def story() -> None:
        client = to(upstash, clock)
        await ask(client, upstash)
        upstash.reset()
        upstash.faults.append("cut")
        with pytest.raises(NoAnswer, match="reset"):
            await ask(client, upstash)
        assert len(upstash.requests) == 1

    asyncio.run(story())


def test_chunked_answers_are_read(upstash: UpstashRest, clock: MovingClock) -> None:
    """An answer without a length is read to its end, a cut one is not taken for a whole one."""

    async def story() -> None:
        store = store_at(upstash, clock)
        upstash.chunked = True
        await store.put(PLACE, TEXT * 20_000, None)
        assert await store.get(PLACE.key) == TEXT * 20_000
        upstash.faults.append("cut")
        with pytest.raises(StoreUnavailable) as caught:
            await store.get(PLACE.key)
        assert caught.value.reason == "reset"
        await store.close()

    asyncio.run(story())


def test_an_endless_answer_is_not_read_on(
    upstash: UpstashRest, clock: MovingClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What exceeds the largest answer is refused."""
    monkeypatch.setattr(transport, "MAX_ANSWER", 1_000)

    async def story() -> None:
        store = store_at(upstash, clock)
        await store.put(PLACE, "x" * 900, None)
        assert await store.get(PLACE.key) == "x" * 900
        await store.put(PLACE, "x" * 1_100, None)
        with pytest.raises(StoreUnavailable) as caught:
            await store.get(PLACE.key)
        assert caught.value.reason == "garbled"

    asyncio.run(story())


def test_the_sync_token_goes_back_to_the_server(upstash: UpstashRest, clock: MovingClock) -> None:
    """Each request carries the token of the answer before it, so that a replica shows what was written."""

    async def story() -> None:
        store = store_at(upstash, clock)
        for _ in range(3):
            await store.get(PLACE.key)

    asyncio.run(story())
    assert [headers.get(b"upstash-sync-token") for headers in upstash.headers] == [None, b"token-1", b"token-2"]
    assert not [name for headers in upstash.headers for name in headers if b"telemetry" in name]


@pytest.fixture
def silent() -> Iterator[socket.socket]:
    """A port where connections are taken and nothing is ever said."""
    with closing(socket.create_server(("127.0.0.1", 0), backlog=256)) as listener:
        yield listener


def url_of(listener: socket.socket, scheme: str) -> str:
    return f"{scheme}://127.0.0.1:{listener.getsockname()[1]}"


def open_files() -> int:
    return len(list(Path("/dev/fd").iterdir()))


@pytest.mark.parametrize("scheme", ["http", "https"])
def test_a_hundred_hung_calls_leave_nothing_behind(silent: socket.socket, clock: MovingClock, scheme: str) -> None:
    """Each call ends at its deadline, in the TLS handshake too; no task and no socket is left."""

    async def story() -> None:
        store = UpstashStore(url_of(silent, scheme), Secret("t"), clock=clock, deadline=QUICK)
        await asyncio.gather(store.get("k"), return_exceptions=True)
        await asyncio.sleep(0)
        before = open_files()
        started = asyncio.get_running_loop().time()
        ended = await asyncio.gather(*(store.put(PLACE, TEXT, None) for _ in range(100)), return_exceptions=True)
        assert asyncio.get_running_loop().time() - started < 5  # together, not one after the other
        assert {getattr(error, "reason", error) for error in ended} == {"timeout"}
        # Nothing was sent before the handshake's end; without TLS all got to send, or on a busy machine most.
        assert any(getattr(error, "maybe_applied", None) for error in ended) is (scheme == "http")
        for _ in range(3):
            await asyncio.sleep(0)
        assert asyncio.all_tasks() == {asyncio.current_task()}
        assert open_files() <= before
        await store.close()

    asyncio.run(story())


def test_a_cancelled_call_closes_its_connection(silent: socket.socket, clock: MovingClock) -> None:
    """Who gives up early leaves no connection on which a late answer would reach the next request."""

    async def story() -> None:
        client = Transport(url_of(silent, "http"), clock=clock, deadline=3.0)
        before = open_files()
        task = asyncio.create_task(client.post({}, PING, repeatable=True))
        peer, _ = await asyncio.get_running_loop().run_in_executor(None, silent.accept)
        with closing(peer):
            assert await asyncio.to_thread(peer.recv, 4) == b"POST"
            task.cancel()
            with pytest.raises(asyncio.CancelledError):
                await task
            while await asyncio.to_thread(peer.recv, 65_536):
                pass
        assert open_files() <= before

    try:
        asyncio.run(story())
    except ConnectionResetError:
        pytest.fail("the connection was closed before its request was read")


def test_several_loops_one_after_the_other(upstash: UpstashRest, clock: MovingClock) -> None:
    """Each loop's connections are closed with it, without being asked, and the next loop has its own."""
    client = to(upstash, clock)
    for _ in range(3):
        assert asyncio.run(ask(client, upstash)).status == 200
        assert upstash.all_closed.wait(5)
    assert upstash.connections == 3
    assert len(client._pools) <= 1
    gc.collect()  # a connection that was forgotten would warn here, and fail the test


def test_an_answer_that_is_not_http_is_garbled(silent: socket.socket, clock: MovingClock) -> None:
    """Another service on the port is told as one."""

    async def story() -> None:
        client = Transport(url_of(silent, "http"), clock=clock, deadline=3.0)
        task = asyncio.create_task(client.post({}, PING, repeatable=True))
        peer, _ = await asyncio.to_thread(silent.accept)
        with closing(peer):
            peer.sendall(b"-ERR wrong number of arguments for 'POST' command\r\n\r\n")
            with pytest.raises(NoAnswer, match="garbled"):
                await task

    asyncio.run(story())


# --- TLS -------------------------------------------------------------------------------------------------------


def certificate(folder: Path) -> Path:
    """A certificate and its key for this machine, made for the test."""
    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(x509.NameOID.COMMON_NAME, "localhost")])
    names = [x509.DNSName("localhost"), x509.IPAddress(ipaddress.ip_address("127.0.0.1"))]
    now = datetime.datetime.now(datetime.UTC)
    built = (
        x509.CertificateBuilder()
        .subject_name(name)
        .issuer_name(name)
        .public_key(key.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(now - datetime.timedelta(days=1))
        .not_valid_after(now + datetime.timedelta(days=1))
        .add_extension(x509.SubjectAlternativeName(names), critical=False)
        .add_extension(x509.BasicConstraints(ca=True, path_length=None), critical=True)
        .sign(key, hashes.SHA256())
    )
    path = folder / "certificate.pem"
    private = key.private_bytes(
        serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
    )
    path.write_bytes(private + built.public_bytes(serialization.Encoding.PEM))
    return path


@pytest.fixture
def secure(upstash: UpstashRest, tmp_path: Path) -> Iterator[tuple[UpstashRest, ssl.SSLContext]]:
    """The REST API over TLS, and a context that trusts its certificate."""
    path = certificate(tmp_path)
    tls = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    tls.load_cert_chain(path)
    server = UpstashRest(upstash.redis, tls=tls).start()
    yield server, ssl.create_default_context(cafile=str(path))
    server.stop()


def test_it_works_over_tls(secure: tuple[UpstashRest, ssl.SSLContext], clock: MovingClock) -> None:
    """Large and small texts, on one kept connection, in several loops."""
    server, tls = secure
    store = UpstashStore(server.url, Secret(server.token), clock=clock, tls=tls)

    async def story() -> None:
        for text in (TEXT, TEXT * 100_000, "🙂"):
            await store.put(PLACE, text, None)
            assert await store.get(PLACE.key) == text

    asyncio.run(story())
    assert server.connections == 1
    asyncio.run(story())
    assert server.connections == 2


def test_a_peer_that_closed_is_noticed_over_tls(secure: tuple[UpstashRest, ssl.SSLContext], clock: MovingClock) -> None:
    """As without TLS: the next write goes out on a new connection."""
    server, tls = secure

    async def story() -> None:
        store = UpstashStore(server.url, Secret(server.token), clock=clock, tls=tls)
        server.faults.append("close-later")
        await store.get(PLACE.key)
        assert server.all_closed.wait(5)  # on purpose in the loop, as above
        assert await store.put(PLACE, TEXT, None) is False
        assert server.connections == 2

    asyncio.run(story())


@pytest.mark.parametrize("trusting", [False, True])
def test_a_certificate_that_is_not_trusted_is_refused(
    secure: tuple[UpstashRest, ssl.SSLContext], clock: MovingClock, trusting: bool
) -> None:
    """An unknown issuer, and a name that the certificate is not for, get no request."""
    server, tls = secure
    url = server.url.replace("localhost", "127.0.0.2") if trusting else server.url
    store = UpstashStore(url, Secret(server.token), clock=clock, tls=tls if trusting else None)
    with pytest.raises(StoreUnavailable) as caught:
        asyncio.run(store.put(PLACE, TEXT, None))
    assert (caught.value.reason, caught.value.maybe_applied) == ("refused", False)
    assert server.requests == []


def test_a_process_makes_one_tls_context() -> None:
    """Reading the trusted certificates costs more than a request; it happens once, and there are some."""
    assert transport.default_tls() is transport.default_tls()
    assert transport.default_tls().verify_mode is ssl.CERT_REQUIRED
    assert transport.default_tls().check_hostname
