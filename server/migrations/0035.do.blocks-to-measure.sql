-- Blocks whose columns have not been looked at since they changed: they are few, and asked for every minute.
create index submission_blocks__unmeasured on submission_blocks (form_id) where shape is null;
