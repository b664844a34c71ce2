-- What a person is told about where they are signed in, and how long a session lasts.
alter table sign_ins
  add column stays   boolean not null default false,           -- "stay signed in": it ends after a longer silence
  add column browser text not null default '',                 -- in words of ours, such as "Firefox on Android"
  add column address text not null default '',                 -- where it was when it was renewed last
  add column seen_at timestamptz(3) not null default now();    -- when it was renewed last, not each time it is used
update sign_ins set seen_at = created_at;
