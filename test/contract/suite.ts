import { afterAll, beforeAll, describe, test } from 'vitest';
import { toError } from '../../src/core/errors.ts';
import type { ContractCase } from './case.ts';
import { budgetCases } from './cases/budget.ts';
import { callersTransactionCases } from './cases/callers-transaction.ts';
import { claimCases } from './cases/claim.ts';
import { enqueueCases } from './cases/enqueue.ts';
import { fairnessCases } from './cases/fairness.ts';
import { feedCases } from './cases/feed.ts';
import { fenceCases } from './cases/fence.ts';
import { leaseCases } from './cases/lease.ts';
import { limitCases } from './cases/limits.ts';
import { maintenanceCases } from './cases/maintenance.ts';
import { operatorCases } from './cases/operator.ts';
import { recordCases } from './cases/records.ts';
import { remoteCases } from './cases/remote.ts';
import { transactionalNextCases } from './cases/transactional-next.ts';
import type { Capability, Engine } from './engine.ts';

/** The core, which every engine passes. */
const CORE: readonly ContractCase[] = [
  ...enqueueCases,
  ...claimCases,
  ...fenceCases,
  ...leaseCases,
  ...budgetCases,
  ...operatorCases,
  ...recordCases,
  ...maintenanceCases,
];

const PARTS: Readonly<Record<Capability, readonly ContractCase[]>> = {
  transactionalNext: [...transactionalNextCases, ...callersTransactionCases],
  limits: limitCases,
  fairness: fairnessCases,
  feed: feedCases,
  remote: remoteCases,
};

/**
 * Declares the contract's tests for an engine: the core, and the part of every capability that it declares.
 * @param openEngine opened once, closed when the last test has run
 */
export function queueContract(
  name: string,
  openEngine: () => Promise<Engine>,
  capabilities: readonly Capability[],
): void {
  describe(`the queue contract: ${name}`, () => {
    let engine: Engine;
    beforeAll(async () => {
      engine = await openEngine();
    });
    afterAll(() => engine?.close());
    const declare = (part: string, cases: readonly ContractCase[]): void => {
      describe(part, () => {
        for (const { name: said, run } of cases) {
          test(said, async () => {
            await engine.clear();
            await run(engine);
          });
        }
      });
    };
    declare('core', CORE);
    for (const capability of capabilities) declare(capability, PARTS[capability]);
  });
}

/**
 * Puts an engine to the contract outside of the test runner's own tests.
 * @returns the names of the cases that it failed, with why
 */
export async function failuresOf(
  engine: Engine,
  capabilities: readonly Capability[],
): Promise<ReadonlyMap<string, Error>> {
  const failures = new Map<string, Error>();
  for (const { name, run } of [...CORE, ...capabilities.flatMap((capability) => PARTS[capability])]) {
    await engine.clear();
    try {
      await run(engine);
    } catch (thrown) {
      failures.set(name, toError(thrown));
    }
  }
  return failures;
}
