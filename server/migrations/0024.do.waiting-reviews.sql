-- How many records wait for a decision, for every project at once on a start page. Few wait, so the index is small; without it
-- every record of every form is looked at.
create index submissions__waiting on submissions (form_id) where deleted_at is null and review_status = '3';
