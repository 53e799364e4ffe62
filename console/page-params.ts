import { JOBS_PARAMS } from './jobs/jobs-address.ts';
import { AUDIT_ACTS } from './settings/audit-acts.ts';

/** What a parameter of an address may be: one of some words, or a text of a form. */
export type ParamRule = RegExp | readonly string[];
/** By the names of parameters. */
export type ParamRules = Readonly<Partial<Record<string, ParamRule>>>;

const ANY = /^[\s\S]{0,500}$/;
const NUMBER = /^\d+(\.\d+)?$/;
const DAY = /^\d{4}-\d\d-\d\d$/;

/** The pages of the console, each with the parameters that its address may have. The router is made of it. */
export const PAGE_PARAMS = {
  '/': { since: ['60', '300', '900', '3600', '21600', '86400'] },
  '/jobs': JOBS_PARAMS,
  '/jobs/$jobId': {
    tab: ['overview', 'log', 'data', 'files', 'graph'],
    attempt: /^\d{1,9}$/,
    line: /^\d{1,9}(\.\d{1,9})?$/,
  },
  '/definitions': { q: ANY },
  '/definitions/$key': { tab: ['enqueue', 'statistics', 'settings', 'schema'], copy: ANY },
  '/schedules': { edit: ANY, q: ANY, enabled: ['yes', 'no'] },
  '/triggers': { name: ANY, outcome: ['jobs', 'none'], tab: ['rules', 'events'] },
  '/webhooks': { endpoint: /^[\da-f-]{36}$/ },
  '/workers': {},
  '/videos': {
    q: ANY,
    state: ['AWAITING_UPLOAD', 'UPLOADED', 'PROCESSING', 'TRANSCODED', 'READY', 'FAILED'],
  },
  '/videos/$videoId': { t: NUMBER },
  '/calls': { q: ANY },
  '/calls/$callId': { t: NUMBER },
  '/search': {
    q: ANY,
    kind: ['MENTION', 'HASHTAG', 'URL', 'EMOJI', 'PRICE', 'PHONE', 'COUNT', 'PERCENT'],
    lang: /^\w{2,20}$/,
    ...{ min: NUMBER, max: NUMBER, from: DAY },
  },
  '/links': { q: ANY, status: /^[A-Z]{4,9}$/ },
  '/links/$linkId': {},
  '/messages': { queue: ANY, tab: ['live', 'archived'] },
  '/tenants': {},
  '/settings': {
    tab: ['tenant', 'members', 'keys', 'audit'],
    action: AUDIT_ACTS,
    actor: ANY,
    from: DAY,
  },
} as const satisfies Readonly<Record<string, ParamRules>>;

export type PagePath = keyof typeof PAGE_PARAMS;
