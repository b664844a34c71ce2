-- Accounts: who there is, how they prove it, and what is kept so that guessing does not pay.

-- People and organizations share one table, because they share one namespace of names.
create table users (
  id          int generated always as identity primary key,
  username    text not null,                 -- lower case; what is compared and shown
  email       text,                          -- as given; null for organizations
  email_key   text,                          -- the address as it is compared: trimmed and in lower case
  first_name  text not null default '',
  last_name   text not null default '',
  is_active   boolean not null default true, -- an inactive account is hidden and cannot sign in
  is_org      boolean not null default false,-- an organization's account can never sign in
  joined_at   timestamptz(3) not null,
  constraint users__username unique (username),
  constraint users__email_key unique (email_key)
);

-- What a person signs in with: the username and the e-mail address share one namespace, so that nobody can take
-- somebody's address as a username and with it his way in.
create table sign_in_names (
  name    text not null,
  user_id int not null references users on delete cascade,
  constraint sign_in_names__name primary key (name)
);
create index sign_in_names__user_id on sign_in_names (user_id);

create table profiles (
  user_id      int primary key references users on delete cascade,
  city         text not null default '',
  country      text not null default '',     -- ISO 3166 alpha-2, or blank
  organization text not null default '',
  website      text not null default '',
  social       text not null default '',
  require_auth boolean not null default false,
  metadata     jsonb not null default '{}',  -- the client's own; the server writes nothing into it
  is_email_verified boolean not null default false,
  modified_at  timestamptz(3) not null
);

-- No row: no usable password (registered without one, or an organization).
create table passwords (
  user_id    int primary key references users on delete cascade,
  hash       text not null,                  -- argon2id, with its parameters
  changed_at timestamptz(3) not null
);

-- Former passwords, so that they are not used again; the newest five count.
create table password_history (
  id          bigint generated always as identity primary key,
  user_id     int not null references users on delete cascade,
  hash        text not null,
  replaced_at timestamptz(3) not null
);
create index password_history__user_id on password_history (user_id, id desc);

-- Tokens are found by a keyed hash and sealed with the installation's secret, because GET /user shows them again.
create table api_tokens (
  user_id    int primary key references users on delete cascade,
  token_hash text not null,
  sealed     bytea not null,
  created_at timestamptz(3) not null,
  constraint api_tokens__token_hash unique (token_hash)
);

create table temp_tokens (
  user_id    int primary key references users on delete cascade,
  token_hash text not null,
  sealed     bytea not null,
  created_at timestamptz(3) not null,        -- its age decides; use does not extend it
  constraint temp_tokens__token_hash unique (token_hash)
);

-- One-time tokens of password reset mails, by their hash. They die by use, by age, and when password or address change.
create table password_resets (
  token_hash text primary key,
  user_id    int not null references users on delete cascade,
  expires_at timestamptz(3) not null
);
create index password_resets__user_id on password_resets (user_id);

-- The key of the verification mail. `key` is its keyed hash until it is used, VERIFIED_KEY_TEXT afterwards.
create table email_verifications (
  user_id    int primary key references users on delete cascade,
  key        text not null,
  sealed     bytea,                          -- to send the same key again while it is valid
  created_at timestamptz(3) not null
);
create index email_verifications__key on email_verifications (key);

-- Failures and mails counted per window: wrong passwords, reset requests, guesses at keys.
create table attempts (
  kind         text not null,                -- login, password_change, reset_mail, reset_guess, …
  account      text not null,                -- user:ID, or a keyed hash of what was given
  address      text not null,                -- the caller's IP; blank where it does not matter
  count        int not null,
  expires_at   timestamptz(3) not null,      -- then the row counts as absent
  locked_until timestamptz(3),
  primary key (kind, account, address)
);
create index attempts__expires_at on attempts (expires_at);
