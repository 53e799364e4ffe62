import type { JobLogLevel } from '../../core/job-log.ts';
import { encodeLogCursor } from '../../core/log-cursor.ts';
import type { LogEvent } from '../../events/log-subscription.ts';
import { type LogLineRow, logPageKey } from '../../jobs/job-log-pages.ts';
import { builder } from '../builder.ts';
import { type GraphqlContext, loadersOf } from '../context.ts';
import { connectionOf, pageComplexity } from './connections.ts';
import { JobLogLevelEnum } from './enums.ts';
import { JobType } from './job.ts';

/** A line with the job whose it is. */
type Line = LogLineRow & { readonly jobId: string };

const JobLogLineType = builder.objectRef<Line>('JobLogLine');

builder.node(JobLogLineType, {
  description: 'A line that the handler of a job wrote into its log.',
  id: { resolve: ({ jobId, runNo, lineNo }) => `${jobId}:${runNo}:${lineNo}`, description: 'Global id.' },
  loadMany: (ids, context) => ids.map((id) => loadLine(id, context)),
  fields: (t) => ({
    cursor: t.string({
      description: 'Go on after this line with `after`.',
      resolve: (line) => encodeLogCursor(line.jobId, line),
    }),
    runNo: t.exposeInt('runNo', { description: 'Which run of the job wrote it.' }),
    lineNo: t.exposeInt('lineNo', { description: 'Its number in that run, from 1 and without gaps.' }),
    level: t.field({
      type: JobLogLevelEnum,
      description: 'How much it matters.',
      resolve: ({ level }) => level as JobLogLevel,
    }),
    message: t.exposeString('message', { description: 'What it says.' }),
    data: t.expose('data', { type: 'JSON', nullable: true, description: 'Values that belong to it.' }),
    loggedAt: t.expose('loggedAt', { type: 'DateTime', description: 'When it was written.' }),
  }),
});

/** The line after the one before it: read as a page, and so seen by a caller that may see the job's log. */
async function loadLine(id: string, context: GraphqlContext): Promise<Line | null> {
  const [jobId = '', runNo, lineNo] = id.split(':');
  const position = { runNo: Number(runNo), lineNo: Number(lineNo) };
  const key = { jobId, after: { ...position, lineNo: position.lineNo - 1 }, before: null };
  const { rows } = await loadersOf(context).logPage.load({ ...key, size: 1, fromEnd: false });
  const line = rows.find((row) => row.runNo === position.runNo && row.lineNo === position.lineNo);
  return line === undefined ? null : { ...line, jobId };
}

export const JobLogEventType = builder.objectRef<LogEvent>('JobLogEvent').implement({
  description: 'Lines of a job’s log that follow those of the event before.',
  fields: (t) => ({
    lines: t.field({
      type: [JobLogLineType],
      complexity: { field: 1, multiplier: 100 },
      description: 'In their order, at most 100; none in a last event that only says that nothing follows.',
      resolve: ({ jobId, lines }) => lines.map((line) => ({ ...line, jobId })),
    }),
    cursor: t.exposeString('cursor', { description: 'Go on after these lines with `after`.' }),
    isEnd: t.exposeBoolean('isEnd', {
      description: 'The job has ended and all its lines have been delivered: the stream ends here.',
    }),
  }),
});

const JobLogConnection = builder.connectionObject(
  {
    type: JobLogLineType,
    name: 'JobLogConnection',
    description: 'A page of a job’s log, oldest line first.',
  },
  { name: 'JobLogEdge', description: 'A line with its cursor.' },
);

builder.objectField(JobType, 'log', (t) =>
  t.field({
    type: JobLogConnection,
    complexity: pageComplexity,
    description: 'What its handler wrote, oldest line first, run after run; `last` reads the end of it.',
    args: t.arg.connectionArgs(),
    resolve: async (job, args, context) => {
      const page = await loadersOf(context).logPage.load(logPageKey(job.id, args));
      const edges = page.rows.map((line) => ({
        cursor: encodeLogCursor(job.id, line),
        node: { ...line, jobId: job.id },
      }));
      return connectionOf(page, edges);
    },
  }),
);
