import { pipelinesOf } from '../../src/domains/domain.ts';
import { registeredDomains } from '../../src/domains/registered.ts';

/** What the end of jobs leads to, as in the program itself. */
export const testPipelines = pipelinesOf(registeredDomains({ echo: true }));
