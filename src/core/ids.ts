/** The reserved tenant that owns global jobs; only `super_admin` sees it. */
export const SYSTEM_TENANT_ID = '00000000-0000-0000-0000-000000000000';

const UUID_PATTERN = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

/** True for the canonical text form of a UUID of any version. */
export function isUuid(text: string): boolean {
  return UUID_PATTERN.test(text);
}

/** The UUID that 32 hex digits are; any other text comes back as it is. */
export function uuidOfHex(hex: string): string {
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
}
