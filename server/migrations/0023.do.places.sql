-- Records by where they are: maps ask for those within a box, as clusters or as a list. Of 1,000,000 records, a box that
-- shows 200 of them takes 1 ms with the index and a look at every record without it. Its columns are all that clusters are
-- made of, so the records themselves are not read. Receiving is no slower by what could be measured; making it takes some
-- four seconds for a million records, in which nothing is received.
create index submissions__place on submissions (form_id, latitude, longitude, id)
  where deleted_at is null and latitude is not null;

-- The latitude and longitude of an answer as devices write it ("lat lng alt acc"), of a line or an area its first position;
-- null for what is no place. Plain numbers, which most are, pass by one pattern, a fifth of the time. Others are read as
-- numeric first, since 1e-999 is no double, and rounded to less than an atom.
create function place_of(answer text) returns double precision[] language plpgsql immutable parallel safe as $$
declare
  place double precision[];
  parts text[];
begin
  if answer ~ '^-?\d{1,3}(\.\d{1,20})? -?\d{1,3}(\.\d{1,20})?( |$)' then
    place := array[split_part(answer, ' ', 1)::double precision, split_part(answer, ' ', 2)::double precision];
    return case when abs(place[1]) <= 90 and abs(place[2]) <= 180 then place end;
  end if;
  parts := regexp_match(split_part(answer, ';', 1), '^\s*(\S+)\s+(\S+)');
  if parts[1] ~ '^[-+]?(\d{1,100}(\.\d{0,100})?|\.\d{1,100})([eE][-+]?\d{1,3})?$'
    and parts[2] ~ '^[-+]?(\d{1,100}(\.\d{0,100})?|\.\d{1,100})([eE][-+]?\d{1,3})?$' then
    if abs(parts[1]::numeric) <= 90 and abs(parts[2]::numeric) <= 180 then
      return array[round(parts[1]::numeric, 15)::double precision, round(parts[2]::numeric, 15)::double precision];
    end if;
  end if;
  return null;
end $$;
