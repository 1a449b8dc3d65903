"""The server: submissions to any registered task, a durable queue, workers, results and a leaderboard.

One folder of processes over one database (``docs/act-server.md``):

- ``api/`` and ``pages/`` are the web process: ``api.app.create_app(settings)`` makes the FastAPI application;
- ``queue/clerk.py`` checks submissions and gives lost ones back to the queue;
- ``robots/robot_worker.py`` is one process per robot, ``workers/task_worker.py`` one per plain worker;
- ``sandbox/`` runs what was uploaded;
- ``supervisor.py`` starts the processes and starts them again when they die.

Pages reach the database and the settings through the same dependencies as the API, ``api.dependencies`` (``Office``,
``SignedIn``, ``MaybeSignedIn``, ``SignedInOperator``), and a browser that signed in carries the
cookie ``pentathlon_sign_in`` in place of the ``Authorization`` header; it is ``HttpOnly`` and ``SameSite=Strict``,
which keeps other sites from acting in its name.
"""
