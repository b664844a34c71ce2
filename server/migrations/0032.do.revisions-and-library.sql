-- Whoever saves a draft that somebody else has saved meanwhile is told. A draft keeps its id and its key when it is saved again:
-- a phone that tries it out gets the next one by the code that it has.

-- Drawn anew with every save, and never the same for two of them, of whichever form.
alter table form_drafts add column revision bigint generated always as identity;

-- created_by, created_at: when it was made.
alter table form_drafts add column saved_by int references users on delete set null;
alter table form_drafts add column saved_at timestamptz(3);
update form_drafts set saved_by = created_by, saved_at = created_at;
alter table form_drafts alter column saved_at set not null;
create index form_drafts__saved_by on form_drafts (saved_by);

-- The version of the form that it was made beside; null: the form has never been published.
alter table form_drafts add column based_on text;
update form_drafts set based_on = versions.version
from forms join form_versions versions on versions.form_id = forms.id and versions.number = forms.version_number
where forms.id = form_drafts.form_id and forms.version_number > 0;

-- The question library of a project: blocks of questions, with the lists of choices that they use, to be put into forms.
create table library_blocks (
  id          int generated always as identity primary key,
  project_id  int not null references projects on delete cascade,
  name        text not null,
  description text not null,
  sheets      json not null,                      -- survey and choices, each a table with its headings first
  questions   int not null,                       -- counted when it was saved
  revision    bigint generated always as identity, -- drawn anew with every change
  created_by  int references users on delete set null,
  created_at  timestamptz(3) not null,
  changed_by  int references users on delete set null,
  changed_at  timestamptz(3) not null
);
-- Names are told apart as people do.
create unique index library_blocks__project_id_name on library_blocks (project_id, lower(name));
create index library_blocks__created_by on library_blocks (created_by);
create index library_blocks__changed_by on library_blocks (changed_by);
