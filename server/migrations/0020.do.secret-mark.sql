-- A word that everybody knows, sealed with the installation's secret by the first start on this database. Who cannot open it
-- has another secret: what was sealed before cannot be read with theirs.
create table secret_mark (
  is_only bool primary key default true constraint secret_mark__only check (is_only),
  sealed  bytea not null
);
