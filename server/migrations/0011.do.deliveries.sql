-- The number of a claim: it only rises, also when a delivery starts again from the beginning (`tries` is 0 then), so that
-- the outcome of an earlier claim stays void for ever.
alter table deliveries add column if not exists claim_no int not null default 0;

-- A service belongs to its form. What was recorded for a form that a service had before is nobody's any more.
delete from deliveries using rest_services services
where services.id = deliveries.service_id and services.form_id <> deliveries.form_id;
