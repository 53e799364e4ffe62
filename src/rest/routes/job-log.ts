import type { Static } from 'typebox';
import { JOB_LOG_LEVELS } from '../../core/job-log.ts';
import { decodeLogCursor, encodeLogCursor } from '../../core/log-cursor.ts';
import { type LogLineRow, logPageKey } from '../../jobs/job-log-pages.ts';
import { readJob } from '../../jobs/read-one.ts';
import type { RestContext } from '../context.ts';
import { answerRows, LINK_HEADER, PAGE_QUERY, pageSchema } from '../pages.ts';
import { defineRoute, RestReply } from '../route.ts';
import { Type } from '../schema.ts';
import { timeText } from '../shown-job.ts';
import { wholeLog } from '../whole-log.ts';
import { foundJob } from './job-attempts.ts';
import { JOB_PARAMS } from './jobs.ts';

const LineSchema = Type.Object(
  {
    run_no: Type.Integer({ description: 'The run that wrote it.' }),
    line_no: Type.Integer({ description: 'Its number within the run.' }),
    level: Type.Words(JOB_LOG_LEVELS, { description: 'How serious it is.' }),
    message: Type.String({ description: 'The line.' }),
    data: Type.Json({ description: 'What was given with it: an object, or null.' }),
    logged_at: Type.Time({ description: 'When it was written.' }),
  },
  { title: 'JobLogLine', description: 'A line of a job’s log.', additionalProperties: false },
);

const FOLLOW = `subscription ($jobId: ID!, $after: String) {
  jobLog(jobId: $jobId, after: $after) { lines { runNo lineNo level message data loggedAt } cursor isEnd }
}`;

interface FollowEvent {
  readonly lines: readonly {
    readonly runNo: number;
    readonly lineNo: number;
    readonly level: string;
    readonly message: string;
    readonly data: unknown;
    readonly loggedAt: string;
  }[];
  readonly cursor: string;
  readonly isEnd: boolean;
}

const readLog = defineRoute({
  method: 'GET',
  path: '/jobs/:job_id/log',
  operationId: 'getJobLog',
  tag: 'Jobs',
  summary: 'Read or follow the log of a job, oldest line first',
  description:
    'A page as JSON, or by `Accept` as text (`text/plain`) or JSON lines (`application/x-ndjson`). With `follow=1` it is a stream of server-sent events: `line` for each line, `end` once the job has ended and all its lines have come. `Last-Event-ID` goes on where a stream broke. With `all=1` it is the whole log instead of a page, as text or JSON lines.',
  need: readJob.need,
  params: JOB_PARAMS,
  query: Type.Object(
    {
      ...PAGE_QUERY,
      before: Type.Optional(
        Type.String({ description: 'Lines before this cursor alone: one of GraphQL’s `JobLogLine.cursor`.' }),
      ),
      all: Type.Optional(
        Type.Words(['0', '1'], {
          description:
            '1: all lines in one answer, as text unless JSON lines are asked for. `limit` has no say then.',
        }),
      ),
      follow: Type.Optional(
        Type.Words(['0', '1'], { description: '1: as a stream that goes on with the job.' }),
      ),
    },
    { additionalProperties: false },
  ),
  answer: pageSchema('JobLogPage', LineSchema),
  otherTypes: {
    'text/plain': { schema: Type.String(), description: 'One line of the log a line.' },
    'application/x-ndjson': { schema: LineSchema, description: 'One object a line.' },
    'text/event-stream': {
      schema: LineSchema,
      description: 'With `follow=1`: the data of each event `line`.',
    },
  },
  answerHeaders: LINK_HEADER,
  errors: ['NotFound', 'InvalidArgument', 'TooManySubscriptions'],
  example: {
    params: { job_id: '{job_id}' },
    query: { limit: 100 },
    answer: { data: [], has_more: false, next_cursor: null },
  },
  run: async (context, { params, query }) => {
    const { operation, headers, url } = context;
    const job = await foundJob(context, params.job_id);
    if (query.follow === '1') {
      const last = headers['last-event-id'];
      const after = query.after ?? (typeof last === 'string' && last !== '' ? last : null);
      await operation.close();
      return new RestReply(await context.subscribe(FOLLOW, { jobId: job.id, after }, 'jobLog', eventText));
    }
    if (query.all === '1') return await allOf(context, job.id, query);
    const page = await operation.loaders.logPage.load(
      logPageKey(job.id, { first: query.limit, after: query.after, before: query.before }),
    );
    const last = page.rows.at(-1);
    const cursor = page.hasNextPage && last !== undefined ? encodeLogCursor(job.id, last) : null;
    const lines = page.rows.map(shownLine);
    const answer = answerRows(url, lines, cursor);
    switch (wantedType(String(headers['accept'] ?? ''))) {
      case 'text/plain':
        return textAnswer(lines.map(textOf), 'text/plain; charset=utf-8', answer.headers);
      case 'application/x-ndjson':
        return textAnswer(
          lines.map((line) => JSON.stringify(line)),
          'application/x-ndjson',
          answer.headers,
        );
      default:
        return answer;
    }
  },
});

/** @throws DomainError `InvalidArgument` naming `after` or `before` */
async function allOf(
  { deps, caller, identity, operation, headers, signal }: RestContext,
  jobId: string,
  { after, before }: { readonly after?: string; readonly before?: string },
): Promise<RestReply<unknown>> {
  const position = (cursor: string | undefined, field: string) =>
    cursor === undefined ? null : decodeLogCursor(jobId, cursor, field);
  const isJson = wantedType(String(headers['accept'] ?? '')) === 'application/x-ndjson';
  const body = wholeLog({
    feed: deps.feed,
    tenantId: caller.tenantId,
    jobId,
    after: position(after, 'after'),
    before: position(before, 'before'),
    textOf: (line) => (isJson ? JSON.stringify(shownLine(line)) : textOf(shownLine(line))),
    charge: (bytes) => deps.preparer.chargeBytes(identity, bytes),
    signal,
  });
  // Its pages have transactions of their own.
  await operation.close();
  const type = isJson ? 'application/x-ndjson' : 'text/plain; charset=utf-8';
  return new RestReply(body, { headers: { 'content-type': type } });
}

function shownLine(line: LogLineRow): Static<typeof LineSchema> {
  return {
    run_no: line.runNo,
    line_no: line.lineNo,
    level: line.level as Static<typeof LineSchema>['level'],
    message: line.message,
    data: line.data ?? null,
    logged_at: timeText(line.loggedAt),
  };
}

function textOf({ logged_at, level, message }: Static<typeof LineSchema>): string {
  return `${logged_at} ${level} ${message.replaceAll('\n', '\n  ')}`;
}

function textAnswer(lines: readonly string[], type: string, headers: Readonly<Record<string, string>>) {
  const text = lines.map((line) => `${line}\n`).join('');
  return new RestReply(text, { headers: { ...headers, 'content-type': type } });
}

/** The first type of an `Accept` that the log has; JSON otherwise. */
function wantedType(accept: string): string {
  const asked = accept.split(',').map((part) => part.split(';', 1)[0]?.trim() ?? '');
  return (
    asked.find((type) => ['application/json', 'text/plain', 'application/x-ndjson'].includes(type)) ?? ''
  );
}

/** An event of the subscription as lines of the stream. */
function eventText(value: unknown): string {
  const { lines, cursor, isEnd } = value as FollowEvent;
  const shown = lines.map(({ runNo, lineNo, level, message, data, loggedAt }) => ({
    run_no: runNo,
    line_no: lineNo,
    level: level.toLowerCase(),
    message,
    data,
    logged_at: loggedAt,
  }));
  const events = shown.map(
    (line, index) =>
      // The cursor of the whole is behind its last line: an earlier one has none of its own.
      `${index === shown.length - 1 ? `id: ${cursor}\n` : ''}event: line\ndata: ${JSON.stringify(line)}\n\n`,
  );
  return `${events.join('')}${isEnd ? `id: ${cursor}\nevent: end\ndata: {}\n\n` : ''}`;
}

export const logRoutes = [readLog];
