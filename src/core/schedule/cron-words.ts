import { toString as inWords } from 'cronstrue';
import type { CronExpression } from './parse-cron.ts';

/**
 * The expression in English words, by a 24-hour clock: `At 02:30, every day`. cronstrue's wording "on day 13
 * of the month, and on Friday" leaves open what cron does then, so it is said.
 */
export function cronInWords({ text, hasSeconds }: CronExpression): string {
  const words = inWords(text, { use24HourTimeFormat: true, verbose: true });
  const [dayOfMonth, , dayOfWeek] = text.split(' ').slice(hasSeconds ? 3 : 2);
  return dayOfMonth !== '*' && dayOfWeek !== '*' ? `${words} (either of the two suffices)` : words;
}
