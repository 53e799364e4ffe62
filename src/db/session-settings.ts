/** Settings of a session by name. */
export type SessionSettings = Readonly<Record<string, string>>;

/**
 * What our statements rely on, whatever the defaults of the server, the database or the login are. Every
 * login may set these. What is an operator's choice is not among them (memory, WAL, `synchronous_commit`);
 * `session_replication_role` is looked at apart, since a superuser alone may set it.
 */
export const BASE_SETTINGS: SessionSettings = {
  // How values are written: the drivers read them in one way only.
  TimeZone: 'UTC',
  DateStyle: 'ISO, MDY',
  IntervalStyle: 'postgres',
  bytea_output: 'hex',
  extra_float_digits: '1',
  lc_numeric: 'C',
  client_encoding: 'UTF8',
  // How texts are read.
  standard_conforming_strings: 'on',
  backslash_quote: 'safe_encoding',
  array_nulls: 'on',
  transform_null_equals: 'off',
  timezone_abbreviations: 'Default',
  xmloption: 'content',
  // What names mean, and which rows there are.
  search_path: 'pg_catalog, pg_temp',
  row_security: 'on',
  restrict_nonsystem_relation_kind: '',
  gin_fuzzy_search_limit: '0',
  'plpgsql.extra_errors': 'none',
  // How transactions are, and how long things may take: ours have limits of their own.
  default_transaction_isolation: 'read committed',
  default_transaction_read_only: 'off',
  default_transaction_deferrable: 'off',
  statement_timeout: '0',
  lock_timeout: '0',
  transaction_timeout: '0',
  idle_in_transaction_session_timeout: '0',
  idle_session_timeout: '0',
  exit_on_error: 'off',
  client_min_messages: 'warning',
  // Which plans there are. Parallel and compiled ones cost more than any statement of ours takes.
  plan_cache_mode: 'auto',
  jit: 'off',
  max_parallel_workers_per_gather: '0',
  debug_parallel_query: 'off',
  enable_seqscan: 'on',
  enable_indexscan: 'on',
  enable_indexonlyscan: 'on',
  enable_bitmapscan: 'on',
  enable_nestloop: 'on',
  enable_hashjoin: 'on',
  enable_mergejoin: 'on',
  enable_hashagg: 'on',
  enable_sort: 'on',
  enable_incremental_sort: 'on',
  enable_material: 'on',
  enable_memoize: 'on',
};

/**
 * `set_config` for each of them, as the columns of a SELECT.
 * @param isLocal until the end of the transaction
 */
export function settingColumns(settings: SessionSettings, isLocal: boolean): string {
  return Object.entries(settings)
    .map(([name, value]) => `set_config('${name}', '${value.replaceAll("'", "''")}', ${isLocal})`)
    .join(', ');
}
