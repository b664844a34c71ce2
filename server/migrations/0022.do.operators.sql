-- Operators: people who run this server. They see how it does, and nothing more of anybody's data than everybody else.

-- Being an operator is no role on any project or form, so it stands with the person and in none of the tables of rights.
alter table users add column is_operator boolean not null default false;
alter table users add constraint users__operators_are_people check (not (is_operator and is_org));
-- When somebody last signed in on a page; rows of sign_ins go when they are spent.
alter table users add column last_sign_in_at timestamptz(3);
update users set last_sign_in_at = newest.at
from (select user_id, max(created_at) as at from sign_ins group by user_id) newest
where newest.user_id = users.id;

-- When a command that looks after the installation last ran to its end, and what it found.
create table upkeep (
  task     text primary key,       -- verify
  ran_at   timestamptz(3) not null,
  outcome  jsonb not null          -- numbers only
);
