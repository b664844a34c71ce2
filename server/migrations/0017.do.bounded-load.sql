-- What blocks know of the names and repeats in their records is bounded from now on, and holds how many records have each
-- name. What was kept before is looked at again when it is next asked for.
update submission_blocks set shape = null where shape is not null;

-- Which workers of background jobs live, over all processes: each says so every few seconds. What one that is silent had in
-- hand is free for others; what one that lives has in hand is nobody else's, however long it takes.
create table job_workers (
  worker_id text primary key,
  seen_at   timestamptz(3) not null
);
