"""How the store of runs came to its shape. The file's user_version counts how many of these it has seen."""

from __future__ import annotations

# Old ones are never edited; statements are cut at each semicolon.
MIGRATIONS = (
    """
    CREATE TABLE run (
        id TEXT PRIMARY KEY,
        started_s REAL NOT NULL,
        status TEXT NOT NULL,
        cases INTEGER NOT NULL,
        configuration TEXT NOT NULL,
        inputs TEXT NOT NULL,
        verdict TEXT NOT NULL
    );
    CREATE INDEX run_by_start ON run (started_s DESC);
    """,
    """
    CREATE TABLE judge_call (
        digest TEXT PRIMARY KEY,
        endpoint TEXT NOT NULL,
        model TEXT NOT NULL,
        parameters TEXT NOT NULL,
        prompt BLOB NOT NULL,
        sample INTEGER NOT NULL,
        nth INTEGER NOT NULL,
        reply BLOB,
        started_s REAL NOT NULL,
        duration_s REAL NOT NULL,
        attempts INTEGER NOT NULL,
        input_tokens INTEGER,
        output_tokens INTEGER,
        note TEXT NOT NULL
    ) WITHOUT ROWID;
    """,
    # A list of runs reads small rows of its own: those of `run` are megabytes. A summary that is NULL is made when
    # it is next asked for. Overrules are only ever added and withdrawn.
    """
    CREATE TABLE run_line (
        run_id TEXT PRIMARY KEY,
        started_s REAL NOT NULL,
        name TEXT NOT NULL,
        summary TEXT
    );
    CREATE INDEX run_line_by_start ON run_line (started_s DESC, run_id);
    INSERT INTO run_line SELECT id, started_s, '', NULL FROM run;
    DROP INDEX run_by_start;
    CREATE TABLE overrule (
        number INTEGER PRIMARY KEY AUTOINCREMENT,
        id TEXT NOT NULL UNIQUE,
        run_id TEXT NOT NULL,
        said TEXT NOT NULL,
        withdrawn_s REAL
    );
    CREATE INDEX overrule_by_run ON overrule (run_id, number);
    """,
)
