"""The server of act: submissions, a durable queue, robot workers, results and a leaderboard.

One folder of processes over one database (``docs/act-server.md``):

- ``api/`` is the web process: ``api.app.create_app(settings)`` makes the FastAPI application;
- ``clerk.py`` checks uploads and gives lost submissions back to the queue;
- ``worker.py`` is one process per robot;
- ``supervisor.py`` starts them all and starts them again when they die.

Pages plug in as a router: ``create_app`` includes ``pentathlon.server.pages.router`` (a ``fastapi.APIRouter``) when
that module exists. Pages reach the database and the settings through the same dependencies as the API,
``api.dependencies`` (``Office``, ``SignedIn``, ``MaybeSignedIn``, ``Operator``), and a browser may carry its token in
the cookie ``pentathlon_token`` in place of the ``Authorization`` header; set it ``HttpOnly`` and
``SameSite=Strict``, which keeps other sites from acting in its name.
"""
