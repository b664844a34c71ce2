-- expand
-- Servers that have this database, each with a row of its own while it runs. Whoever starts learns from it who else is there: with
-- another secret or other files than theirs it does not begin, and nothing is taken away that somebody's program still needs.
create table nodes (
  id         uuid primary key,
  name       text not null,             -- machine and process, for people
  program    text not null,             -- its version
  knows      integer not null,          -- the newest migration that it knows
  secret     text not null,             -- the same for the same secret, and says nothing of it
  settings   jsonb not null,            -- of each setting that all nodes share, a keyed hash of its value
  file_key   text,                      -- a small file of it: who does not find it has another store; null: it has none
  place      integer not null,          -- who came before whom
  started_at timestamptz not null,
  seen_at    timestamptz not null       -- it says every few seconds that it lives
);
