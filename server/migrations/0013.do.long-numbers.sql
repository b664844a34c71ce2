-- An answer of more digits than a numeric can hold was an error for everybody who read the form. So many digits are no
-- number that anybody counted: like any other text they are null.
create or replace function number_of(answer text) returns numeric language sql immutable parallel safe as $$
  select case
    when ltrim(answer, '0123456789') = '' and octet_length(answer) <= 1000 then nullif(answer, '')::numeric
    when answer ~ '^[+-]?(\d{1,100}(\.\d{0,100})?|\.\d{1,100})([eE][+-]?\d{1,3})?$' then answer::numeric
  end
$$;
