"""The API, fuzzed from its own OpenAPI schema: whatever comes in, the server itself never fails."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
import schemathesis
from desk import Desk
from fastapi.testclient import TestClient
from hypothesis import HealthCheck, Phase, settings
from postgresql_cluster import postgresql_problem
from schemathesis.specs.openapi.checks import response_schema_conformance, status_code_conformance

from pentathlon.server.api.app import create_app
from pentathlon.server.settings import ServerSettings

# PostgreSQL is the stricter of the two: it refuses zero bytes and numbers out of range.
EXAMPLES = settings(
    max_examples=12,
    deadline=None,
    derandomize=True,
    database=None,
    phases=[Phase.explicit, Phase.generate],
    suppress_health_check=list(HealthCheck),
)


@pytest.fixture(scope="module")
def fuzzed(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[TestClient]:
    database = "" if postgresql_problem() else request.getfixturevalue("postgresql").new_database()
    generous = {"request_burst": 10**9, "unfinished_limit": 10**9, "upload_limit_bytes": 1000}
    desk = Desk.open(tmp_path_factory.mktemp("fuzz") / "server", database=database, **generous)
    _, token = desk.account("boss", role="operator")
    desk.submit(desk.account("ada")[0])
    desk.add_robot(name="0")
    with desk.web(token) as web:
        yield web
    desk.close()


schema = schemathesis.openapi.from_dict(create_app(ServerSettings(Path("unused"))).openapi())


@schema.parametrize()
@EXAMPLES
def test_nothing_makes_the_server_fail(case: schemathesis.Case, fuzzed: TestClient) -> None:
    request = case.as_transport_kwargs(base_url="http://testserver")
    given = {key: request[key] for key in ("method", "url", "params", "json") if key in request}
    # The token is that of an operator, so that nothing is refused before it is looked at.
    # Headers travel as Latin-1; the client by itself sends ASCII only.
    sent = {name: value for name, value in request["headers"].items() if name.lower() != "authorization"}
    headers = [(name.encode(), value.encode("latin-1")) for name, value in sent.items()]
    response = fuzzed.request(**given, content=request.get("data"), headers=headers)
    assert response.status_code < 500
    if response.status_code >= 400:
        assert list(response.json()) == ["error"]
    else:
        case.validate_response(response, checks=[response_schema_conformance, status_code_conformance])
