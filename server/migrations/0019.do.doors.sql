-- Devices and Enketo know XML as text/xml. What was stored as application/xml is the same file.
update metadata set file_type = 'text/xml' where file_type = 'application/xml';

-- Where a client may have its people sent after they have signed out; compared as redirect_uris are.
alter table oauth_clients add column post_logout_uris text[] not null default '{}';
