import type { Job } from '../../../core/job.ts';
import type { Lease } from '../../../core/queue.ts';
import type { Database, Transaction } from '../../../db/database.ts';
import { hold } from '../../../db/hold-lease.ts';
import type { CallAnalysis, SummaryCost } from '../analysis/analysis.ts';
import { analyze } from '../definitions/analyze.ts';
import { transcribePoll } from '../definitions/transcribe-poll.ts';
import { addUsageAmounts } from '../sql/add-usage-amounts.ts';
import { deleteCallArtifact } from '../sql/delete-call-artifact.ts';
import { type AnalysisRow, findAnalysis } from '../sql/find-analysis.ts';
import { findTranscript, type TranscriptRow } from '../sql/find-transcript.ts';
import { findTurns, type TurnRow } from '../sql/find-turns.ts';
import { insertAnalysis } from '../sql/insert-analysis.ts';
import { insertCallWords } from '../sql/insert-call-words.ts';
import { insertTranscript } from '../sql/insert-transcript.ts';
import { insertTurns } from '../sql/insert-turns.ts';
import { countWords, type Transcript, transcriptHash } from '../transcript.ts';

/** The rows of one call, for the jobs about it. */
export interface CallStore {
  /** Null while there is none. */
  findTranscript(): Promise<(Transcript & { readonly hash: string }) | null>;
  /**
   * Stores the transcript; the first one stays.
   * @returns the hash of the one that is there now
   * @throws DomainError `LostLease`; nothing is written then
   */
  storeTranscript(transcript: Transcript): Promise<string>;
  findAnalysis(hash: string, version: number): Promise<unknown>;
  /** Stores an analysis; the first one of a transcript and version stays. @throws DomainError `LostLease` */
  storeAnalysis(hash: string, version: number, result: CallAnalysis): Promise<void>;
  /** Counts what a summary has cost that is of no use. @throws DomainError `LostLease` */
  countSummary(cost: SummaryCost): Promise<void>;
  /** Takes the rows of obsolete objects away, before their bytes. @throws DomainError `LostLease` */
  forgetObjects(keys: readonly string[]): Promise<void>;
}

/** Works as the API role with the job's tenant, and commits only while the run has its lease. */
export function createCallStore(database: Database, job: Job, lease: Lease): CallStore {
  const { tenantId, subject } = job;
  const callId = (): string => {
    if (subject?.type !== 'call') throw new TypeError('Only a job about a call has one');
    return subject.id;
  };
  const read = <T>(run: (tx: Transaction) => Promise<T>) =>
    database.transaction({ role: 'api', tenantId, readOnly: true }, run);
  const write = (run: (tx: Transaction) => Promise<void>) =>
    database.transaction({ role: 'api', tenantId, endsWhenFrozen: true }, async (tx) => {
      await run(tx);
      // Last, since the row is locked from here on and a locked lease is not renewed.
      await hold(tx, tenantId, lease);
    });
  /** In the transaction that stores what was paid for: whatever a crash repeats is counted once. */
  const use = (tx: Transaction, key: string, amounts: Readonly<Record<string, number>>) =>
    tx.query(addUsageAmounts, [tenantId, key, Object.keys(amounts), Object.values(amounts)]);
  const store: CallStore = {
    findTranscript: () =>
      read(async (tx) => {
        const { rows } = await tx.query<TranscriptRow>(findTranscript, [tenantId, callId()]);
        const row = rows[0];
        if (row === undefined) return null;
        const turns = await tx.query<TurnRow>(findTurns, [tenantId, callId()]);
        return transcriptOf(row, turns.rows);
      }),
    storeTranscript: async (transcript) => {
      await write(async (tx) => {
        const id = callId();
        const { provider, model, language, isDraft, hasText, emptyReason, audioMs, turns } = transcript;
        const { operationCount, costMicros } = transcript;
        const { rowCount } = await tx.query(insertTranscript, [
          ...[id, tenantId, transcriptHash(transcript), provider, model, language, isDraft, hasText],
          ...[emptyReason, countWords(turns), turns.length, Math.round(audioMs)],
          ...[operationCount, costMicros],
        ]);
        if (rowCount === 0) return;
        await use(tx, transcribePoll.key, {
          audio_ms: Math.round(audioMs) * operationCount,
          cost_micros: costMicros ?? 0,
        });
        if (turns.length === 0) return;
        await tx.query(insertTurns, [id, tenantId, ...turnColumns(transcript)]);
        await tx.query(insertCallWords, [id, tenantId]);
      });
      const stored = await store.findTranscript();
      if (stored === null) throw new Error('The transcript is not there after it was stored');
      return stored.hash;
    },
    findAnalysis: (hash, version) =>
      read(async (tx) => {
        const { rows } = await tx.query<AnalysisRow>(findAnalysis, [tenantId, callId(), hash, version]);
        return rows[0]?.result ?? null;
      }),
    storeAnalysis: (hash, version, result) =>
      write(async (tx) => {
        const values = [callId(), hash, version, tenantId, JSON.stringify(result)];
        const { rowCount } = await tx.query(insertAnalysis, values);
        if (rowCount === 0 || result.cost === null) return;
        await use(tx, analyze.key, amountsOf(result.cost));
      }),
    countSummary: (cost) => write(async (tx) => void (await use(tx, analyze.key, amountsOf(cost)))),
    forgetObjects: (keys) =>
      write(async (tx) => {
        for (const key of keys) await tx.query(deleteCallArtifact, [tenantId, key, callId()]);
      }),
  };
  return store;
}

function amountsOf({ inputTokens, outputTokens, micros }: SummaryCost): Readonly<Record<string, number>> {
  return { input_tokens: inputTokens, output_tokens: outputTokens, cost_micros: micros ?? 0 };
}

function turnColumns({ turns }: Transcript): readonly (readonly unknown[])[] {
  return [
    turns.map((_turn, position) => position),
    turns.map(({ speaker }) => speaker),
    turns.map(({ startMs }) => Math.round(startMs)),
    turns.map(({ endMs }) => Math.round(endMs)),
    turns.map(({ text }) => text),
    turns.map(({ words }) => JSON.stringify(words)),
    turns.map(({ confidence }) => confidence),
  ];
}

function transcriptOf(row: TranscriptRow, turns: readonly TurnRow[]): Transcript & { readonly hash: string } {
  return {
    hash: row.hash,
    provider: row.provider,
    model: row.model,
    language: row.language,
    isDraft: row.is_draft,
    hasText: row.has_text,
    emptyReason: row.empty_reason,
    audioMs: row.audio_ms,
    operationCount: row.operation_count,
    costMicros: row.cost_micros,
    turns: turns.map(({ speaker, start_ms, end_ms, text, words, confidence }) => ({
      speaker,
      startMs: start_ms,
      endMs: end_ms,
      text,
      words,
      confidence,
    })),
  };
}
