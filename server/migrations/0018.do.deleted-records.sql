-- What was deleted, the newest first, to bring it back. Live records are not in it, so receiving does not write to it.
create index submissions__deleted_at on submissions (form_id, deleted_at, id) where deleted_at is not null;
