-- Reading data: what makes deep pages, exports and filters of large forms cheap, and the exports that are kept.

-- A number as people and devices write it; null for anything else. Digits alone, which most answers are, pass without a
-- regular expression (measured over 100,000 answers: 164 ms against 332).
create function number_of(answer text) returns numeric language sql immutable parallel safe as $$
  select case
    when ltrim(answer, '0123456789') = '' then nullif(answer, '')::numeric
    when answer ~ '^[+-]?(\d{1,100}(\.\d{0,100})?|\.\d{1,100})([eE][+-]?\d{1,3})?$' then answer::numeric
  end
$$;

-- The day of a date, or of a date with a time, as text; null for anything else.
create function day_of(answer text) returns text language sql immutable parallel safe as $$
  select case when answer ~ '^\d{4}-\d\d-\d\d($|[T ])' then left(answer, 10) end
$$;

-- A date with a time and perhaps a zone; null for anything else. Without a zone it is UTC, whatever the session says.
create function moment_of(answer text) returns timestamptz language plpgsql immutable parallel safe as $$
begin
  if answer !~ '^\d{4}-\d\d-\d\d([T ]\d\d:\d\d(:\d\d(\.\d+)?)?(Z|[+-]\d\d(:?\d\d)?)?)?$' then
    return null;
  end if;
  -- A sign or a Z behind the time is a zone.
  if substr(answer, 12) ~ '[Z+-]' then
    return answer::timestamptz;
  end if;
  return (left(answer, 10) || case when length(answer) = 10 then 'T00:00' else substr(answer, 11) end || 'Z')::timestamptz;
exception when others then
  return null;
end $$;

-- Records that were removed for good. Only the changes feed speaks of them: whoever stays in step has to hear of it.
create table submission_tombstones (
  form_id      int not null,
  id           bigint not null,
  uuid         text not null,
  submitted_by int,
  change_no    bigint not null,
  deleted_at   timestamptz(3) not null,
  primary key (form_id, id)
);
create index submission_tombstones__change_no on submission_tombstones (form_id, change_no, id);

-- How many live records there are in each range of ids of a form, and when they came: with it a page deep in a million
-- records is found without reading those before it. It is a summary as of a change number; what has changed since is
-- counted when it is read. Whoever reads much of such writes it back.
create table submission_blocks (
  form_id  int not null,
  block    bigint not null,                      -- ids from block << shift on
  live     int not null,
  first_at timestamptz(3),
  last_at  timestamptz(3),
  shape    jsonb,                                -- entries of repeats and keys that no form knows; null: not looked at yet
  primary key (form_id, block)
);
create table submission_block_states (
  form_id   int primary key,
  change_no bigint not null,                     -- every change up to it is in the blocks
  shift     smallint not null
);

-- Files made of a form's data, kept for a while.
create table exports (
  id            int generated always as identity primary key,
  form_id       int not null references forms on delete cascade,
  created_by    int references users on delete cascade, -- null: somebody who did not sign in
  job_uuid      text not null,
  kind          text not null,                   -- csv, xlsx …
  options       jsonb not null,                  -- the parameters of the request
  options_key   text not null,                   -- what makes two requests equal
  sight         text not null,                   -- all or own: which records the file may hold
  status        text not null,                   -- PENDING, STARTED, SUCCESS, FAILURE
  progress      int not null default 0,          -- rows written so far
  error_message text not null default '',
  change_no     bigint,                          -- the data are as of this change
  file_key      text,
  filename      text not null,
  bytes         bigint,
  row_count     bigint,
  sha256        text,
  created_at    timestamptz(3) not null,
  modified_at   timestamptz(3) not null,
  constraint exports__job_uuid unique (job_uuid)
);
create index exports__form_id on exports (form_id, kind, id);
create index exports__created_by on exports (created_by);
