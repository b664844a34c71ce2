-- A form is open, closing or closed. Phones list it while it is open; while it closes they still send what they hold; once it is
-- closed it takes nothing. What was inactive so far is closed.
alter table forms add column state text not null default 'open';
-- From this time on an open form is closing: asked wherever it matters, so no job has to come in time.
alter table forms add column closes_at timestamptz(3);
update forms set state = 'closed' where not is_downloadable;
alter table forms drop column is_downloadable;
alter table forms add constraint forms__state check (state in ('open', 'closing', 'closed'));
-- Only what is open closes later: a form that is closing or closed has no time left over that would mean something else.
alter table forms add constraint forms__closes_at check (closes_at is null or state = 'open');
