-- Phones send what they have in the order in which it was filled in, and a failure does not hold up the rest: an edit may come
-- before what it replaces. It becomes a record, and claims the id that it names for that record, so that the original does not
-- become a second one when it comes.
alter table instance_ids
  -- Named by an edit of this record; what has the id itself was not there when the edit came.
  add column is_foretold boolean not null default false;

-- What a record foretold goes with the record; there are few.
create index instance_ids__foretold on instance_ids (form_id, submission_id) where is_foretold;
