import { fileURLToPath } from 'node:url';
import { startChild } from './child.ts';

const SCRIPT = fileURLToPath(new URL('../processes/worst-member.ts', import.meta.url));

export interface WorstMemberOptions {
  readonly graphqlUrl: string;
  readonly token: string;
  readonly connections: number;
}

export interface MemberOrder {
  readonly kind: 'begin' | 'counts';
}

export type MemberNews =
  | { readonly kind: 'ready' }
  | { readonly kind: 'counts'; readonly counts: Readonly<Record<string, number>> };

/** A member in a process of their own, so that their work is not the measure's. */
export interface WorstMember {
  readonly pid: number;
  begin(): void;
  /** Answers since the last time, by request and status. */
  counts(): Promise<Readonly<Record<string, number>>>;
  stop(): Promise<void>;
}

/** What the process reads of its environment. */
export function worstMemberOf(env: Readonly<Record<string, string | undefined>>): WorstMemberOptions {
  return JSON.parse(env['WORST_MEMBER'] ?? '{}') as WorstMemberOptions;
}

/** Starts one that waits for `begin`. */
export async function startWorstMember(options: WorstMemberOptions): Promise<WorstMember> {
  const child = startChild<MemberOrder, MemberNews>(SCRIPT, { WORST_MEMBER: JSON.stringify(options) });
  await child.next((news): news is MemberNews => news.kind === 'ready');
  return {
    pid: child.pid,
    begin: () => child.send({ kind: 'begin' }),
    counts: async () => {
      const answer = child.next(
        (news): news is Extract<MemberNews, { kind: 'counts' }> => news.kind === 'counts',
      );
      child.send({ kind: 'counts' });
      return (await answer).counts;
    },
    stop: async () => {
      child.disconnect();
      await child.ended();
    },
  };
}
