export { MAX_WEBHOOK_BYTES, receiveWebhook } from './use-cases/receive-webhook.ts';
