import type { ClipRow } from '../../../db/prisma.ts';
import { builder } from '../../../graphql/builder.ts';
import type { GraphqlContext } from '../../../graphql/context.ts';
import type { SignedUrl } from '../../../storage/url-signer.ts';
import { clipUrl } from '../use-cases/clip-url.ts';
import { ClipType } from './clip-ref.ts';
import { sourceOf } from './clip-source.ts';

builder.objectFields(ClipType, (t) => ({
  startMs: t.int({
    nullable: true,
    description: 'Where the clip really begins within the video or call; null until it is ready.',
    resolve: (clip) => madeNumber(clip, clip.startMs),
  }),
  endMs: t.int({
    nullable: true,
    description: 'Where it really ends: not behind the end of the video or call.',
    resolve: (clip) => madeNumber(clip, clip.endMs),
  }),
  widthPx: t.int({
    nullable: true,
    description: 'Width as displayed; null of a call.',
    resolve: (clip) => made(clip, clip.widthPx),
  }),
  heightPx: t.int({
    nullable: true,
    description: 'Height as displayed; null of a call.',
    resolve: (clip) => made(clip, clip.heightPx),
  }),
  sizeBytes: t.field({
    type: 'BigInt',
    nullable: true,
    description: 'Size of its file.',
    resolve: (clip) => made(clip, clip.sizeBytes),
  }),
  sha256: t.string({
    nullable: true,
    description: 'SHA-256 of its file, in hexadecimal.',
    resolve: (clip) => made(clip, clip.sha256),
  }),
  url: t.string({
    nullable: true,
    description:
      'Signed URL of its file, an MP4, or an M4A of a call; it needs no token, and ends at `urlExpiresAt`. Null until it is ready.',
    resolve: async (clip, _args, context) => (await urlOf(clip, context))?.url ?? null,
  }),
  urlExpiresAt: t.field({
    type: 'DateTime',
    nullable: true,
    description: 'Until when `url` is good.',
    resolve: async (clip, _args, context) => (await urlOf(clip, context))?.expiresAt ?? null,
  }),
}));

/** What a row still says of a file that is gone, or about to be replaced, is nobody's business. */
function made<T>({ status }: ClipRow, value: T | null): T | null {
  return status === 'ready' ? value : null;
}

function madeNumber(clip: ClipRow, value: bigint | null): number | null {
  const found = made(clip, value);
  return found === null ? null : Number(found);
}

async function urlOf(clip: ClipRow, context: GraphqlContext): Promise<SignedUrl | null> {
  const key = made(clip, clip.objectKey);
  if (key === null) return null;
  const source = await sourceOf(clip, context);
  return await clipUrl(context.deps.jobs, {
    key,
    expiresAt: clip.expiresAt,
    title: source?.title ?? '',
    startMs: Number(clip.tStartMs),
    endMs: Number(clip.tEndMs),
  });
}
