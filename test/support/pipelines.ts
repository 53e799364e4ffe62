import { registeredDomains } from '../../src/domains/registered.ts';
import { pipelinesOf } from '../../src/queue/pipelines.ts';

/** What the end of jobs leads to, as in the program itself. */
export const testPipelines = pipelinesOf(registeredDomains({ echo: true }));
