import type { Caller } from '../../../access/caller.ts';
import { defineUseCase } from '../../../access/use-case.ts';
import type { ReadTransaction } from '../../../db/prisma.ts';

export interface LinkTextParts {
  readonly text: string;
  readonly segments: readonly {
    readonly startMs: number;
    readonly endMs: number | null;
    readonly text: string;
  }[];
}

/** The text of a link of the actor's tenant; null where it has none. */
export const readLinkText = defineUseCase(
  { name: 'readLinkText', role: 'member', scope: 'jobs:read', toDo: 'read links' },
  async (reads: ReadTransaction, actor: Caller, linkId: string): Promise<LinkTextParts | null> => {
    const prisma = await reads.prisma();
    const row = await prisma.linkText.findFirst({
      where: { tenantId: actor.tenantId, linkId, link: { textKind: { not: null } } },
      select: { text: true, segments: true },
    });
    if (row === null) return null;
    return { text: row.text, segments: (row.segments ?? []) as unknown as LinkTextParts['segments'] };
  },
);
