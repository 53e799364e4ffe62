import type { Condition } from './condition.ts';

/**
 * The one text that a field must have for data to satisfy a condition; null where the condition leaves more
 * than one open, or does not say so in the simple form: `equals` of that field, alone or within `all`.
 */
export function requiredText(condition: Condition, field: string): string | null {
  switch (condition.kind) {
    case 'field': {
      if (condition.path.length !== 1 || condition.path[0] !== field) return null;
      const test = condition.tests.find(({ op }) => op === 'equals');
      return typeof test?.value === 'string' && test.value.length <= 200 ? test.value : null;
    }
    case 'all':
      return condition.of.map((part) => requiredText(part, field)).find((text) => text !== null) ?? null;
    case 'any':
    case 'not':
      return null;
  }
}
