-- Digest, for devices that know nothing else and come without https. It needs what the server can compute the same answer from, so
-- nobody's own password is ever used for it: whoever wants it is given one for devices, which opens the OpenRosa addresses alone.
create table device_passwords (
  user_id    int primary key references users on delete cascade,
  sealed     bytea not null,                 -- by the installation's secret, bound to its account
  created_at timestamptz(3) not null
);

-- What was heard on the way must not work a second time: of each challenge the highest count that was used.
create table digest_uses (
  nonce      text primary key,
  count      bigint not null,
  expires_at timestamptz(3) not null
);
create index digest_uses_expired on digest_uses (expires_at);
