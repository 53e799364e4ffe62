import { type Piped, startPiped } from './piped.ts';

/** The bare server's process. */
export interface BareYoga extends Pick<Piped, 'pid' | 'stop'> {
  readonly url: string;
}

/** Starts it and waits until it listens. Its table is that of `openBareWriters`. */
export async function startBareYoga(
  databaseUrl: string,
  tenantId: string,
  definitionId: string,
): Promise<BareYoga> {
  const { first, pid, stop } = await startPiped('bare-yoga', [databaseUrl, tenantId, definitionId]);
  return { url: first, pid, stop };
}
