"""Everything that the doctor finds out, from an environment to one report."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TypeVar

from remember.cli.census import Count, owners_of, take_census
from remember.cli.findings import LEVELS, Finding, check_settings, rest_names
from remember.cli.trial import Trial, try_store
from remember.clock import Clock
from remember.errors import ConfigurationError, KeysUnavailable, StoreUnavailable
from remember.identity import KeySet, StaticKeys, open_authenticator
from remember.owned import Memory
from remember.sealing import PlainSealer, Secrets, SecretSealer, choose_secrets
from remember.sealing.secrets import key_id
from remember.settings import REST_PAIRS, Settings
from remember.stores.base import Store
from remember.stores.open_store import open_store

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Report:
    """What was found. `key_ids` name the secrets, the one that seals first; empty where there is none."""

    platform: str
    findings: tuple[Finding, ...]
    callers: tuple[str, ...] = ()
    store: str | None = None
    store_variable: str = ""
    trial: Trial | None = None
    key_ids: tuple[str, ...] = ()
    counts: tuple[Count, ...] = ()

    @property
    def wrong(self) -> int:
        """How many things have to be mended."""
        return sum(finding.level == "wrong" for finding in self.findings)


async def diagnose(
    environ: Mapping[str, str], *, users: Sequence[str], clock: Clock, timer: Callable[[], float]
) -> Report:
    """Look at the settings and at the store behind them, as a deployed function would use both.

    `users` are ids to count entries for, beside those of the static keys. Raises nothing for what is wrong.
    """
    examination = _Examination(environ, clock)
    callers = await examination.callers()
    store, secrets = examination.store(), examination.secrets()
    trial = counts = None
    if store is not None:
        try:
            trial = await try_store(store, examination.settings.key_prefix, clock=clock, timer=timer)
            examination.judge_trial(trial)
            if trial.round_trip_ms is not None and (secrets or not examination.settings.encryption):
                counts = await examination.count(store, secrets, users)
        finally:
            await store.close()
    return Report(
        platform=examination.settings.platform,
        findings=tuple(sorted(examination.findings.values(), key=lambda finding: LEVELS.index(finding.level))),
        callers=callers,
        store=None if store is None else store.name,
        store_variable=examination.store_variable,
        trial=trial,
        key_ids=tuple(key_id(secret) for secret in secrets.all()) if secrets else (),
        counts=counts or (),
    )


class _Examination:
    """Gathers findings, each sentence once."""

    def __init__(self, environ: Mapping[str, str], clock: Clock) -> None:
        self.settings = Settings.read(environ)
        self.findings: dict[str, Finding] = {}
        self.store_variable = "REMEMBER_STORE"
        self._rest_names = rest_names(environ)
        self._clock = clock
        self._opened: Store | None = None
        for finding in check_settings(environ, self.settings):
            self._add(finding)

    async def callers(self) -> tuple[str, ...]:
        """By what callers get in; an identity provider is asked for its keys."""
        authenticator = self._try(lambda: open_authenticator(self.settings, clock=self._clock))
        if authenticator is None:
            return ()
        if self.settings.issuer:
            try:
                await KeySet(self.settings.issuer, self.settings.jwks_url, clock=self._clock).open(None, bool)
            except KeysUnavailable:
                self._wrong(
                    "REMEMBER_ISSUER",
                    "The identity provider's signing keys cannot be fetched; check REMEMBER_ISSUER, and "
                    "REMEMBER_JWKS_URL where it is set. Until then no token of it is accepted.",
                )
        return authenticator.ways

    def store(self) -> Store | None:
        self._opened = self._try(lambda: open_store(self.settings, clock=self._clock))
        if self._opened is not None and self._opened.name == "upstash":
            self.store_variable = self._rest_names[0]
        if self._opened is not None and not self._opened.lasting:
            self._add(
                Finding("weak", "REMEMBER_STORE", "REMEMBER_STORE is memory: what is stored ends with the process.")
            )
        return self._opened

    def secrets(self) -> Secrets | None:
        """The secrets; where no store could be opened, none is made up for it."""
        settings, store = self.settings, self._opened
        if not settings.encryption or not (store or settings.secret or settings.production):
            return None
        lasting, folder = (settings.production, None) if store is None else (store.lasting, store.home)
        return self._try(lambda: choose_secrets(settings, lasting=lasting, folder=folder))

    def judge_trial(self, trial: Trial) -> None:
        if trial.problem is not None:
            self._unavailable(trial.state, trial.problem)
        if trial.foreign_layout:
            self._add(
                Finding(
                    "weak",
                    "REMEMBER_KEY_PREFIX",
                    "What the store says about its layout was not written by this version of Remember. Give this "
                    "server a REMEMBER_KEY_PREFIX of its own, or look at who else uses the store.",
                )
            )

    async def count(self, store: Store, secrets: Secrets | None, users: Sequence[str]) -> tuple[Count, ...]:
        settings = self.settings
        sealer = SecretSealer(secrets, read_seed=settings.read_seed) if secrets else PlainSealer()
        memory = Memory(store=store, sealer=sealer, clock=self._clock, key_prefix=settings.key_prefix)
        known = dict.fromkeys((*self._static_users(), *users))
        try:
            counts = await take_census(memory, owners_of(known, settings.tools_prefix))
        except StoreUnavailable as exc:
            self._unavailable(exc.reason, str(exc))
            return ()
        kids = {key_id(secret) for secret in secrets.all()} if secrets else set()
        for count in counts:
            for kid, number in sorted(count.unreadable.items()):
                self._wrong("REMEMBER_SECRET_PREVIOUS", f"{_entries(number, count.scope)} {self._why(kid, kids)}")
        return counts

    def _why(self, kid: str, known: set[str]) -> str:
        if not kid:
            return "no sealed text: REMEMBER_ENCRYPTION was off when they were stored, or something else wrote them."
        if not self.settings.encryption:
            return f"text sealed under the key id {kid}, and REMEMBER_ENCRYPTION is off. Set it to on."
        if kid in known:
            return (
                f"text sealed under the key id {kid} of a secret that is here, and it does not open: it was changed, "
                "or moved from another place. Store those memories anew, or bring the store back from a copy."
            )
        return (
            f"text sealed under the key id {kid}, which no secret here has. Put the secret that sealed it into "
            "REMEMBER_SECRET_PREVIOUS."
        )

    def _static_users(self) -> tuple[str, ...]:
        text = self.settings.api_keys.reveal() if self.settings.api_keys else ""
        keys = self._try(lambda: StaticKeys.parse(text)) if text else None
        return keys.users if keys else ()

    def _unavailable(self, reason: str, sentence: str) -> None:
        """A store's sentence; the REST store's names the variables by the first of their names."""
        variable = self.store_variable
        if self._opened is not None and self._opened.name == "upstash":
            url, token = self._rest_names
            sentence = sentence.replace(REST_PAIRS[0][0], url).replace(REST_PAIRS[0][1], token)
            variable = token if reason in ("unauthorized", "read-only") else url
        self._wrong(variable, sentence)

    def _try(self, make: Callable[[], T]) -> T | None:
        try:
            return make()
        except ConfigurationError as exc:
            self._wrong(exc.variable, str(exc))
            return None

    def _wrong(self, variable: str, message: str) -> None:
        self._add(Finding("wrong", variable, message))

    def _add(self, finding: Finding) -> None:
        self.findings.setdefault(finding.message, finding)


def _entries(number: int, scope: str) -> str:
    return f"{number:,} {'entry' if number == 1 else 'entries'} in {scope} scope cannot be read: they hold"
