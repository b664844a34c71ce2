-- A form that has never been published is seen by those who have a role on it, whatever becomes of its project.
update forms set is_public = false, is_data_public = false where state = 'draft' and (is_public or is_data_public);
alter table forms add constraint forms__draft_is_hidden check (state <> 'draft' or not (is_public or is_data_public));
