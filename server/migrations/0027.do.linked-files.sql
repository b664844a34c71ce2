-- Records of other forms as files of a form. Phones compare the md5 of the file that they have with what the manifest says, so a
-- file is made once for each state of its source, kept, and announced by the md5 of its bytes.
create table linked_files (
  metadata_id int not null references metadata on delete cascade,
  state       text not null,                     -- what it was made of: a hash of the link and the state of its source
  claim       uuid not null,                     -- of whoever makes it, or made it: of several processes one does
  claimed_at  timestamptz(3) not null,           -- renewed while it is being made; an old one is anybody's
  file_key    text,                              -- null: it is being made
  md5         text,
  bytes       bigint,
  made_at     timestamptz(3),
  primary key (metadata_id, state),
  constraint linked_files__made check ((file_key is null) = (md5 is null) and (file_key is null) = (bytes is null)
    and (file_key is null) = (made_at is null))
);
