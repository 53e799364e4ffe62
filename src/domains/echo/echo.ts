import { defineJob } from '../../core/definition.ts';
import { Type } from '../../core/payload-type.ts';

/** A definition for trying things out: says its message in steps, takes its time, fails as often as asked. */
export const echo = defineJob({
  key: 'echo',
  description: 'Repeats a message in steps. For trying out progress, retries and cancellation.',
  payload: Type.Object(
    {
      message: Type.String({ maxLength: 10_000, description: 'What to say.' }),
      steps: Type.Optional(Type.Integer({ minimum: 1, maximum: 1000, default: 1 })),
      durationMs: Type.Optional(
        Type.Integer({
          minimum: 0,
          maximum: 600_000,
          default: 0,
          description: 'How long all steps take together.',
        }),
      ),
      failTimes: Type.Optional(
        Type.Integer({
          minimum: 0,
          maximum: 100,
          default: 0,
          description: 'How many runs fail before one succeeds.',
        }),
      ),
    },
    { additionalProperties: false },
  ),
  timeoutSeconds: 900,
  maxAttempts: 5,
  leaseSeconds: 15,
  retryPolicy: { baseSeconds: 1, factor: 2, capSeconds: 30, jitter: 0 },
  enqueueRole: 'member',
});
