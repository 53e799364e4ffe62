/**
 * `fresh`: reads the initial state next. `behind`: reads what it missed next, and joins the tail. `paging`:
 * the same, but there is so much that it comes in pages, away from the tail. `joining`: a read is under way
 * while the tail is kept aside. `live`: takes from the tail.
 */
export type Phase = 'fresh' | 'behind' | 'paging' | 'joining' | 'live' | 'ended';

/** Tail and read saw different lives of the server: again. */
export class RestartedMeanwhile extends Error {}
