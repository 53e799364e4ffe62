import {
  createAccessToken,
  DEFAULT_TTL_SECONDS,
  MAX_TTL_SECONDS,
  type MadeAccessToken,
  type NewAccessToken,
} from '../../operations/access-tokens.ts';
import { refused } from '../../operations/ranges.ts';
import { builder } from '../builder.ts';
import { type GraphqlContext, loaderOf, loadersOf } from '../context.ts';
import { uuidOf } from '../ids.ts';
import { Forbidden, InvalidArgument, NotFound } from '../types/errors.ts';

const CreateAccessTokenInput = builder.inputType('CreateAccessTokenInput', {
  description:
    'A token to be made, for a browser. What it is limited to is one of `jobId`, `videoId`, `ownJobs` and `upload`.',
  fields: (t) => ({
    jobId: t.id({ description: 'Read and watch this job and its log: its global id, or its UUID.' }),
    videoId: t.id({
      description: 'Read and watch this video, its clips and texts: its global id, or its UUID.',
    }),
    ownJobs: t.boolean({
      description: 'Enqueue, read, watch, cancel and retry the jobs of whom it speaks for, and no others.',
    }),
    upload: t.boolean({ description: 'Create videos and complete the uploads of those; nothing else.' }),
    subject: t.string({
      description:
        'Whom it speaks for, 1 to 255 characters: what is done with it is written as `user:<subject>`. Its minter by default; another takes a tenant admin.',
    }),
    ttlSeconds: t.int({
      description: `How long it is good: 1 to ${MAX_TTL_SECONDS}; ${DEFAULT_TTL_SECONDS} by default, and never longer than the credential that makes it.`,
    }),
  }),
});

const CreateAccessTokenPayload = builder.objectRef<MadeAccessToken>('CreateAccessTokenPayload').implement({
  description: 'The token is good from now on.',
  fields: (t) => ({
    token: t.exposeString('token', { description: 'The token itself: `mra_…`. Nothing is kept of it.' }),
    jti: t.exposeString('jti', { description: 'Its id; `revokeAccessToken` takes it.' }),
    expiresAt: t.expose('expiresAt', { type: 'DateTime', description: 'When it ends.' }),
  }),
});

builder.mutationField('createAccessToken', (t) =>
  t.field({
    type: CreateAccessTokenPayload,
    description:
      'Makes a short-lived token for a browser, limited to one job, one video, one’s own jobs or uploads. It can do no more than who makes it, and ends with them. For members; for uploads, and to speak for others, for tenant admins.',
    args: { input: t.arg({ type: CreateAccessTokenInput, required: true, description: 'The token.' }) },
    errors: {
      union: { name: 'CreateAccessTokenResult', description: 'The token, or why there is none.' },
      types: [Forbidden, InvalidArgument, NotFound],
    },
    resolve: (_root, { input }, context) => {
      const asked = reachOf(input);
      const request = { ...asked, subject: input.subject, ttlSeconds: input.ttlSeconds };
      const { deps, identity, actor } = context;
      const minting = { accessTokens: deps.accessTokens, credential: identity.credential };
      return createAccessToken({ ...minting, isThere: () => isThere(context, asked) }, actor, request);
    },
  }),
);

type Asked = Pick<NewAccessToken, 'kind' | 'targetId'>;

/** @throws DomainError `InvalidArgument` unless it is limited to one of them */
function reachOf({ jobId, videoId, ownJobs, upload }: typeof CreateAccessTokenInput.$inferInput): Asked {
  const given: readonly (() => Asked)[] = [
    ...(jobId == null ? [] : [(): Asked => ({ kind: 'job', targetId: uuidOf('Job', jobId, 'jobId') })]),
    ...(videoId == null
      ? []
      : [(): Asked => ({ kind: 'video', targetId: uuidOf('Video', videoId, 'videoId') })]),
    ...(ownJobs === true ? [(): Asked => ({ kind: 'ownJobs', targetId: null })] : []),
    ...(upload === true ? [(): Asked => ({ kind: 'upload', targetId: null })] : []),
  ];
  const [only] = given;
  if (only !== undefined && given.length === 1) return only();
  const shown = given.length === 0 ? 'limited to nothing' : `limited to ${given.length} things`;
  throw refused('input', shown, 'one of jobId, videoId, ownJobs: true and upload: true');
}

async function isThere(context: GraphqlContext, { kind, targetId }: Asked): Promise<boolean> {
  const target = context.deps.access.reachTargets[kind];
  const loader = target === undefined ? loadersOf(context).job : loaderOf(context, target);
  return (await loader.load(targetId ?? '')) !== null;
}
