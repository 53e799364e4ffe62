export { BulkRunner } from './run/bulk-runner.ts';
