import { type Static, Type } from 'typebox';

const Key = '^[a-z][a-z0-9_.-]{0,99}$';
const Variable = '^[A-Za-z_][A-Za-z0-9_]*$';

const Item = Type.Union([
  Type.String({
    description: 'One argument. `{{payload.x}}`, `{{tenant.id}}` and `{{job.id}}` are filled in.',
  }),
  Type.Array(Type.String(), {
    minItems: 1,
    description:
      'A group of arguments: it is omitted when a field in it is absent, and repeated for each item of a field that is an array.',
  }),
  Type.Object(
    {
      when: Type.String({
        description: 'A field: `payload.force`. The arguments are there when it is present and not false.',
      }),
      args: Type.Array(Type.String(), { minItems: 1 }),
    },
    { additionalProperties: false, description: 'Arguments that depend on a field, such as a flag.' },
  ),
]);

const Action = Type.Enum(['done', 'retry', 'permanent']);

const Definition = Type.Object(
  {
    payloadSchema: Type.Optional(
      Type.Record(Type.String(), Type.Unknown(), { description: 'JSON Schema of the payload.' }),
    ),
    timeoutSeconds: Type.Optional(Type.Integer({ minimum: 1, maximum: 604_800 })),
    maxAttempts: Type.Optional(Type.Integer({ minimum: 1, maximum: 1000 })),
    leaseSeconds: Type.Optional(Type.Integer({ minimum: 2, maximum: 3600 })),
    retryPolicy: Type.Optional(Type.Record(Type.String(), Type.Unknown())),
    enqueueRole: Type.Optional(Type.Enum(['member', 'tenant_admin', 'system'])),
    maxRunning: Type.Optional(Type.Integer({ minimum: 1 })),
    maxRunningPerTenant: Type.Optional(Type.Integer({ minimum: 1 })),
    retentionSeconds: Type.Optional(Type.Integer({ minimum: 0 })),
  },
  {
    additionalProperties: false,
    description:
      'Declares the job definition of the key. Omitted: the definition is made at run time, by createJobDefinition.',
  },
);

const Command = Type.Object(
  {
    description: Type.Optional(Type.String({ maxLength: 2000 })),
    argv: Type.Array(Item, {
      minItems: 1,
      description:
        'The program, by an absolute path or by a name in PATH, and its arguments. There is no shell.',
    }),
    cwd: Type.Optional(
      Type.String({
        description:
          'Working directory, absolute. Default: an empty directory of the run, removed afterwards.',
      }),
    ),
    env: Type.Optional(
      Type.Record(Type.String({ pattern: Variable }), Type.String(), {
        additionalProperties: false,
        description:
          'Variables of the program; placeholders are filled in. One whose field is absent is not set.',
      }),
    ),
    passEnv: Type.Optional(
      Type.Array(Type.String({ pattern: Variable }), {
        description:
          "Names of the worker's own variables that the program gets. PATH is among them always; nothing else is.",
      }),
    ),
    user: Type.Optional(
      Type.Object(
        { uid: Type.Integer({ minimum: 0 }), gid: Type.Integer({ minimum: 0 }) },
        {
          additionalProperties: false,
          description: 'Run as this user and group. It takes a worker that runs as root.',
        },
      ),
    ),
    graceSeconds: Type.Optional(
      Type.Number({ minimum: 0, maximum: 8, description: 'Seconds from SIGTERM to SIGKILL; 5 by default.' }),
    ),
    memoryMb: Type.Optional(
      Type.Integer({
        minimum: 16,
        description: 'Address space that the program may take; no limit by default.',
      }),
    ),
    exitCodes: Type.Optional(
      Type.Record(Type.String({ pattern: '^([0-9]{1,3}(-[0-9]{1,3})?|\\*)$' }), Action, {
        additionalProperties: false,
        description:
          'What an exit code means: a code, a range (`64-74`) or `*`. By default 0 is done and every other one is a failure that is retried.',
      }),
    ),
    definition: Type.Optional(Definition),
  },
  { additionalProperties: false },
);

/** The form of `millrace.commands.json`. */
export const CommandFile = Type.Object(
  {
    $schema: Type.Optional(Type.String()),
    commands: Type.Record(Type.String({ pattern: Key }), Command, {
      additionalProperties: false,
      description: 'Commands by the key of their job definition.',
    }),
  },
  {
    additionalProperties: false,
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    title: 'Commands that Millrace may run',
  },
);

export type CommandFile = Static<typeof CommandFile>;
/** One entry of the file. */
export type CommandEntry = CommandFile['commands'][string];
export type ArgvItem = CommandEntry['argv'][number];
export type ExitAction = 'done' | 'retry' | 'permanent';
