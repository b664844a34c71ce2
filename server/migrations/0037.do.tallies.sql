-- Charts of large forms never count twice. How often each value of a field was given, perhaps with one or two others beside
-- it, is kept as of a change number: in all, and for each range of ids. Whoever asks has those ranges counted anew in which
-- something has changed; what they held before is taken away from the whole, and what they hold now is added.
create table tallies (
  form_id   integer not null,
  tally     uuid not null,                       -- a hash of what is counted
  about     jsonb not null,                      -- the field and its groups, by their paths
  state     text not null default 'wanted',
  state_at  timestamptz not null,
  asked_at  timestamptz not null,
  shift     smallint not null default 0,         -- ranges are of so many bits of an id
  change_no bigint not null default 0,           -- every change up to it is counted
  -- One place of each for every combination.
  value     text[] not null default '{}',
  g1        text[] not null default '{}',
  g2        text[] not null default '{}',
  count     bigint[] not null default '{}',
  primary key (form_id, tally),
  constraint tallies__state check (state in ('wanted', 'kept', 'diverse'))
);

create table tally_blocks (
  form_id integer not null,
  tally   uuid not null,
  block   bigint not null,
  value   text[] not null,
  g1      text[] not null,
  g2      text[] not null,
  count   bigint[] not null,
  primary key (form_id, tally, block)
);
