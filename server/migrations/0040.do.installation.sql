-- expand
-- Which installation this is. It goes along in every backup: a place that holds those of another is left alone, and a database that was
-- restored is the one that it was.
create table installation (
  is_only bool primary key default true constraint installation__only check (is_only),
  id      uuid not null
);
