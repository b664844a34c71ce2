-- A date with a time and perhaps a zone; null for anything else. Without a zone it is UTC, whatever the session says. It looks at
-- every part before it converts: catching what fails begins a subtransaction, which PostgreSQL before 17 refuses where several
-- processes share the work, so a question about a moment was an error in every large form.
create or replace function moment_of(answer text) returns timestamptz language plpgsql immutable parallel safe as $$
begin
  if answer !~ '^\d{4}-\d\d-\d\d([T ]\d\d:\d\d(:\d\d(\.\d{1,100})?)?(Z|[+-]\d\d(:?\d\d)?)?)?$'
    or left(answer, 4) = '0000' or substr(answer, 6, 2) not between '01' and '12'
    or substr(answer, 9, 2) not between '01' and (case
      when substr(answer, 6, 2) in ('04', '06', '09', '11') then '30'
      when substr(answer, 6, 2) <> '02' then '31'
      when left(answer, 4) ~ '([02468][048]|[13579][26])(00)?$' and left(answer, 4) !~ '([02468][1235679]|[13579][01345789])00$'
        then '29'
      else '28' end)
    -- The end of a day, and a leap second.
    or (substr(answer, 12, 2) >= '24' and substr(answer, 12) !~ '^24:00(:00(\.0+)?)?([Z+-]|$)')
    or substr(answer, 15, 2) >= '60'
    or (substr(answer, 18, 2) >= '60' and substr(answer, 17) ~ '^:' and substr(answer, 18) !~ '^60(\.0+)?([Z+-]|$)')
    or substr(answer, 17) ~ '[+-](1[6-9]|[2-9]\d|\d\d:?[6-9])' then
    return null;
  end if;
  -- A sign or a Z behind the time is a zone.
  if substr(answer, 12) ~ '[Z+-]' then
    return answer::timestamptz;
  end if;
  return (left(answer, 10) || case when length(answer) = 10 then 'T00:00' else substr(answer, 11) end || 'Z')::timestamptz;
end $$;

-- Questions by which records of large forms are filtered and sorted, and the indexes that are made of their answers: an index on
-- `submissions` for one form and one question, named submissions__answer_ID after its row here. A few rows for each large form.
create table answer_indexes (
  id       int generated always as identity primary key,
  form_id  int not null references forms on delete cascade,
  key      text not null,                        -- of the question, as records have it
  kind     text not null,                        -- text, number, date, moment, part, words: what the answer is compared as
  state    text not null,                        -- asked, waiting, made, forbidden, useless, failed
  filtered bigint not null default 0,            -- how often it was asked for, counted in the memory of processes first
  sorted   bigint not null default 0,
  asked_at timestamptz(3),                       -- the last time
  wanted_by int references users on delete set null, -- who wants it to be there; null: it makes itself
  state_at timestamptz(3) not null,
  constraint answer_indexes__question unique (form_id, key, kind)
);
create index answer_indexes__wanted_by on answer_indexes (wanted_by);
