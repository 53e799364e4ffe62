-- Prices are found by shelves about a fifth wide; what stands on them is compared exactly.
create or replace function millrace.search_price_shelf(p_amount numeric) returns integer
language sql immutable parallel safe
return floor(ln(least(greatest(p_amount, 0.01), 1000000000)) * 5)::integer;
