/**
 * What a domain's migration makes: two tables of a schema of its own, readable by the tenant that owns a row,
 * streamed by the feed.
 */
export const PARCEL_TABLES = `
create schema parcels;
grant usage on schema parcels to millrace_api, millrace_worker, millrace_admin;
create table parcels.parcels (
  id uuid primary key default uuidv7(),
  tenant_id uuid not null references millrace.tenants on delete cascade,
  label text not null,
  status text not null default 'packing' check (status in ('packing', 'ready', 'shipped', 'failed')),
  weight_grams integer,
  created_by text,
  version bigint not null default 1,
  changed_xid xid8 not null default pg_current_xact_id()
);
create index on parcels.parcels (changed_xid);
create table parcels.items (
  tenant_id uuid not null references millrace.tenants on delete cascade,
  parcel_id uuid not null references parcels.parcels on delete cascade,
  number integer not null,
  weight_grams integer not null,
  primary key (parcel_id, number)
);
create trigger parcels_stamp_insert before insert on parcels.parcels for each row execute function millrace.stamp_change();
create trigger parcels_stamp_update before update on parcels.parcels for each row execute function millrace.stamp_change();
create trigger parcels_notify after insert or update or delete on parcels.parcels for each statement execute function millrace.notify_change();
${['parcels', 'items'].map(security).join('')}`;

/** The API updates too: it applies what the end of a job that it cancels brings about. */
function security(table: string): string {
  return `
grant select, insert, update on parcels.${table} to millrace_api;
grant select, insert, update on parcels.${table} to millrace_worker;
alter table parcels.${table} enable row level security, force row level security;
create policy tenant on parcels.${table} to millrace_api using (tenant_id = (select millrace.current_tenant_id()));
create policy worker on parcels.${table} to millrace_worker using (true);`;
}
