-- A link to another form's records holds while whoever made it keeps the rights that it needs. Whether it does is asked
-- each time; this is only when its owners were told that it stopped, so that they are told once.
alter table metadata add column stopped_at timestamptz(3);

-- What was made before a record was deleted (kept exports, kept charts) may still show it. Only deleted records are in it,
-- so receiving does not write to it.
create index submissions__deleted on submissions (form_id, change_no) where deleted_at is not null;
