-- What was made before a record was deleted (kept exports, kept charts) may still show it. Only deleted records are in it,
-- so receiving does not write to it.
create index submissions__deleted on submissions (form_id, change_no) where deleted_at is not null;
