-- Devices and Enketo know XML as text/xml. What was stored as application/xml is the same file.
update metadata set file_type = 'text/xml' where file_type = 'application/xml';
