import type { Entity } from '../../../src/text/entities/entity.ts';

/** An entity as the table of cases writes it. */
export function show({ type, subtype, normalizedValue, domain, amount, currency }: Entity): string {
  const parts = [subtype ?? type, normalizedValue];
  if (domain !== null) parts.push(`@${domain}`);
  if (amount !== null) parts.push(`=${amount}`);
  if (currency !== null) parts.push(currency);
  return parts.join(' ');
}
