import type { Actor } from '../core/actor.ts';
import type { ArtifactKind, ArtifactKinds } from '../core/artifact-kind.ts';
import { checkFilterText } from '../core/filter-values.ts';
import { hasScope } from '../core/scopes.ts';
import type { ReadTransaction } from '../db/prisma.ts';
import { type ArtifactPageRow, findArtifactPages as statement } from '../db/sql/read/find-artifact-pages.ts';
import type { SignedUrl } from '../storage/url-signer.ts';
import { type ArtifactPlace, artifactCursor, placeOfArtifact } from './artifact-cursor.ts';
import type { JobsDeps } from './deps.ts';
import { sizeOf } from './page.ts';
import { lifeOfPlayed } from './url-life.ts';

/** A file that a job made, as its row has it. */
export type ArtifactRow = Omit<ArtifactPageRow, 'place'>;

/** Which files of which job. */
export interface ArtifactPageKey {
  readonly jobId: string;
  readonly kind: string | null;
  readonly after: ArtifactPlace | null;
  readonly size: number;
  /** Kinds that are listed only where they are asked for: the same for all. */
  readonly pieces: readonly string[];
}

export interface ArtifactPage {
  readonly rows: readonly ArtifactRow[];
  readonly cursors: readonly string[];
  readonly hasNextPage: boolean;
  readonly hasPreviousPage: boolean;
}

interface ArtifactPageArgs {
  /** Only files of this kind; by default all but pieces. */
  readonly kind?: string | null | undefined;
  readonly first?: number | null | undefined;
  readonly after?: string | null | undefined;
}

const MAX_KIND_LENGTH = 64;

/** @throws DomainError `InvalidArgument` naming `kind`, `first` or `after` */
export function artifactPageKey(
  { pieces }: Pick<ArtifactKinds, 'pieces'>,
  jobId: string,
  { kind, first, after }: ArtifactPageArgs,
): ArtifactPageKey {
  checkFilterText('kind', kind, MAX_KIND_LENGTH);
  return {
    pieces,
    jobId,
    kind: kind ?? null,
    after: after == null ? null : placeOfArtifact(jobId, after),
    size: sizeOf({ first }).size,
  };
}

/** Reads pages of what a tenant's jobs have made, all in one statement; in the order of their keys. */
export async function findArtifactPages(
  reads: ReadTransaction,
  tenantId: string,
  keys: readonly ArtifactPageKey[],
): Promise<ArtifactPage[]> {
  const rows = await reads.query<ArtifactPageRow>(statement, [
    keys.map(({ jobId }) => jobId),
    keys.map(({ kind }) => kind),
    keys.map(({ after }) => after?.kind ?? ''),
    keys.map(({ after }) => after?.key ?? ''),
    // One more than the page holds says whether there is more.
    keys.map(({ size }) => size + 1),
    keys[0]?.pieces ?? [],
    tenantId,
  ]);
  const byPlace = Map.groupBy(rows, ({ place }) => place);
  return keys.map(({ jobId, size, after }, index) => {
    const found = byPlace.get(index + 1) ?? [];
    const shown = found.slice(0, size);
    return {
      rows: shown,
      cursors: shown.map((row) => artifactCursor(jobId, row)),
      hasNextPage: found.length > size,
      hasPreviousPage: after !== null,
    };
  });
}

/** The last part of a key: what people call the file. */
export function nameOfArtifact({ key }: ArtifactPlace): string {
  return key.slice(key.lastIndexOf('/') + 1);
}

/**
 * A signed URL of a file that a job made, good for as long as it plays; null for a key whose scopes do not
 * open it.
 * @param kind what its domain says of it
 */
export async function artifactUrl(
  { urls, config }: Pick<JobsDeps, 'urls' | 'config'>,
  actor: Pick<Actor, 'scopes'>,
  row: ArtifactRow,
  kind: ArtifactKind | null,
): Promise<SignedUrl | null> {
  if (kind !== null && !hasScope(actor, kind.scope)) return null;
  const longestMs = config.maxVideoSeconds * 1_000;
  const life =
    kind?.lengthMs === undefined
      ? { expiresInSeconds: config.signedUrlSeconds }
      : lifeOfPlayed(config, kind.lengthMs(row.metadata) ?? longestMs);
  const folder = row.key.slice(0, row.key.lastIndexOf('/') + 1);
  if (kind?.opensFolder === true && folder !== '') return await urls.getBelow(folder, row.key, life);
  return await urls.get(row.key, { ...life, fileName: nameOfArtifact(row) });
}
