-- No statement asks for entities by their value: the search has words for them. While fresh rows had no statistics the planner took
-- this index by its tenant alone, so that each refresh of the search read all entities of the tenant, and the index of one more video
-- cost more the more there were.
drop index millrace.entities_value_idx;
