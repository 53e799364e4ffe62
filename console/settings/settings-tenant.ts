import type { SettingsResult } from '../api/operations.gen.ts';

/** The tenant as the settings read it. */
export type SettingsTenant = NonNullable<SettingsResult['tenant']>;
