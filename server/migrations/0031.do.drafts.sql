-- Test forms: a version that is tried out before it is published. What is sent to one lies in tables of its own, so that no
-- statement over records has to remember to leave it out.

-- draft: the form has never been published; it has its draft alone, and a version 0 that stands in for one.
alter table forms drop constraint forms__state;
alter table forms add constraint forms__state check (state in ('open', 'closing', 'closed', 'draft'));

-- One at most for a form. Replacing one makes another id, so that whatever is under way for the former one is told.
create table form_drafts (
  form_id     int primary key references forms on delete cascade,
  id          bigint generated always as identity,
  key_id      int not null references device_keys on delete cascade, -- what phones try it by
  version     text not null,
  title       text not null,
  xml         text not null,                      -- the XForm as devices get it
  hash        text not null,                      -- md5: of the XForm
  model       json not null,                      -- the form as plain data
  public_key  text not null,                      -- blank: records come in clear
  source_key  text not null,                      -- where the uploaded file is kept
  source_name text not null,
  warnings    text[] not null,
  created_by  int references users on delete set null,
  created_at  timestamptz(3) not null,
  constraint form_drafts__id unique (id)
);
create index form_drafts__key_id on form_drafts (key_id);
create index form_drafts__created_by on form_drafts (created_by);

-- The files that go with a draft: those that the form had when it was made, and what was added and taken out since.
create table draft_media (
  id          int generated always as identity primary key,
  draft_id    bigint not null references form_drafts (id) on update cascade on delete cascade, -- they stay when it is replaced
  name        text not null,                      -- of a link: the link
  change      text not null,
  metadata_id int references metadata on delete cascade, -- of a link: the form's own entry
  file_key    text,                               -- of what is kept: that of the form, whose bytes never change
  file_type   text not null,
  file_hash   text not null,
  file_bytes  bigint,
  constraint draft_media__name unique (draft_id, name),
  constraint draft_media__change check (change in ('kept', 'added', 'removed'))
);
create index draft_media__metadata_id on draft_media (metadata_id);

create table draft_records (
  draft_id    bigint not null references form_drafts (id) on delete cascade,
  uuid        text not null,                      -- the instance id: each once
  id          int generated always as identity,
  xml         text not null,
  answers     json not null,                      -- in the order of the form
  version     text not null,
  media_total int not null,                       -- files that the answers name
  device_id   text,
  received_at timestamptz(3) not null,
  primary key (draft_id, uuid)
);
-- They are kept for 30 days.
create index draft_records__received_at on draft_records (received_at);

create table draft_files (
  id          int generated always as identity primary key,
  draft_id    bigint not null,
  uuid        text not null,
  name        text not null,
  file_key    text not null,
  mimetype    text not null,
  bytes       bigint not null,
  sha256      text not null,
  md5         text not null,
  constraint draft_files__record foreign key (draft_id, uuid) references draft_records on delete cascade,
  constraint draft_files__name unique (draft_id, uuid, name)
);
