import { expect } from 'vitest';
import { openSocket } from '../support/ws.ts';
import type { CrossTenantTools } from './cross-tenant-access.ts';

const NOBODY = '01900000-0000-7000-8000-000000000000';

interface StreamTools extends CrossTenantTools {
  /** Watches while both tenants' rows change; only ours may arrive. */
  watch(document: string, expectOurs: boolean): Promise<{ readonly received: readonly unknown[] }>;
}

/** The cases about what is followed live. */
export function streamCases(tools: () => StreamTools): Record<string, () => Promise<unknown>> {
  return {
    'Subscription.jobChanged': async () => {
      const theirs = await tools().watch(
        `subscription { jobChanged(id: "${tools().other.jobId}") { id reason } }`,
        false,
      );
      const nobodys = await tools().watch(
        `subscription { jobChanged(id: "${NOBODY}") { id reason } }`,
        false,
      );
      const say = ({ received }: typeof theirs) =>
        JSON.stringify(received).replaceAll(tools().other.jobId, NOBODY);
      expect(say(theirs)).toContain('NOT_FOUND');
      expect(say(theirs)).toBe(say(nobodys));
    },
    'Subscription.jobChanges': async () => {
      await tools().watch(
        'subscription { jobChanges { ... on JobUpdated { job { id reason video { title } } } } }',
        true,
      );
      await tools().watch(
        `subscription { jobChanges(filter: { ids: ["${tools().other.jobId}", "${tools().ours.jobId}"] }) { ... on JobUpdated { job { id reason } } } }`,
        true,
      );
    },
    'Subscription.jobLog': async () => {
      const theirs = await tools().watch(
        `subscription { jobLog(jobId: "${tools().other.jobId}") { lines { message } } }`,
        false,
      );
      expect(JSON.stringify(theirs.received)).toContain('NOT_FOUND');
      // The job has ended: its lines and the end.
      const own = await tools().watch(
        `subscription { jobLog(jobId: "${tools().ours.jobId}") { lines { message data } isEnd } }`,
        false,
      );
      expect(JSON.stringify(own.received)).toContain('"isEnd":true');
      tools().expectNothingOf(own.received);
    },
    'Job.log': async () => {
      const answer = await tools().ask('Query.job', `(id: "${tools().ours.jobId}")`);
      expect(answer.data.found.log.nodes).toMatchObject([{ message: 'ours' }]);
      tools().expectNothingOf(answer);
    },
    // A file that names our job and is another tenant's is not shown.
    'Job.artifacts': async () => {
      const { api, ours, other } = tools();
      await api.superuser.query(
        `insert into millrace.artifacts (tenant_id, job_id, subject_type, subject_id, kind, key, size_bytes, sha256, content_type)
         values ($1, $2, 'video', 'x', 'theirs', 'files/theirs', 1, repeat('0', 64), 'text/plain')`,
        [other.tenantId, ours.jobId],
      );
      const answer = await tools().ask('Query.job', `(id: "${ours.jobId}")`);
      expect(answer.data.found.artifacts.nodes).toMatchObject([{ kind: 'ours', name: 'ours' }]);
      tools().expectNothingOf(answer);
    },
    'Subscription.workersChanged': async () => {
      const socket = openSocket(tools().api.server.graphqlUrl, { token: tools().token });
      const watching = socket.subscribe('subscription { workersChanged { name } }');
      const answer = await watching.next(() => true, 'a refusal');
      expect(JSON.stringify(answer)).toContain('FORBIDDEN');
    },
    'Subscription.jobSummary': async () => {
      const socket = openSocket(tools().api.server.graphqlUrl, { token: tools().token });
      const watching = socket.subscribe('subscription { jobSummary { counts { queued failed } } }');
      const shown = () => watching.received.at(-1)?.data.jobSummary.counts;
      try {
        await watching.next(() => true, 'the counts');
        expect(shown().failed).toBe(1);
        const before = shown().queued;
        for (const tenantId of [tools().other.tenantId, tools().ours.tenantId]) {
          await tools().api.superuser.query(
            `insert into millrace.jobs (tenant_id, definition_id) select $1, id from millrace.job_definitions where key = 'echo'`,
            [tenantId],
          );
        }
        await expect.poll(() => shown().queued).toBe(before + 1);
        tools().expectNothingOf(watching.received);
      } finally {
        watching.stop();
        await socket.close();
      }
    },
    'Subscription.videoChanged': async () => {
      await tools().watch(
        `subscription { videoChanged(id: "${tools().other.videoId}") { id title } }`,
        false,
      );
      await tools().watch(
        `subscription { videoChanged(id: "${tools().ours.videoId}") { title jobs { reason } } }`,
        true,
      );
    },
    'Subscription.videoChanges': async () => {
      await tools().watch(
        'subscription { videoChanges { ... on VideoUpdated { video { title createdBy error { message } jobs { reason } clips(first: 1) { nodes { createdBy } } } } ... on VideoLeft { videoId } } }',
        true,
      );
      await tools().watch(
        'subscription { videoChanges(filter: { statuses: [AWAITING_UPLOAD] }) { ... on VideoUpdated { video { title } } } }',
        true,
      );
    },
    'Subscription.callChanged': async () => {
      await tools().watch(
        `subscription { callChanged(id: "${tools().other.callId}") { id createdBy } }`,
        false,
      );
      await tools().watch(
        `subscription { callChanged(id: "${tools().ours.callId}") { title transcript { turns { text } } } }`,
        true,
      );
    },
    'Subscription.callChanges': async () => {
      await tools().watch(
        'subscription { callChanges { ... on CallUpdated { call { title createdBy error { message } transcript { turns { text } } clips(first: 1) { nodes { createdBy } } stages { job { reason } } cost { audioSeconds } } } ... on CallLeft { callId } } }',
        true,
      );
      await tools().watch(
        'subscription { callChanges(filter: { statuses: [READY] }) { ... on CallUpdated { call { title } } } }',
        true,
      );
    },
    'Subscription.clipChanges': async () => {
      await tools().api.superuser.query(
        `update millrace.jobs set subject_type = 'clip', subject_id = $2 where id = $1`,
        [tools().ours.jobId, tools().ours.clipId],
      );
      await tools().watch(
        'subscription { clipChanges { ... on ClipUpdated { clip { createdBy video { title } call { title } job { reason } } } } }',
        true,
      );
      // A video of the other tenant has no clips here.
      const socket = openSocket(tools().api.server.graphqlUrl, { token: tools().token });
      const watching = socket.subscribe(
        `subscription { clipChanges(filter: { videoId: "${tools().other.videoId}" }) { __typename ... on ClipUpdated { clip { createdBy } } } }`,
      );
      try {
        const first = await watching.next(() => true, 'the state');
        expect(first.data.clipChanges.__typename).toBe('FeedReady');
      } finally {
        watching.stop();
        await socket.close();
      }
    },
    'Subscription.clipChanged': async () => {
      await tools().watch(
        `subscription { clipChanged(id: "${tools().other.clipId}") { id createdBy } }`,
        false,
      );
      // Both tenants' rows change while it is watched; a clip's own change is what it gets.
      await tools().api.superuser.query(
        `update millrace.jobs set subject_type = 'clip', subject_id = $2 where id = $1`,
        [tools().ours.jobId, tools().ours.clipId],
      );
      await tools().watch(
        `subscription { clipChanged(id: "${tools().ours.clipId}") { createdBy video { title } job { reason } } }`,
        true,
      );
    },
  };
}
