import { graphqlPartsOf } from '../../src/domains/domain.ts';
import { registeredDomains } from '../../src/domains/registered.ts';
import { buildSchema } from '../../src/graphql/schema.ts';

/** The schema of the program, and what credentials may see of it. */
export const { schema, access } = buildSchema(await graphqlPartsOf(registeredDomains({ echo: true })));
