-- Whether a table of records has columns for keys and devices was an index that every record through a key was written to.
-- It is one word of a counter that is written anyway.
alter table form_counts add column has_devices boolean not null default false; -- some submission came through a key
update form_counts set has_devices = true
where form_id in (select form_id from submissions where device_key_id is not null);
drop index submissions__device_key_id;
