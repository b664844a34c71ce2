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
