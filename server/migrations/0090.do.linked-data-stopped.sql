-- A link to another form's records holds while whoever made it keeps the rights that it needs. Whether it does is asked
-- each time; this is only when its owners were told that it stopped, so that they are told once.
alter table metadata add column stopped_at timestamptz(3);
