-- Views on forms' data that people make, the charts that they keep, and charts that were made lately.

-- Some columns of a form's records, of those records that match. Where a form goes, its dataviews go.
create table dataviews (
  id          int generated always as identity primary key,
  form_id     int not null references forms on delete cascade,
  name        text not null,
  columns     jsonb not null,                    -- list of names as they were given
  query       jsonb not null default '[]',       -- list of {column, filter, value, condition}
  created_by  int references users on delete set null,
  created_at  timestamptz(3) not null,
  modified_at timestamptz(3) not null,
  deleted_at  timestamptz(3)                     -- hidden everywhere
);
create unique index dataviews__name on dataviews (form_id, name) where deleted_at is null;

-- Files may be made of a dataview too. null: of the form itself.
alter table exports add column dataview_id int references dataviews on delete cascade;
create index exports__dataview_id on exports (dataview_id) where dataview_id is not null;

-- What a chart shows and how it is to look, kept under a key that may be given away.
create table widgets (
  id           int generated always as identity primary key,
  key          text not null,                    -- 32 hexadecimal digits; whoever knows it may read the widget
  form_id      int not null references forms on delete cascade,
  dataview_id  int references dataviews on delete cascade, -- null: of the form itself
  position     int not null,                     -- from 0, without gaps, in the form or dataview
  title        text,
  description  text,
  aggregation  text,
  widget_type  text not null,
  view_type    text not null,
  column_name  text not null,
  group_by     text,
  metadata     jsonb not null default '{}',
  created_by   int references users on delete set null,
  created_at   timestamptz(3) not null,
  modified_at  timestamptz(3) not null,
  constraint widgets__key unique (key),
  -- Looked at when the transaction ends: in between, those that make room for each other may share a place.
  constraint widgets__position unique nulls not distinct (form_id, dataview_id, position) deferrable initially deferred
);
create index widgets__dataview_id on widgets (dataview_id) where dataview_id is not null;
create index widgets__created_by on widgets (created_by);

-- Charts of the last minutes. Unlogged: what a crash takes is counted again.
create unlogged table chart_cache (
  form_id int not null,
  key     text not null,                         -- what was asked, and what its caller may see
  body    text not null,
  made_at timestamptz(3) not null,
  primary key (form_id, key)
);
