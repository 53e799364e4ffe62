import type { Judge } from './indexed.ts';

/** No worker grows without bound. */
export const judgeMemory: Judge = ({ effects, maxRssMb }) => {
  const most = mostMemoryMb(effects);
  return most > maxRssMb ? [`a worker took ${Math.round(most)} MB, ${maxRssMb} are allowed`] : [];
};

/** The most that any worker noted of itself, in MB. */
export function mostMemoryMb(effects: Parameters<Judge>[0]['effects']): number {
  let most = 0;
  for (const effect of effects) if (effect.kind === 'memory') most = Math.max(most, effect.rssMb);
  return most;
}

/**
 * What the worker that lived longest noted at first, in the middle of its life, and at last: whether it
 * grows.
 */
export function memoryOverTimeMb(effects: Parameters<Judge>[0]['effects']): readonly number[] {
  const byPid = Map.groupBy(
    effects.filter((effect) => effect.kind === 'memory'),
    ({ pid }) => pid,
  );
  const longest = [...byPid.values()].sort((a, b) => b.length - a.length)[0] ?? [];
  return [0, 0.5, 1].map((share) =>
    Math.round(longest[Math.round(share * (longest.length - 1))]?.rssMb ?? 0),
  );
}
