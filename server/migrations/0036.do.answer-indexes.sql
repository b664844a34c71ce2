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
