-- OAuth 2.0 and OpenID Connect: who signed in where, which programs may act for whom, and what was issued to them.

-- One sign-in on a page, or by a program for one approval. Everything that is granted hangs on the sign-in it was granted
-- in: a changed password deletes the account's rows here, and with them, in the same transaction, every grant and every
-- token. Whatever is being issued in that moment fails at its foreign key.
create table sign_ins (
  id          bigint generated always as identity primary key,
  user_id     int not null references users on delete cascade,
  cookie_hash text,                           -- keyed hash of the session cookie; null once signed out, and for programs
  created_at  timestamptz(3) not null,
  expires_at  timestamptz(3) not null,        -- of the cookie; what was granted lives on
  constraint sign_ins__cookie_hash unique (cookie_hash)
);
create index sign_ins__user_id on sign_ins (user_id);
create index sign_ins__expires_at on sign_ins (expires_at);

-- A program that people may let act for them. It belongs to whoever registered it.
create table oauth_clients (
  id            int generated always as identity primary key,
  client_id     text not null,                -- what the program calls itself on the wire
  secret_hash   text,                         -- keyed hash; null for a public client, which has no secret
  user_id       int not null references users on delete cascade,
  name          text not null,
  redirect_uris text[] not null,              -- compared as they are, character by character
  created_at    timestamptz(3) not null,
  constraint oauth_clients__client_id unique (client_id)
);
create index oauth_clients__user_id on oauth_clients (user_id);

-- One approval: this person lets this client do this. Its tokens are one family and end with it.
create table oauth_grants (
  id         text primary key,                -- nobody can present it, so it is kept as it is
  client_id  int not null references oauth_clients on delete cascade,
  user_id    int not null references users on delete cascade,
  sign_in_id bigint not null references sign_ins on delete cascade,
  scope      text not null,
  payload    jsonb not null,                  -- the protocol library's own view
  created_at timestamptz(3) not null,
  expires_at timestamptz(3) not null
);
create index oauth_grants__client_id on oauth_grants (client_id);
create index oauth_grants__user_id on oauth_grants (user_id);
create index oauth_grants__sign_in_id on oauth_grants (sign_in_id);

-- Codes, access tokens and refresh tokens, by their keyed hash. A used code or refresh token stays until it expires, so
-- that its second use is seen.
create table oauth_tokens (
  kind        text not null,                  -- AuthorizationCode, AccessToken, RefreshToken
  token_hash  text not null,
  grant_id    text not null,
  payload     jsonb not null,                 -- the protocol library's own view, without the token
  expires_at  timestamptz(3) not null,
  consumed_at timestamptz(3),
  primary key (kind, token_hash),
  constraint oauth_tokens__grant_id foreign key (grant_id) references oauth_grants on delete cascade
);
create index oauth_tokens__grant_id on oauth_tokens (grant_id);
create index oauth_tokens__expires_at on oauth_tokens (expires_at);

-- Keys that sign ID tokens. A new one is published a while before it signs, an old one a while after.
create table oauth_keys (
  kid        text primary key,
  sealed     bytea not null,                  -- the private key as a JWK, sealed with the installation's secret
  signs_from timestamptz(3) not null,
  constraint oauth_keys__signs_from unique (signs_from)
);
