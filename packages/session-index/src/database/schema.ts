import { DATABASE_FORMAT } from '../cache-format.ts'
import type { Database } from '../driver.ts'

/**
 * The tables of one shard; docs/store.md explains how to query them. Sessions are read once, into rows: a session, its messages, their
 * calls, usage. Values longer than 1 KB are cut out of a message and read again from its record. Conversation text is only in the
 * contentless full-text table, as terms; each of its documents is one field of one message or title: `search_row.id * 8 + field`.
 */
const TABLES = `
  -- A file that a look at the disk found: of a session, a log of prompts, or a saved chat. Stamps are those of the reading
  -- by which its rows hold.
  CREATE TABLE file (
    group_id TEXT NOT NULL,     -- files of one group are read together
    number INTEGER NOT NULL,    -- position in its group, from 0; message.file names it
    path TEXT NOT NULL,         -- where it was read, absolute: of a kept file that of its copy
    home TEXT NOT NULL,         -- absolute path of its home
    name TEXT NOT NULL,         -- path in its home
    folder TEXT NOT NULL,       -- absolute path of its project's folder, as in folder.path
    kind TEXT NOT NULL,         -- session, prompts (logs.json) or chat (saved by its user)
    size INTEGER NOT NULL,      -- in bytes
    mtime_ns TEXT NOT NULL,     -- nanoseconds since 1970, more than some programs keep in a number
    ctime_ns TEXT NOT NULL,     -- the same of the last change of content, name or rights
    inode TEXT NOT NULL,
    kept TEXT,                  -- what became of it in its home, as JSON; NULL: it is there
    session_id TEXT,            -- as its first bytes tell; NULL: they do not
    start_time TEXT,            -- the same, ISO 8601
    last_time TEXT,             -- latest time near its end, ISO 8601; NULL: nobody looked, or none stands there
    head TEXT,                  -- all that its first bytes tell (FileHead) as JSON; NULL: not known
    PRIMARY KEY (group_id, number)
  ) WITHOUT ROWID;

  -- Groups of files that were read, and by what their rows hold.
  CREATE TABLE file_group (
    id TEXT PRIMARY KEY,        -- file.group_id; its first line is the key of its project
    fingerprint TEXT NOT NULL,  -- changes with any file, price, claim and version of the program
    claims TEXT,                -- what other files say of its sessions' keys and requests, as JSON
    loose TEXT                  -- what else the files are, where they are no session files, as JSON
  ) WITHOUT ROWID;

  -- Folders of projects, as the last look found them. In one shard only.
  CREATE TABLE folder (
    path TEXT PRIMARY KEY,      -- absolute
    home TEXT NOT NULL,         -- absolute path of its home
    name TEXT NOT NULL,         -- a slug or a SHA-256
    marker TEXT,                -- the project's root, as its .project_root says
    searched TEXT               -- paths in the beginnings of its files, and what the search depends on, as JSON; NULL: not searched
  ) WITHOUT ROWID;

  -- Projects, as they were known last. In each shard all of them.
  CREATE TABLE project (
    key TEXT PRIMARY KEY,       -- session.project
    name TEXT NOT NULL,
    path TEXT                   -- its root; NULL: not known
  ) WITHOUT ROWID;

  -- Conversations, sub-agents' too. Figures are of everything that was ever recorded, without sub-agents.
  CREATE TABLE session (
    number INTEGER PRIMARY KEY, -- in this shard
    group_id TEXT NOT NULL,     -- file_group.id
    key TEXT NOT NULL,          -- as in links
    session_id TEXT NOT NULL,   -- Gemini CLI's; conversations of one run share it
    project TEXT NOT NULL,      -- project.key
    kind TEXT NOT NULL,         -- main, subagent, checkpoint (a saved chat) or prompts-only
    run_id TEXT,                -- of a sub-agent: session_id of the run that started it
    agents TEXT,                -- ids of the sub-agents that its calls started, as a JSON list; NULL: none
    title TEXT NOT NULL,
    start_time TEXT,            -- ISO 8601 UTC; NULL: no record says
    end_time TEXT,              -- time of the last message
    empty INTEGER NOT NULL,     -- 1: nothing was said in it
    damaged INTEGER NOT NULL,   -- 1: none of its files is whole
    messages INTEGER,           -- all that were recorded
    prompts INTEGER,            -- as Gemini CLI holds them now
    tool_calls INTEGER,
    failed_calls INTEGER,       -- of tool_calls
    refused INTEGER,            -- requests that the API refused
    unanswered INTEGER,         -- prompts without an answer
    requests INTEGER,           -- answers of the model
    without_tokens INTEGER,     -- of requests: no tokens were recorded
    tokens INTEGER,             -- all kinds together, as the API counts them
    input INTEGER,              -- tokens, cached ones included
    cached INTEGER,
    output INTEGER,
    thoughts INTEGER,
    tool INTEGER,               -- tokens of tool use prompts
    cost REAL,                  -- in USD; NULL where no price is known
    unpriced INTEGER,           -- requests without a known price
    models TEXT,                -- names and requests of each, as JSON
    record TEXT NOT NULL        -- SessionRecord as JSON: its row and all that is derived from it
  );
  CREATE INDEX session_of_group ON session (group_id);

  CREATE TABLE message (
    id INTEGER PRIMARY KEY,     -- kept for as long as the session has a message in that place
    session INTEGER NOT NULL,   -- session.number
    ordinal INTEGER NOT NULL,   -- position in the session, from 0
    key TEXT NOT NULL,          -- Message.key
    time INTEGER,               -- milliseconds since 1970; NULL where none is recorded
    type TEXT NOT NULL,         -- Message.type
    origin TEXT NOT NULL,       -- Message.origin
    model TEXT,
    flags INTEGER NOT NULL,     -- ROW_FLAGS
    tokens INTEGER,             -- of the request, all kinds together
    cost REAL,                  -- in USD; NULL where the price is not known
    file INTEGER,               -- file.number of the file with its record, in the group of its session; NULL: of no file
    record_start INTEGER,       -- bytes of that record in the file; NULL where only the whole file tells
    record_end INTEGER,
    body TEXT NOT NULL,         -- Message as JSON, without what is longer than 1 KB, what columns say, and fields without content
    cuts TEXT,                  -- what was cut out of it, as JSON: [path, length, checksum] each
    UNIQUE (session, ordinal)
  );

  -- What searches ask of each message that can be found, and of each title. So small that a search can read all of it.
  CREATE TABLE search_row (
    id INTEGER PRIMARY KEY,     -- message.id; of a title: session.number, negative
    session INTEGER NOT NULL,   -- session.number
    ordinal INTEGER NOT NULL,   -- as of the message; a title stands behind the last one
    time INTEGER NOT NULL,      -- milliseconds since 1970; where none is recorded, that of the message before
    flags INTEGER NOT NULL,     -- ROW_FLAGS
    tokens INTEGER,             -- as of the message; of a title, of the whole session
    cost REAL,                  -- the same in USD
    main_field INTEGER NOT NULL,  -- the field that is shown where no word was asked for: its place in SEARCH_FIELDS
    fields INTEGER NOT NULL,    -- a bit for each field that has text
    hash INTEGER NOT NULL       -- of all that text
  );

  CREATE TABLE call (
    message INTEGER NOT NULL,   -- message.id
    place INTEGER NOT NULL,     -- among the calls of that message
    name TEXT NOT NULL,         -- of the tool
    status TEXT NOT NULL,       -- ToolCall.status
    failed INTEGER NOT NULL,    -- 0 or 1
    exit_code INTEGER,          -- of a command
    line TEXT NOT NULL,         -- the command, or what else says in a line what it was about
    paths TEXT,                 -- files that it touched, as a JSON list
    PRIMARY KEY (message, place)
  ) WITHOUT ROWID;
  CREATE INDEX call_name ON call (name, status);

  -- What a session spent on a model in a quarter of an hour; requests that another session counts are not in it.
  CREATE TABLE spend (
    session INTEGER NOT NULL,
    quarter_hour INTEGER,       -- milliseconds since 1970, in UTC; NULL where nothing has a time
    model TEXT,
    requests INTEGER NOT NULL,
    input INTEGER NOT NULL,     -- tokens, cached ones included
    cached INTEGER NOT NULL,
    output INTEGER NOT NULL,
    thoughts INTEGER NOT NULL,
    tool INTEGER NOT NULL,
    cost REAL NOT NULL,         -- in USD, of requests with a known price
    unpriced INTEGER NOT NULL   -- requests without one
  );
  CREATE INDEX spend_of_session ON spend (session);

  -- What is made of all messages of a long session when it is stored: what its page asks for first.
  CREATE TABLE derived (
    session INTEGER NOT NULL,
    name TEXT NOT NULL,
    json BLOB NOT NULL,         -- UTF-8
    PRIMARY KEY (session, name)
  );

  CREATE VIRTUAL TABLE text USING fts5(words, content='', contentless_delete=1, tokenize='ascii');
  CREATE VIRTUAL TABLE word USING fts5vocab(text, row);
`

export function createSchema(database: Database): void {
  // In one transaction, since each table would otherwise wait for the disk separately.
  database.exec(`
    BEGIN;
    ${TABLES}
    INSERT INTO text(text, rank) VALUES ('hashsize', ${FTS_MEMORY_BYTES}), ('automerge', ${SEGMENTS_TO_MERGE});
    PRAGMA user_version = ${DATABASE_FORMAT};
    COMMIT;
  `)
}

/**
 * How much FTS5 collects in memory before it writes a segment, and how many segments trigger a merge. Measured: fewer, larger segments cost
 * less merging, but collecting more than fits into the processor's caches costs more than that saves.
 */
const FTS_MEMORY_BYTES = 4 * 1024 * 1024
const SEGMENTS_TO_MERGE = 16
