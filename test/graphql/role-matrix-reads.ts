import { ROLES } from '../../src/core/actor.ts';
import { ADMINS, OPERATORS, READERS, type RoleCell } from './role-cell.ts';

/** What queries and subscriptions are for whom. */
export const READS: Readonly<Record<string, RoleCell>> = {
  'Query.viewer': { roles: ROLES, document: () => '{ viewer { name } }' },
  'Query.node': { roles: READERS, document: (rows) => `{ node(id: "Job:${rows.jobId}") { id } }` },
  'Query.nodes': { roles: READERS, document: (rows) => `{ nodes(ids: ["Job:${rows.jobId}"]) { id } }` },
  'Query.job': { roles: READERS, document: (rows) => `{ job(id: "${rows.jobId}") { id } }` },
  'Query.jobs': { roles: READERS, document: () => '{ jobs { nodes { id } } }' },
  'Query.jobDefinitions': { roles: READERS, document: () => '{ jobDefinitions { nodes { id } } }' },
  'Query.jobDefinition': { roles: READERS, document: () => '{ jobDefinition(key: "echo") { id } }' },
  'Query.jobStatistics': { roles: READERS, document: () => '{ jobStatistics { jobCount } }' },
  'Query.jobSummary': { roles: READERS, document: () => '{ jobSummary { counts { queued } } }' },
  'Query.usage': {
    roles: ADMINS,
    document: () => '{ usage(from: "2026-11-01T00:00:00Z", to: "2026-11-28T00:00:00Z") { days { date } } }',
  },
  'Query.video': { roles: READERS, document: (rows) => `{ video(id: "${rows.videoId}") { id } }` },
  'Query.clip': { roles: READERS, document: (rows) => `{ clip(id: "${rows.videoId}") { id } }` },
  'Query.call': { roles: READERS, document: (rows) => `{ call(id: "${rows.videoId}") { id } }` },
  'Query.calls': { roles: READERS, document: () => '{ calls { nodes { id } } }' },
  'Query.searchCalls': { roles: READERS, document: () => '{ searchCalls(query: "x") { edges { cursor } } }' },
  'Subscription.callChanged': {
    roles: READERS,
    document: (rows) => `subscription { callChanged(id: "${rows.videoId}") { id } }`,
  },
  'Subscription.callChanges': {
    roles: READERS,
    document: () => 'subscription { callChanges { __typename } }',
  },
  'Query.searchVideos': {
    roles: READERS,
    document: () => '{ searchVideos(query: "x") { edges { score } } }',
  },
  'Query.videos': { roles: READERS, document: () => '{ videos { nodes { id } } }' },
  'Query.tenant': { roles: READERS, document: () => '{ tenant { slug laneLimits { maxRunning } } }' },
  'Query.bulkAction': { roles: READERS, document: (rows) => `{ bulkAction(id: "${rows.jobId}") { id } }` },
  'Query.bulkActions': { roles: READERS, document: () => '{ bulkActions { nodes { id } } }' },
  'Subscription.bulkActionChanged': {
    roles: READERS,
    document: (rows) => `subscription { bulkActionChanged(id: "${rows.jobId}") { id } }`,
  },
  'Query.auditLog': { roles: ADMINS, document: () => '{ auditLog { nodes { uuid } } }' },
  'Query.trigger': { roles: READERS, document: (rows) => `{ trigger(id: "${rows.jobId}") { id } }` },
  'Query.link': { roles: READERS, document: (rows) => `{ link(id: "${rows.jobId}") { id } }` },
  'Query.links': { roles: READERS, document: () => '{ links { nodes { id } } }' },
  'Query.searchLinks': {
    roles: READERS,
    document: () => '{ searchLinks(query: "x", mode: WORDS) { model } }',
  },
  'Query.triggers': { roles: READERS, document: () => '{ triggers { nodes { id } } }' },
  'Query.event': { roles: READERS, document: (rows) => `{ event(id: "${rows.jobId}") { id } }` },
  'Query.events': { roles: READERS, document: () => '{ events { nodes { id } } }' },
  'Query.schedulePreview': {
    roles: READERS,
    document: () => '{ schedulePreview(input: { cron: "@daily" }) { timeZone } }',
  },
  'Query.testTrigger': {
    roles: ADMINS,
    document: () =>
      '{ testTrigger(input: { trigger: { label: "t", definition: "echo", eventName: "a" } }) { outcome } }',
  },
  'Query.webhookEndpoints': { roles: ADMINS, document: () => '{ webhookEndpoints { nodes { uuid } } }' },
  'Query.webhookSources': { roles: ADMINS, document: () => '{ webhookSources { nodes { uuid } } }' },
  'Query.tenants': { roles: OPERATORS, document: () => '{ tenants { nodes { slug } } }' },
  'Query.workers': { roles: OPERATORS, document: () => '{ workers { name } }' },
  'Subscription.clipChanged': {
    roles: READERS,
    document: (rows) => `subscription { clipChanged(id: "${rows.videoId}") { id } }`,
  },
  'Subscription.jobChanged': {
    roles: READERS,
    document: (rows) => `subscription { jobChanged(id: "${rows.jobId}") { id } }`,
  },
  'Subscription.clipChanges': {
    roles: READERS,
    document: () => 'subscription { clipChanges { __typename } }',
  },
  'Subscription.jobChanges': { roles: READERS, document: () => 'subscription { jobChanges { __typename } }' },
  'Subscription.videoChanges': {
    roles: READERS,
    document: () => 'subscription { videoChanges { __typename } }',
  },
  'Subscription.jobLog': {
    roles: READERS,
    document: (rows) => `subscription { jobLog(jobId: "${rows.jobId}") { cursor } }`,
  },
  'Subscription.jobSummary': {
    roles: READERS,
    document: () => 'subscription { jobSummary { counts { queued } } }',
  },
  'Subscription.workersChanged': {
    roles: OPERATORS,
    document: () => 'subscription { workersChanged { name } }',
  },
  'Subscription.linkChanged': {
    roles: READERS,
    document: (rows) => `subscription { linkChanged(id: "${rows.linkId}") { id } }`,
  },
  'Subscription.videoChanged': {
    roles: READERS,
    document: (rows) => `subscription { videoChanged(id: "${rows.videoId}") { id } }`,
  },
};
