-- Submissions and what hangs on them. Every table here grows without end: form_id comes first in every key and every query
-- names the form, so that they can be partitioned or distributed by form as they are. Values are computed by the program;
-- there are no triggers and no foreign keys (forms and users are never removed, and checking them would lock their rows
-- for every submission).

create sequence submission_ids;
create sequence attachment_ids;
create sequence note_ids;
create sequence review_ids;

-- The order in which changes become visible, for readers who want to stay in step. A writer holds a shared lock on the
-- number before his own until he has committed: numbers above the lowest locked one may still have gaps, those up to it
-- have not (submissions/changes.queries.ts reads it so).
create sequence change_numbers;
create function next_change() returns bigint language plpgsql as $$
declare
  before bigint;
begin
  select last_value into before from change_numbers;
  -- 21347 (0x5363) marks these locks among others; the rest of the key is the number.
  perform pg_advisory_xact_lock_shared((21347::bigint << 48) | before);
  return nextval('change_numbers');
end $$;

create table submissions (
  form_id        int not null,
  id             bigint not null,                -- unique over all forms
  uuid           text not null,                  -- the present instance id, without uuid:
  xml            text not null,                  -- as received, byte for byte
  answers        jsonb not null,                 -- record key → text; a repeat → array of such objects
  version        text not null,
  model_number   int not null,                   -- of form_versions: the definition that the XML was read by
  root_name      text not null,
  status         text not null,                  -- submitted_via_web, imported_via_csv
  submitted_at   timestamptz(3) not null,
  submitted_by   int,                            -- null: anonymous
  modified_at    timestamptz(3) not null,
  change_no      bigint not null,                -- of the last change, see next_change()
  edited_at      timestamptz(3),                 -- null: never edited
  edited_by      int,
  duration       bigint,                         -- seconds from start to end
  latitude       double precision,               -- of the first geopoint in the order of the form
  longitude      double precision,
  media_total    int not null,                   -- files that the answers name
  media_count    int not null,                   -- of these, how many have arrived
  attachments    jsonb not null,                 -- as the record shows them; kept with the rows of attachments
  notes          jsonb not null default '[]',    -- as the record shows them; kept with the rows of submission_notes
  tags           text[] not null default '{}',   -- sorted
  review_status  text,                           -- 1 approved, 2 rejected, 3 pending; null: never reviewed
  review_comment text,
  reviewed_at    timestamptz(3),
  deleted_at     timestamptz(3),                 -- hidden everywhere
  deleted_by     int,
  primary key (form_id, id)
);
-- Filters and windows by time, counts of a day or month.
create index submissions__submitted_at on submissions (form_id, submitted_at, id) where deleted_at is null;
-- The changes feed; deleted ones are part of it.
create index submissions__change_no on submissions (form_id, change_no, id);

-- Every instance id that a form has seen, present or former. It decides what is new, what is a duplicate and which edit
-- comes too late.
create table instance_ids (
  form_id       int not null,
  uuid          text not null,
  submission_id bigint not null,
  primary key (form_id, uuid)
);

-- What a submission was before each edit.
create table submission_versions (
  form_id       int not null,
  submission_id bigint not null,
  number        int not null,                    -- 1 is the oldest
  uuid          text not null,
  xml           text not null,
  answers       jsonb not null,
  version       text not null,
  model_number  int not null,
  made_at       timestamptz(3) not null,
  made_by       int,
  archived_at   timestamptz(3) not null,
  primary key (form_id, submission_id, number)
);

create table attachments (
  form_id       int not null,
  id            bigint not null,
  submission_id bigint not null,
  name          text not null,                   -- as the answer names it: no path
  stored_name   text not null,                   -- as the API shows it: owner/attachments/form/name
  file_key      text not null,                   -- where the bytes are; random, not made of what was sent
  mimetype      text not null,
  bytes         bigint not null,
  sha256        text not null,
  md5           text not null,
  question      text,                            -- record key of the answer that names it
  created_at    timestamptz(3) not null,
  deleted_at    timestamptz(3),                  -- no answer names it, or its submission is deleted
  primary key (form_id, id)
);
create index attachments__submission_id on attachments (form_id, submission_id);
-- The same file again is not stored twice.
create unique index attachments__name on attachments (form_id, submission_id, name) where deleted_at is null;

create table submission_notes (
  form_id        int not null,
  id             bigint not null,
  submission_id  bigint not null,
  note           text not null,
  instance_field text,                           -- the question that it is about
  created_by     int not null,
  created_at     timestamptz(3) not null,
  modified_at    timestamptz(3) not null,
  primary key (form_id, id)
);
create index submission_notes__submission_id on submission_notes (form_id, submission_id);

create table submission_reviews (
  form_id       int not null,
  id            bigint not null,
  submission_id bigint not null,
  status        text not null,
  note_id       bigint,                          -- the comment, which is a note too
  created_by    int not null,
  created_at    timestamptz(3) not null,
  modified_at   timestamptz(3) not null,
  deleted_at    timestamptz(3),
  primary key (form_id, id)
);
create index submission_reviews__submission_id on submission_reviews (form_id, submission_id);

-- Files that are in the store but belong to nothing yet. The row goes in the transaction that takes the file; what is
-- left after a day was cut off in the middle, and its file is removed.
create table pending_files (
  file_key   text primary key,
  created_at timestamptz(3) not null
);
create index pending_files__created_at on pending_files (created_at);
