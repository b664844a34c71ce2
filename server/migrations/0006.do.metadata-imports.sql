-- What hangs on forms, projects and single submissions beside their data: media that a form shows, documents, links.
create table metadata (
  id            int generated always as identity primary key,
  form_id       int references forms on delete cascade,
  project_id    int references projects on delete cascade,
  submission_id bigint,                          -- together with form_id
  data_type     text not null,                   -- media, supporting_doc, source, …
  data_value    text not null,                   -- a file's name, an address, or a link to another form's data
  file_key      text,                            -- where the bytes are, if it is a file
  file_type     text not null default '',
  file_hash     text not null default '',        -- md5: of the bytes
  file_bytes    bigint,
  extra         jsonb not null default '{}',
  created_by    int references users on delete set null,
  created_at    timestamptz(3) not null,
  modified_at   timestamptz(3) not null,
  deleted_at    timestamptz(3)
);
-- The same thing is not added twice; what is deleted does not count.
create unique index metadata__unique on metadata
  (coalesce(form_id, 0), coalesce(project_id, 0), coalesce(submission_id, 0), data_type, data_value)
  where deleted_at is null;
create index metadata__form_id on metadata (form_id);
create index metadata__project_id on metadata (project_id);
create index metadata__created_by on metadata (created_by);

-- Imports of records that run in the background. The row is what somebody sees who asks how far it is.
create table imports (
  id          text primary key,                  -- 32 hexadecimal digits
  form_id     int not null references forms on delete cascade,
  created_by  int not null references users on delete cascade,
  state       text not null,                     -- PENDING, PROGRESS, SUCCESS, FAILURE
  progress    int not null default 0,            -- rows done
  total       int not null default 0,
  result      json,
  error       text,
  file_key    text,
  file_name   text not null,
  overwrite   boolean not null,
  created_at  timestamptz(3) not null,
  modified_at timestamptz(3) not null
);
create index imports__form_id on imports (form_id);
create index imports__created_by on imports (created_by);
