/**
 * Where handlers keep their own results beside what they return. Each acts for its job's tenant and subject
 * only.
 */
export type * from '../src/domains/search/stores/contract.ts';
export type * from '../src/domains/videos/stores/contract.ts';
