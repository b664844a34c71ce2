-- What happened, for those who ask /messaging. Events of forms grow with submissions and have the form first in their key;
-- those of projects and users stay beside it. One sequence numbers both.

create sequence event_ids;

create table form_events (
  form_id    int not null,
  id         bigint not null default nextval('event_ids'),
  verb       text not null,
  ids        bigint[],                           -- what it is about; at most 100
  message    text,                               -- of the verb message
  user_id    int,                                -- null: anonymous
  created_at timestamptz(3) not null,
  primary key (form_id, id)
);

create table events (
  id          bigint primary key default nextval('event_ids'),
  target_type text not null,                     -- project or user
  target_id   int not null,
  verb        text not null,
  message     text,
  user_id     int,
  created_at  timestamptz(3) not null
);
create index events__target on events (target_type, target_id, id);
