-- What acts for a person: it works while they have the right that made it, and whoever uses it asks. Whoever confirms or
-- changes it is the person from then on. Of what nobody is known to have made, it is the account that owns the form.

-- null: the account is gone, and what acted for it stands still.
alter table rest_services add column acts_for int references users on delete set null;
update rest_services services
set acts_for = coalesce(services.created_by, forms.owner_id)
from forms where forms.id = services.form_id;
create index rest_services__acts_for on rest_services (acts_for);

alter table widgets add column acts_for int references users on delete set null;
update widgets
set acts_for = coalesce(widgets.created_by, forms.owner_id)
from forms where forms.id = widgets.form_id;
create index widgets__acts_for on widgets (acts_for);
-- The key opens nothing since then: whoever the widget acted for had lost the right. The owners have been told.
alter table widgets add column key_stopped_at timestamptz(3);

-- A link to another form's records that was found to hand on nothing any more. The owners have been told.
alter table metadata add column link_stopped_at timestamptz(3);
-- Links are few among much else; those that hold are looked at again and again.
create index metadata__links on metadata (created_by)
  where file_key is null and deleted_at is null and link_stopped_at is null
    and (data_value like 'xform%' or data_value like 'dataview%');
