"""Settings: read once from a mapping, forgiving about white space, never about meaning, and silent about secrets."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from remember.settings import NAMES, REST_PAIRS, SECRET_NAMES, Secret, Settings, is_web_url

GOOD_SECRET = "bench-secret-0123456789"
# Begun with what stands in no message of ours, as hypothesis likes to try the code's own words.
HIDDEN = st.text(st.characters(min_codepoint=33, max_codepoint=126), min_size=10, max_size=60).map("Xq7".__add__)


def read(**environ: str) -> Settings:
    return Settings.read(environ)


def test_nothing_set_is_no_problem() -> None:
    """A laptop with an empty environment has the defaults."""
    assert read() == Settings()
    assert (read().problems, read().warnings) == ((), ())


class TestReading:
    """How a value is read, whatever it is for."""

    @pytest.mark.parametrize(
        "written",
        [" team: ", "team:\n", "\r\n\tteam:", '"team:"', "'team:'", ' "team:" \n', '" team: "'],
    )
    def test_white_space_and_one_pair_of_quotes_are_dropped(self, written: str) -> None:
        """They arrive by accident; a warning tells of it, once."""
        settings = read(REMEMBER_KEY_PREFIX=written)
        assert settings.key_prefix == "team:"
        assert settings.warnings == ("REMEMBER_KEY_PREFIX: white space or quotes around its value were dropped.",)

    @pytest.mark.parametrize("kept", ["'", "\"x'", "''x''", 'x"y'])
    def test_quotes_that_are_no_pair_around_the_value_stay(self, kept: str) -> None:
        """Only one pair goes, and only a matching one."""
        secret = read(REMEMBER_SECRET=kept + GOOD_SECRET).secret
        assert secret is not None
        assert secret.reveal() == kept + GOOD_SECRET

    @pytest.mark.parametrize("name", NAMES)
    @pytest.mark.parametrize("empty", ["", "  ", "\n", '""', "' '"])
    def test_empty_is_unset(self, name: str, empty: str) -> None:
        """For every variable; and it is no problem."""
        settings = Settings.read({name: empty})
        assert settings.problems == ()
        assert Settings(warnings=settings.warnings) == settings

    @pytest.mark.parametrize(
        ("name", "near"),
        [
            ("REMEMBER_SECRETS", "REMEMBER_SECRET"),
            ("REMEMBER_APIKEYS", "REMEMBER_API_KEYS"),
            ("REMEMBER_DEFAULT_TLL", "REMEMBER_DEFAULT_TTL"),
        ],
    )
    def test_an_unknown_name_gets_a_warning_with_the_nearest(self, name: str, near: str) -> None:
        """Its value is not told; other programs' names are left alone."""
        (warning,) = Settings.read({name: GOOD_SECRET, "PATH": "/bin", "MCP_OTHER": "x"}).warnings
        assert warning == f"{name} is no setting of Remember; did you mean {near}?"

    def test_known_names_are_all_read(self) -> None:
        """None of them is unknown to the reader itself."""
        assert Settings.read(dict.fromkeys(NAMES, "")).warnings == ()


class TestSecrets:
    """Nothing that was set can be read in a problem, a warning or a print."""

    @given(name=st.sampled_from(NAMES), value=HIDDEN)
    def test_no_problem_warning_or_print_tells_a_value(self, name: str, value: str) -> None:
        """Whatever was put into whichever variable: it may be a secret in the wrong one."""
        settings = Settings.read({name: value})
        said = " ".join([*map(str, settings.problems), *settings.warnings])
        assert value not in said
        if settings.secret or settings.api_keys or settings.previous_secrets:
            assert value not in repr(settings)

    def test_the_names_of_the_secret_are_tried_in_order(self) -> None:
        """The first that is not empty."""
        for first, name in enumerate(SECRET_NAMES):
            environ = {known: f"{known}-{GOOD_SECRET}" for known in SECRET_NAMES[first:]}
            secret = Settings.read({**dict.fromkeys(SECRET_NAMES, " "), **environ}).secret
            assert secret == Secret(f"{name}-{GOOD_SECRET}")

    def test_previous_secrets_are_several(self) -> None:
        """Between commas or line breaks; empty ones are none."""
        settings = read(REMEMBER_SECRET_PREVIOUS=" one-old-secret,\n two-old-secret ,,")
        assert settings.previous_secrets == (Secret("one-old-secret"), Secret("two-old-secret"))

    @pytest.mark.parametrize(
        ("environ", "problems", "warnings"),
        [({}, 0, 1), ({"NODE_ENV": "production"}, 1, 0), ({"VERCEL": "1"}, 1, 0)],
    )
    def test_a_short_secret_is_a_warning_and_in_production_a_problem(
        self, environ: dict[str, str], problems: int, warnings: int
    ) -> None:
        """It tells the length and how to make a good one."""
        settings = Settings.read({"MCP_MEMORY_SECRET": "short-secret", **environ})
        assert (len(settings.problems), len(settings.warnings)) == (problems, warnings)
        (said,) = [*map(str, settings.problems), *settings.warnings]
        assert "MCP_MEMORY_SECRET has 12 characters; at least 16" in said
        assert "remember keygen" in said


class TestPlaces:
    """Where this runs."""

    @pytest.mark.parametrize(
        ("environ", "platform", "production"),
        [
            ({}, "local", False),
            ({"NODE_ENV": "production"}, "local", True),
            ({"NODE_ENV": "test"}, "local", False),
            ({"VERCEL": "1", "VERCEL_ENV": "production"}, "vercel", True),
            ({"VERCEL": "1", "VERCEL_ENV": "preview"}, "vercel", True),
            ({"VERCEL": "1", "VERCEL_ENV": "development"}, "local", False),
            ({"AWS_LAMBDA_FUNCTION_NAME": "memory"}, "lambda", True),
        ],
    )
    def test_the_platform_tells_itself(self, environ: dict[str, str], platform: str, *, production: bool) -> None:
        """`vercel dev` is the owner's own machine."""
        settings = Settings.read(environ)
        assert (settings.platform, settings.production) == (platform, production)
        assert settings.deployed is (platform != "local")


class TestRestStore:
    """The pairs of the REST store."""

    @pytest.mark.parametrize(("url", "token"), REST_PAIRS)
    def test_a_whole_pair_is_taken(self, url: str, token: str) -> None:
        """A slash at the end of the address goes."""
        settings = Settings.read({url: "https://store.example/", token: "t"})
        assert (settings.rest_url, settings.rest_token) == ("https://store.example", Secret("t"))

    def test_half_of_one_pair_does_not_hide_the_other(self) -> None:
        """The first pair that is whole counts."""
        settings = read(
            KV_REST_API_URL="https://half.example",
            UPSTASH_REDIS_REST_URL="https://whole.example",
            UPSTASH_REDIS_REST_TOKEN="t",
        )
        assert (settings.rest_url, settings.problems) == ("https://whole.example", ())

    @pytest.mark.parametrize(("url", "token"), REST_PAIRS)
    def test_half_a_pair_names_the_missing_half(self, url: str, token: str) -> None:
        """And only that."""
        for given_name, value, missing in ((url, "https://store.example", token), (token, "t", url)):
            (problem,) = Settings.read({given_name: value}).problems
            assert problem.variable == missing
            assert str(problem).startswith(f"{given_name} is set and {missing} is not.")

    def test_a_redis_address_is_told_where_the_other_one_stands(self) -> None:
        """Without printing it: it holds a password."""
        address = "rediss://default:the-password@store.example:6379"
        (problem,) = read(KV_REST_API_URL=address, KV_REST_API_TOKEN="t").problems
        assert "REST API" in str(problem)
        assert "the-password" not in str(problem)
        assert "store.example" not in str(problem)


class TestChecks:
    """Values that must be one of something."""

    @pytest.mark.parametrize(
        ("name", "wrong"),
        [
            ("REMEMBER_ANONYMOUS", "yes"),
            ("REMEMBER_ENCRYPTION", "false"),
            ("REMEMBER_READ_SEED", "1"),
            ("REMEMBER_REDACTION", "on"),
            ("REMEMBER_ALLOWED_SCOPES", "user,mine"),
            ("REMEMBER_TOOLS_PREFIX", "my tools"),
            ("REMEMBER_KEY_PREFIX", "a*"),
            ("REMEMBER_KEY_PREFIX", "a" * 65),
            ("REMEMBER_DEFAULT_TTL", "-1"),
            ("REMEMBER_DEFAULT_TTL", "1.5"),
            ("REMEMBER_DEFAULT_TTL", "an hour"),
            ("REMEMBER_DEFAULT_TTL", "9" * 5_000),
            ("REMEMBER_DEFAULT_TTL", "1_000"),
            ("REMEMBER_DEFAULT_TTL", "+60"),
            ("REMEMBER_DEFAULT_TTL", "٣"),
            ("REMEMBER_DEFAULT_TTL", "６０"),
            ("REMEMBER_ALLOWED_ORIGINS", ","),
            ("REMEMBER_ALLOWED_SCOPES", ","),
            ("REMEMBER_ALLOWED_SCOPES", " ,\n, "),
            ("REMEMBER_TOOLS", "notes,all"),
            ("REMEMBER_TOOLS", "Memory"),
            ("REMEMBER_TOOLS", ","),
            ("REMEMBER_STORE_DEADLINE", "0"),
            ("REMEMBER_STORE_DEADLINE", "31"),
            ("REMEMBER_STORE_DEADLINE", "nan"),
            ("REMEMBER_PUBLIC_URL", "memory.example"),
        ],
    )
    def test_a_wrong_value_is_a_problem_that_names_the_variable(self, name: str, wrong: str) -> None:
        """Never an exception, and the default holds meanwhile."""
        settings = Settings.read({name: wrong})
        (problem,) = settings.problems
        assert problem.variable == name
        assert str(problem).startswith(name)

    def test_a_wrong_word_for_token_scopes_is_a_problem(self) -> None:
        """Where there is an issuer; without one it is a problem that they are named at all."""
        issuer = {"REMEMBER_ISSUER": "https://issuer.example", "REMEMBER_AUDIENCE": "a"}
        (problem,) = read(**issuer, REMEMBER_TOKEN_SCOPES="off").problems
        assert str(problem).startswith("REMEMBER_TOKEN_SCOPES must be enforce or ignore")

    def test_right_values_are_taken(self) -> None:
        """In any case where that cannot be mistaken, and in their own order."""
        settings = read(
            REMEMBER_ANONYMOUS="Allow",
            REMEMBER_ENCRYPTION="OFF",
            REMEMBER_READ_SEED="on",
            REMEMBER_REDACTION="Reject",
            REMEMBER_ALLOWED_SCOPES="global, user",
            REMEMBER_TOOLS_PREFIX="my_",
            REMEMBER_DEFAULT_TTL="60",
            REMEMBER_STORE_DEADLINE="0.5",
            REMEMBER_ALLOWED_ORIGINS="https://App.example/, http://localhost:3000",
        )
        assert settings.problems == ()
        assert (settings.anonymous, settings.encryption, settings.read_seed) == (True, False, True)
        assert (settings.redaction, read().redaction) == ("reject", "redact")
        assert (settings.allowed_scopes, settings.tools_prefix) == (("global", "user"), "my_")
        assert (settings.default_ttl, settings.store_deadline) == (60, 0.5)
        assert settings.allowed_origins == ("https://app.example", "http://localhost:3000")
        assert read(REMEMBER_DEFAULT_TTL="0").default_ttl is None

    def test_an_issuer_needs_an_audience_and_its_details_need_an_issuer(self) -> None:
        """Without an audience a token made for any other service would do."""
        (problem,) = read(REMEMBER_ISSUER="https://issuer.example").problems
        assert problem.variable == "REMEMBER_AUDIENCE"
        for name, value in (
            ("REMEMBER_AUDIENCE", "a"),
            ("REMEMBER_JWKS_URL", "https://i.example/k"),
            ("REMEMBER_ALGORITHMS", "RS256"),
            ("REMEMBER_TOKEN_SCOPES", "ignore"),
        ):
            (problem,) = Settings.read({name: value}).problems
            assert problem.variable == "REMEMBER_ISSUER"
            assert name in str(problem)

    @pytest.mark.parametrize(
        ("written", "families"),
        [
            ("memory", ("memory",)),
            (" notes\n", ("notes",)),
            ("notes, memory", ("notes", "memory")),
            ("notes,notes,", ("notes",)),
        ],
    )
    def test_a_family_of_tools_can_be_left_out(self, written: str, families: tuple[str, ...]) -> None:
        """All are offered where nothing is said."""
        settings = read(REMEMBER_TOOLS=written)
        assert (settings.families, settings.problems) == (families, ())
        assert read().families == ("memory", "notes", "wipe")

    def test_the_path_of_other_weights_is_taken_as_it_is(self) -> None:
        """Whether the file is of any use, its reader tells."""
        assert read(REMEMBER_MODEL=" /opt/weights/My Model.onnx\n").model == "/opt/weights/My Model.onnx"
        assert read().model is None

    def test_a_scope_that_is_named_twice_is_one(self) -> None:
        """In the order of the first mention, since the description of the tools lists them."""
        settings = read(REMEMBER_ALLOWED_SCOPES="user,global,user,\nglobal")
        assert (settings.allowed_scopes, settings.problems) == (("user", "global"), ())

    @pytest.mark.parametrize(
        "wrong",
        [
            "*",
            "null",
            "app.example",
            "localhost:3000",
            "https://",
            "https://app.example/path",
            "https://app.example?x",
            "https://app.example#x",
            "https://user:pw@app.example",
            "https://*.example",
            "https://app.example https://other.example",
        ],
    )
    def test_what_is_no_origin_is_told_and_not_said(self, wrong: str) -> None:
        """A browser would send none that equals it, and every page would be refused without a reason."""
        settings = read(REMEMBER_ALLOWED_ORIGINS=f"https://other.example, {wrong}")
        (problem,) = settings.problems
        assert problem.variable == "REMEMBER_ALLOWED_ORIGINS"
        assert "https://app.example, with commas" in str(problem)
        assert f"names something else ({len(wrong.rstrip('/'))} characters)" in str(problem)

    @pytest.mark.parametrize("origin", ["https://app.example:8443", "http://[::1]:3000", "vscode-webview://1a2b"])
    def test_any_origin_is_one(self, origin: str) -> None:
        """With a port, by address, and of an editor's own scheme."""
        settings = read(REMEMBER_ALLOWED_ORIGINS=origin)
        assert (settings.allowed_origins, settings.problems) == ((origin,), ())

    @pytest.mark.parametrize("name", SECRET_NAMES)
    @pytest.mark.parametrize("between", [",", "\n", "\r\n"])
    def test_a_secret_that_could_not_be_a_previous_one_is_refused(self, name: str, between: str) -> None:
        """The list of previous ones is cut there: what it sealed would be lost at its first change. It is not said."""
        settings = Settings.read({name: f"{GOOD_SECRET}{between}{GOOD_SECRET}"})
        (problem,) = settings.problems
        assert problem.variable == name
        assert "comma or line break" in str(problem)
        assert GOOD_SECRET not in f"{problem}{settings.warnings}"

    @given(st.text(st.sampled_from("ab;:=|/\\ \t#$%&+-_.~\u00e9\u2028\r"), min_size=18))
    def test_a_secret_that_is_taken_can_be_a_previous_one(self, text: str) -> None:
        """Alone and among others it is read as it was."""
        secret = read(REMEMBER_SECRET=f"x{text}x").secret
        assert secret is not None
        for previous in (secret.reveal(), f"{GOOD_SECRET},{secret.reveal()}", f"{secret.reveal()}\n{GOOD_SECRET}"):
            assert secret in read(REMEMBER_SECRET_PREVIOUS=previous).previous_secrets

    @pytest.mark.parametrize("algorithm", ["HS256", "none", "rs256"])
    def test_no_symmetric_or_missing_signature_can_be_chosen(self, algorithm: str) -> None:
        """Only algorithms with a public key."""
        settings = read(
            REMEMBER_ISSUER="https://issuer.example", REMEMBER_AUDIENCE="a", REMEMBER_ALGORITHMS=f"ES256,{algorithm}"
        )
        (problem,) = settings.problems
        assert problem.variable == "REMEMBER_ALGORITHMS"
        assert settings.algorithms == ("ES256",)

    @pytest.mark.parametrize(
        ("url", "taken"),
        [
            ("https://store.example", True),
            ("https://store.example:8443/path", True),
            ("http://localhost:3000", True),
            ("http://127.0.0.1", True),
            ("http://[::1]:80", True),
            ("http://store.example", False),
            ("http://localhost.example", False),
            ("https://user:password@store.example", False),
            ("https://store.example:port", False),
            ("https://", False),
            ("ftp://store.example", False),
            ("https://store .example", False),
            ("store.example", False),
            ("https://[", False),
        ],
    )
    def test_addresses_are_https_or_this_machine(self, url: str, *, taken: bool) -> None:
        """And hold no credentials."""
        assert is_web_url(url) is taken


class TestBounds:
    """How much a caller may ask and keep."""

    @pytest.mark.parametrize(
        ("name", "field", "default", "least"),
        [("REMEMBER_RATE_LIMIT", "rate_limit", 300, 0), ("REMEMBER_MAX_ENTRIES", "max_entries", 10_000, 1)],
    )
    def test_numbers_have_their_bounds(self, name: str, field: str, default: int, least: int) -> None:
        """Whole ones only; what is wrong is told and not said, and the default holds."""
        assert getattr(Settings.read({}), field) == default
        for number in (least, 7, 100_000):
            settings = Settings.read({name: f" {number}\n"})
            assert (getattr(settings, field), settings.problems) == (number, ())
        for wrong in (str(least - 1), "100001", "1e3", "1_000", "7.5", "٣", "many", "9" * 5_000):
            settings = Settings.read({name: wrong})
            (problem,) = settings.problems
            assert getattr(settings, field) == default
            assert problem.variable == name
            assert f"from {least} to 100,000" in str(problem)


class TestRedis:
    """An address with a password in it."""

    def test_an_address_is_kept_apart_from_what_can_be_printed(self) -> None:
        """The store is `redis`; where it is stays hidden."""
        settings = read(REMEMBER_STORE="rediss://:a-made-up-word@redis.example:6380/1")
        assert settings.store == "redis"
        assert settings.redis_url == Secret("rediss://:a-made-up-word@redis.example:6380/1")
        assert "a-made-up-word" not in repr(settings)
        assert settings.problems == ()

    def test_a_wrong_address_is_told_and_not_said(self) -> None:
        """By the variable's name, and what it should look like."""
        settings = read(REMEMBER_STORE="redis://:a-made-up-word@:6380")
        (problem,) = settings.problems
        assert problem.variable == "REMEMBER_STORE"
        assert "a-made-up-word" not in f"{problem} {settings!r}"
