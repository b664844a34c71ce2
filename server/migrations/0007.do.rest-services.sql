-- Rest services: where the submissions of a form are forwarded to, what is to be sent, and what became of it. These tables
-- stay on one node: deliveries are claimed across forms.

create sequence rest_service_ids;

create table rest_services (
  id              int primary key default nextval('rest_service_ids'),
  form_id         int not null references forms on delete cascade,
  kind            text not null,                  -- `name` on the wire
  service_url     text not null,                  -- blank: nothing is sent (a sheet that has no address yet)
  options         jsonb not null default '{}',    -- what only this kind has, secrets excepted
  auth_token      bytea,                          -- sealed; of flow_messaging
  secret          bytea not null,                 -- sealed; signs every call (whsec_…)
  forwards_edits  boolean not null default false,
  is_active       boolean not null default true,  -- inactive: deliveries are kept and wait
  inactive_reason text not null default '',
  failures        int not null default 0,         -- calls that failed since the last that succeeded
  failing_since   timestamptz(3),                 -- the first of them
  rests_until     timestamptz(3),                 -- no call before then: a receiver that is down is asked now and then
  created_by      int references users on delete set null,
  created_at      timestamptz(3) not null,
  modified_at     timestamptz(3) not null
);
-- Asked for every submission.
create index rest_services__form_id on rest_services (form_id);
create unique index rest_services__address on rest_services (form_id, kind, service_url) where service_url <> '';
create index rest_services__created_by on rest_services (created_by);

-- One row for each submission and service, written in the transaction of the submission, and one more for each edit that
-- is forwarded. No foreign keys: checking them would lock the service's row for every submission. What is left of a
-- deleted service is never sent and goes with the next clearing.
create sequence delivery_ids;
create table deliveries (
  service_id    int not null,
  id            bigint not null default nextval('delivery_ids'),
  form_id       int not null,
  submission_id bigint not null,
  revision      bigint not null default 0,        -- 0: the submission itself; otherwise one of its edits, later ones higher
  cause         text not null,                    -- created, edited, existing, replayed
  state         text not null default 'pending',  -- pending, delivered, failed, skipped
  tries         int not null default 0,           -- also tells two claims of one delivery apart
  due_at        timestamptz(3) not null,          -- of a pending one: not before then
  claimed_until timestamptz(3),                   -- somebody sends it now; past this moment he is taken for dead
  last_status   int,                              -- HTTP status of the last try
  last_error    text,                             -- why it has not arrived
  last_response text,                             -- how the answer begins
  created_at    timestamptz(3) not null,
  first_try_at  timestamptz(3),
  last_try_at   timestamptz(3),
  finished_at   timestamptz(3),
  primary key (service_id, id),
  -- However often existing data is pushed, a submission reaches a service once; and what comes first goes first.
  constraint deliveries__submission unique (service_id, submission_id, revision)
-- Every row is written three times and then rests: dead versions are cleared early.
) with (autovacuum_vacuum_scale_factor = 0.02);
-- What is to be sent, service by service.
create index deliveries__due on deliveries (service_id, due_at, id) where state = 'pending';
-- What is old enough to be cleared.
create index deliveries__finished_at on deliveries (finished_at) where state <> 'pending';

-- Submissions that are to be sent again, or for the first time though they are older than the service. They become
-- deliveries a few hundred at a time, in the order of their ids.
create table delivery_pushes (
  id           bigint generated always as identity primary key,
  service_id   int not null references rest_services on delete cascade,
  cause        text not null,                     -- existing, replayed
  from_time    timestamptz(3),                    -- received at or after; null: from the beginning
  to_time      timestamptz(3),                    -- received before or at; null: to the end
  last_id      bigint not null,                   -- the last submission that has become a delivery
  total        bigint not null,                   -- submissions when it was asked for
  queued       bigint not null default 0,         -- of these, how many have become deliveries
  starts_at    timestamptz(3) not null,
  finished_at  timestamptz(3),
  requested_by int references users on delete set null,
  created_at   timestamptz(3) not null
);
create index delivery_pushes__service_id on delivery_pushes (service_id, id);
create index delivery_pushes__requested_by on delivery_pushes (requested_by);
-- One push of existing data at a time.
create unique index delivery_pushes__existing on delivery_pushes (service_id)
  where cause = 'existing' and finished_at is null;
create index delivery_pushes__running on delivery_pushes (starts_at) where finished_at is null;
