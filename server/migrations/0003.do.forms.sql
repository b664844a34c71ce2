-- Forms: what is asked, who may ask it of whom, and every version of it. Forms are marked as deleted, never removed, so
-- that the tables that grow with submissions need no foreign keys to them.

create table forms (
  id              int generated always as identity primary key,
  project_id      int not null references projects on delete cascade,
  owner_id        int not null references users on delete cascade, -- the project's owner: id_string is unique within it
  created_by      int references users on delete set null,
  uuid            text not null,                  -- 32 hexadecimal digits; stands in every submission as form/uuid
  id_string       text not null,
  id_key          text not null,                  -- as it is compared: in lower case
  sms_id_string   text not null,
  title           text not null,
  description     text not null default '',
  version_number  int not null default 1,         -- the current one of form_versions
  is_downloadable boolean not null default true,  -- false: inactive, takes no submissions
  is_public       boolean not null default false, -- everybody may see the definition
  is_data_public  boolean not null default false, -- everybody may see the submissions
  requires_auth   boolean not null default false,
  public_key      text not null default '',       -- submissions are encrypted with it on the device
  editor_role     text not null default 'editor', -- what the project's editors are here, at most
  dataentry_role  text not null default 'dataentry',
  readonly_role   text not null default 'readonly',
  created_at      timestamptz(3) not null,
  modified_at     timestamptz(3) not null,
  published_at    timestamptz(3) not null,        -- when the definition last changed
  deleted_at      timestamptz(3),
  deleted_by      int references users on delete set null,
  constraint forms__uuid unique (uuid)
);
-- A deleted form frees its id.
create unique index forms__owner_id_id_key on forms (owner_id, id_key) where deleted_at is null;
create index forms__project_id on forms (project_id);
create index forms__created_by on forms (created_by);
create index forms__deleted_by on forms (deleted_by);
create index forms__public on forms (id) where (is_public or is_data_public) and deleted_at is null;

-- Every definition that a form has had; a submission names the one that it was made with.
create table form_versions (
  form_id     int not null references forms on delete cascade,
  number      int not null,                       -- 1, 2, 3 …
  version     text not null,
  title       text not null,
  xml         text not null,                      -- the XForm as devices get it
  hash        text not null,                      -- md5: of the XForm
  model       json not null,                      -- the form as plain data, see the compiler
  source_key  text,                               -- where the uploaded file is kept
  source_name text,
  created_by  int references users on delete set null,
  created_at  timestamptz(3) not null,
  modified_at timestamptz(3) not null,
  primary key (form_id, number),
  constraint form_versions__version unique (form_id, version)
);
create index form_versions__created_by on form_versions (created_by);

-- A role on one form. It stands in place of the same person's direct role on the project.
create table form_roles (
  form_id    int not null references forms on delete cascade,
  user_id    int not null references users on delete cascade,
  role       text not null,
  created_at timestamptz(3) not null,
  primary key (form_id, user_id)
);
create index form_roles__user_id on form_roles (user_id);

create table form_tags (
  form_id    int not null references forms on delete cascade,
  tag        text not null,
  created_at timestamptz(3) not null,
  primary key (form_id, tag)
);

-- Live submissions by version. Several rows stand for one number, so that those who receive at once do not wait for each
-- other; the number is their sum.
create table form_counts (
  form_id           int not null,
  version           text not null,
  slot              smallint not null,
  submissions       bigint not null,
  last_submitted_at timestamptz(3),
  has_places        boolean not null default false, -- some submission says where it was made
  primary key (form_id, version, slot)
);

-- Every reason why somebody has a role on a form: the project's, narrowed by what the form makes of editors, of people
-- who enter data and of readers; and the form's own.
create view form_grants as
  select forms.id as form_id, grants.user_id,
    case
      when grants.role = 'editor' then forms.editor_role
      when grants.role = 'dataentry' then forms.dataentry_role
      when grants.role = 'dataentry-minor' and forms.dataentry_role = 'dataentry-only' then 'dataentry-only'
      when grants.role = 'readonly' then forms.readonly_role
      else grants.role
    end as role,
    grants.source, grants.through
  from forms join project_grants grants on grants.project_id = forms.project_id
  where not (grants.source = 'direct' and exists (
    select from form_roles roles where roles.form_id = forms.id and roles.user_id = grants.user_id))
  union all
  select form_id, user_id, role, 'form', null from form_roles;
