const LIST = /^[^\n]{1,500}$/;
const DATE = /^\d{4}-\d\d-\d\d([T ][\d:.]+(Z|[+-]\d\d:\d\d)?)?$/;

/** What the address of the jobs page may say. */
export const JOBS_PARAMS = {
  status:
    /^(QUEUED|RUNNING|SUCCEEDED|FAILED|CANCELED|DEAD_LETTER)(,(QUEUED|RUNNING|SUCCEEDED|FAILED|CANCELED|DEAD_LETTER))*$/,
  definition: LIST,
  subject: /^[^:\n]{1,100}:[^\n]{1,200}$/,
  correlation: LIST,
  by: LIST,
  tag: LIST,
  id: /^[\w=,-]{8,20000}$/,
  error: LIST,
  attempts: /^[1-9]\d{0,5}$/,
  // A value may be of any JSON: `order.id=7`, `name="7"`.
  payload: /^[^=\n]{1,200}=[^\n]{1,500}$/,
  from: DATE,
  to: DATE,
  cols: /^[a-z]+(,[a-z]+)*$/,
} as const;
