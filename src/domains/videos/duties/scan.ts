import type { Duty } from '../../../core/duty.ts';
import { DomainError } from '../../../core/errors.ts';
import { SYSTEM_TENANT_ID } from '../../../core/ids.ts';
import { pipelineDedupeKey } from '../../../core/pipelines/dedupe-key.ts';
import type { JobQueue } from '../../../core/queue.ts';
import { scanOriginals } from '../definitions/scan-originals.ts';

/**
 * Enqueues the scan of originals, one at a time for all workers. The first after a whole interval: a process
 * that has just begun to lead has other things to do.
 */
export function scanDuty(queue: Pick<JobQueue, 'enqueue'>, everyMs: number): Duty {
  const firstMs = performance.now() + everyMs;
  return {
    name: 'scan',
    everyMs,
    run: async () => {
      if (performance.now() < firstMs) return {};
      try {
        const [result] = await queue.enqueue(SYSTEM_TENANT_ID, [
          {
            definitionKey: scanOriginals.key,
            payload: {},
            dedupeKey: pipelineDedupeKey(scanOriginals.key, 'all'),
            source: 'system',
            createdBy: 'system',
          },
        ]);
        return { scans: result?.kind === 'created' ? 1 : 0 };
      } catch (error) {
        // Switched off by an operator.
        if (error instanceof DomainError && error.code === 'DefinitionInactive') return {};
        throw error;
      }
    },
  };
}
