/** One argument, a group that is omitted or repeated as a whole, or arguments that depend on a field. */
export type ArgvItem =
  | string
  | readonly string[]
  | { readonly when: string; readonly args: readonly string[] };
export type ExitAction = 'done' | 'retry' | 'permanent';

/** One entry of the file; what each field means stands in the schema below. */
export interface CommandEntry {
  readonly description?: string;
  readonly argv: readonly ArgvItem[];
  readonly cwd?: string;
  readonly env?: Readonly<Record<string, string>>;
  readonly passEnv?: readonly string[];
  readonly user?: { readonly uid: number; readonly gid: number };
  readonly graceSeconds?: number;
  readonly memoryMb?: number;
  readonly exitCodes?: Readonly<Record<string, ExitAction>>;
  readonly definition?: Readonly<Record<string, unknown>> & {
    readonly payloadSchema?: Readonly<Record<string, unknown>>;
  };
}

/** The form of `millrace.commands.json`. */
export interface CommandFile {
  readonly commands: Readonly<Record<string, CommandEntry>>;
}

/** JSON Schema of the file; `commands.schema.json` in the package is its printed form. */
export const COMMAND_FILE_SCHEMA = {
  type: 'object',
  required: ['commands'],
  properties: {
    $schema: {
      type: 'string',
    },
    commands: {
      type: 'object',
      patternProperties: {
        '^[a-z][a-z0-9_.-]{0,99}$': {
          type: 'object',
          required: ['argv'],
          properties: {
            description: {
              type: 'string',
              maxLength: 2000,
            },
            argv: {
              type: 'array',
              items: {
                anyOf: [
                  {
                    type: 'string',
                    description:
                      'One argument. `{{payload.x}}`, `{{tenant.id}}` and `{{job.id}}` are filled in.',
                  },
                  {
                    type: 'array',
                    items: {
                      type: 'string',
                    },
                    minItems: 1,
                    description:
                      'A group of arguments: it is omitted when a field in it is absent, and repeated for each item of a field that is an array.',
                  },
                  {
                    type: 'object',
                    required: ['when', 'args'],
                    properties: {
                      when: {
                        type: 'string',
                        description:
                          'A field: `payload.force`. The arguments are there when it is present and not false.',
                      },
                      args: {
                        type: 'array',
                        items: {
                          type: 'string',
                        },
                        minItems: 1,
                      },
                    },
                    additionalProperties: false,
                    description: 'Arguments that depend on a field, such as a flag.',
                  },
                ],
              },
              minItems: 1,
              description:
                'The program, by an absolute path or by a name in PATH, and its arguments. There is no shell.',
            },
            cwd: {
              type: 'string',
              description:
                'Working directory, absolute. Default: an empty directory of the run, removed afterwards.',
            },
            env: {
              type: 'object',
              patternProperties: {
                '^[A-Za-z_][A-Za-z0-9_]*$': {
                  type: 'string',
                },
              },
              additionalProperties: false,
              description:
                'Variables of the program; placeholders are filled in. One whose field is absent is not set.',
            },
            passEnv: {
              type: 'array',
              items: {
                type: 'string',
                pattern: '^[A-Za-z_][A-Za-z0-9_]*$',
              },
              description:
                "Names of the worker's own variables that the program gets. PATH is among them always; nothing else is.",
            },
            user: {
              type: 'object',
              required: ['uid', 'gid'],
              properties: {
                uid: {
                  type: 'integer',
                  minimum: 0,
                },
                gid: {
                  type: 'integer',
                  minimum: 0,
                },
              },
              additionalProperties: false,
              description: 'Run as this user and group. It takes a worker that runs as root.',
            },
            graceSeconds: {
              type: 'number',
              minimum: 0,
              maximum: 8,
              description: 'Seconds from SIGTERM to SIGKILL; 5 by default.',
            },
            memoryMb: {
              type: 'integer',
              minimum: 16,
              description: 'Address space that the program may take; no limit by default.',
            },
            exitCodes: {
              type: 'object',
              patternProperties: {
                '^([0-9]{1,3}(-[0-9]{1,3})?|\\*)$': {
                  enum: ['done', 'retry', 'permanent'],
                },
              },
              additionalProperties: false,
              description:
                'What an exit code means: a code, a range (`64-74`) or `*`. By default 0 is done and every other one is a failure that is retried.',
            },
            definition: {
              type: 'object',
              properties: {
                payloadSchema: {
                  type: 'object',
                  patternProperties: {
                    '^.*$': {},
                  },
                  description: 'JSON Schema of the payload.',
                },
                timeoutSeconds: {
                  type: 'integer',
                  minimum: 1,
                  maximum: 604800,
                },
                maxAttempts: {
                  type: 'integer',
                  minimum: 1,
                  maximum: 1000,
                },
                leaseSeconds: {
                  type: 'integer',
                  minimum: 2,
                  maximum: 3600,
                },
                retryPolicy: {
                  type: 'object',
                  patternProperties: {
                    '^.*$': {},
                  },
                },
                enqueueRole: {
                  enum: ['member', 'tenant_admin', 'system'],
                },
                maxRunning: {
                  type: 'integer',
                  minimum: 1,
                },
                maxRunningPerTenant: {
                  type: 'integer',
                  minimum: 1,
                },
                retentionSeconds: {
                  type: 'integer',
                  minimum: 0,
                },
              },
              additionalProperties: false,
              description:
                'Declares the job definition of the key. Omitted: the definition is made at run time, by createJobDefinition.',
            },
          },
          additionalProperties: false,
        },
      },
      additionalProperties: false,
      description: 'Commands by the key of their job definition.',
    },
  },
  additionalProperties: false,
  $schema: 'https://json-schema.org/draft/2020-12/schema',
  title: 'Commands that Millrace may run',
} as const;
