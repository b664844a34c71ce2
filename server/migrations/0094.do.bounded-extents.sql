-- What blocks know of the names and repeats in their records is bounded from now on, and holds how many records have each
-- name. What was kept before is looked at again when it is next asked for.
update submission_blocks set shape = null where shape is not null;
