import { refusesData } from '../../../db/retryable.ts';
import { DefinitionChanged } from './insert-ordered.ts';

const MAX_ROUNDS = 5;

/**
 * Runs one batch of up to `size` items, again when a definition changes meanwhile, and item by item when the
 * database refuses the batch: one bad row must not hold up those after it.
 * @returns how many items were taken
 */
export async function inRounds(size: number, batch: (size: number) => Promise<number>): Promise<number> {
  for (let round = 1; ; round++) {
    try {
      return await batch(size);
    } catch (error) {
      if (error instanceof DefinitionChanged && round < MAX_ROUNDS) continue;
      if (size > 1 && refusesData(error)) return await batch(1);
      throw error;
    }
  }
}
