import { Type } from '../schema.ts';

const text = { type: 'string' } as const;
const whole = { type: 'integer' } as const;

/** What every answer says in its headers. */
export const COMMON_HEADERS = {
  'x-request-id': { description: 'The request’s id: the caller’s own, or one that was made.', schema: text },
  'ratelimit-limit': {
    description: 'What may be asked at once after a rest, in units of cost.',
    schema: whole,
  },
  'ratelimit-remaining': { description: 'What may still be asked.', schema: whole },
  'ratelimit-reset': { description: 'Seconds until all of it is there again.', schema: whole },
};

export const IDEMPOTENCY_KEY = {
  name: 'Idempotency-Key',
  in: 'header',
  required: false,
  description:
    'A key of your own, 1 to 255 characters. The same request with the same key within 24 hours gets the same answer, and is carried out once.',
  schema: { type: 'string', minLength: 1, maxLength: 255 },
};

export const IF_MATCH = {
  name: 'If-Match',
  in: 'header',
  required: false,
  description: 'The ETag that it was read with: the change is refused (412) when it has changed since.',
  schema: text,
};

/** RFC 9457. */
export const PROBLEM_SCHEMA = Type.Object(
  {
    type: Type.String({ description: 'A URN of the kind of problem.' }),
    title: Type.String({ description: 'The kind of problem in words.' }),
    status: Type.Integer({ description: 'The HTTP status.' }),
    detail: Type.String({ description: 'What is wrong with this request.' }),
    instance: Type.String({ description: 'The path that was asked.' }),
    code: Type.String({
      description: 'The kind of problem for programs, as GraphQL has it: `INVALID_ARGUMENT`.',
    }),
    field: Type.Optional(Type.String({ description: 'The field or parameter at fault, as a path.' })),
    allowed: Type.Optional(Type.String({ description: 'What would have been taken there.' })),
    errors: Type.Optional(
      Type.Array(
        Type.Object(
          {
            pointer: Type.Optional(Type.String({ description: 'JSON pointer into the body.' })),
            parameter: Type.Optional(Type.String({ description: 'Or the parameter of the path or query.' })),
            detail: Type.String({ description: 'What is wrong there.' }),
          },
          { title: 'ProblemError', additionalProperties: false },
        ),
        { description: 'All that is wrong, at most 20.' },
      ),
    ),
    job_status: Type.Optional(Type.String({ description: 'The status that the job has (`WRONG_STATE`).' })),
    active_job_id: Type.Optional(
      Type.String({ description: 'The job that is active (`ACTIVE_DUPLICATE`).' }),
    ),
    retry_after_ms: Type.Optional(Type.Number({ description: 'When to come again.' })),
    limit: Type.Optional(Type.Number({ description: 'The limit that was exceeded.' })),
    actual: Type.Optional(Type.Json({ description: 'What there was instead.' })),
    reference: Type.Optional(Type.String({ description: 'Under which the server’s log has more.' })),
  },
  { title: 'Problem', additionalProperties: false },
);
