/** Longer ones are keys and serial numbers. */
const MAX_DIGITS = 30;

/**
 * The value of a written number as a decimal (`1.299,00` → `1299`), or null for one too long to mean an
 * amount. A point or comma before exactly three digits may be either: a comma groups thousands, a point does
 * so only where `pointGroups` says that the number is written in the continental way.
 */
export function parseAmount(written: string, pointGroups: boolean): string | null {
  const bare = written.replace(/[\s'’]/g, '');
  if (bare.length > MAX_DIGITS) return null;
  const at = decimalAt(bare, pointGroups);
  const whole = (at < 0 ? bare : bare.slice(0, at)).replace(/\D/g, '').replace(/^0+(?=\d)/, '');
  const fraction = at < 0 ? '' : bare.slice(at + 1).replace(/0+$/, '');
  return fraction === '' ? whole : `${whole}.${fraction}`;
}

/** Where the decimal point or comma stands, or -1. */
function decimalAt(bare: string, pointGroups: boolean): number {
  const comma = bare.lastIndexOf(',');
  const point = bare.lastIndexOf('.');
  const last = Math.max(comma, point);
  if (last < 0) return -1;
  if (comma >= 0 && point >= 0) return last;
  const sign = bare.charAt(last);
  if (bare.indexOf(sign) !== last) return -1;
  const mayGroup = bare.length - last === 4 && last <= 3 && bare[0] !== '0';
  if (!mayGroup) return last;
  return sign === ',' || pointGroups ? -1 : last;
}

/** A decimal times ten to the power of `exponent`, without a detour by binary fractions. */
export function scaleAmount(amount: string, exponent: number): string {
  const [whole = '', fraction = ''] = amount.split('.');
  const moved = fraction.padEnd(exponent, '0');
  const left = `${whole}${moved.slice(0, exponent)}`.replace(/^0+(?=\d)/, '');
  const right = moved.slice(exponent).replace(/0+$/, '');
  return right === '' ? left : `${left}.${right}`;
}
