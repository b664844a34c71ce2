-- Keys: what a phone without an account is let in by. The token stands in the address, which is all that Collect can be given
-- over plain http. A key opens forms for filling in, and nothing else.
create table device_keys (
  id            int generated always as identity primary key,
  kind          text not null,                  -- device; link: to be given away; draft: for trying a form out
  project_id    int not null references projects on delete cascade,
  form_id       int references forms on delete cascade, -- of a link or a draft: its one form, in whichever project that is now
  name          text not null,
  has_all_forms boolean not null,               -- also those that the project gets later; else see device_key_forms
  acts_as       int,                            -- the account whose records they are; the key ends with it, so no reference
  properties    jsonb not null default '{}',
  created_by    int references users on delete set null,
  held_by       int references users on delete set null, -- whose right it hands on: without it the key opens nothing
  created_at    timestamptz(3) not null,
  expires_at    timestamptz(3),
  revoked_at    timestamptz(3),
  revoked_by    int references users on delete set null,
  stopped_at    timestamptz(3),                 -- whoever held it had lost the right; the owners have been told
  deleted_at    timestamptz(3),                 -- the row stays, so that its tokens are never taken for guesses
  most_records  int,                            -- of a link: how many it takes; null: any number
  is_single     boolean not null default false, -- of a link: a browser fills it in once
  webform_url   text,                           -- of a link: where a browser fills it in
  constraint device_keys__kind check (kind in ('device', 'link', 'draft')),
  constraint device_keys__one_form check ((kind = 'device') = (form_id is null))
);
create index device_keys__project_id on device_keys (project_id, id);
create index device_keys__form_id on device_keys (form_id);
create index device_keys__created_by on device_keys (created_by);
create index device_keys__held_by on device_keys (held_by);
create index device_keys__revoked_by on device_keys (revoked_by);

-- Every token that a key has had. Former ones open nothing, but whoever still has one is no guesser.
create table device_key_tokens (
  token_hash text primary key,
  id         int generated always as identity, -- told to the statement that stores: a body may be under way when it is renewed
  key_id     int not null references device_keys on delete cascade,
  sealed     bytea,                             -- by the installation's secret, to be shown again; null: a former one
  created_at timestamptz(3) not null
);
create unique index device_key_tokens__id on device_key_tokens (id);
create index device_key_tokens__key_id on device_key_tokens (key_id);
create unique index device_key_tokens__present on device_key_tokens (key_id) where sealed is not null;

-- The chosen forms of a key. One that was taken out stays: a phone may hold a record of it that is still to be sent.
create table device_key_forms (
  key_id     int not null references device_keys on delete cascade,
  form_id    int not null references forms on delete cascade,
  added_at   timestamptz(3) not null,
  removed_at timestamptz(3),
  primary key (key_id, form_id)
);
create index device_key_forms__form_id on device_key_forms (form_id);

-- Records that came through a key. Several rows stand for one number, so that those who receive at once do not wait for each
-- other; the number is their sum. A link has the row 0 alone: its limit is counted under the lock of it.
create table device_key_counts (
  key_id  int not null references device_keys on delete cascade,
  slot    smallint not null,
  records bigint not null,
  primary key (key_id, slot)
);

-- Which devices have come with a key, and when last; written at most once a minute for each. The id is what the device says.
create table device_key_devices (
  key_id          int not null references device_keys on delete cascade,
  device_id       text not null,                -- blank: it said none
  agent           text not null,
  first_seen      timestamptz(3) not null,
  last_seen       timestamptz(3) not null,
  last_list       timestamptz(3),
  last_integrity  timestamptz(3),
  last_submission timestamptz(3),
  submissions     bigint not null,
  primary key (key_id, device_id)
);
-- The oldest of a key make room for new ones.
create index device_key_devices__seen on device_key_devices (key_id, last_seen);
-- They are kept for 400 days.
create index device_key_devices__last_seen on device_key_devices (last_seen);

-- What a record came through. The name is the one that the key had: it stays when the key is renamed or deleted.
alter table submissions
  add column device_key_id int,
  add column device_key    text,
  add column device_id     text,                -- what the device said of itself; also of devices without a key
  add column device_agent  text;

-- Of what came through a key: its name.
alter table form_events add column device_key text;

-- Whether a table of records has columns for them.
create index submissions__device_key_id on submissions (form_id) where device_key_id is not null;

-- The names are reserved from now on. Who has one keeps it; only /key/{number}/… is no address of the account key any more.
do $$
declare
  taken text;
begin
  select string_agg(username, ', ' order by username) into taken from users where username in ('key', 'test');
  if taken is not null then
    raise warning 'Names that are reserved from now on are taken by accounts: %. They keep them; addresses below /key are those of device keys.', taken;
  end if;
end $$;
