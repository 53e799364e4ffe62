import { graphqlPartsOf } from '../../src/domains/domain.ts';
import { registeredDomains } from '../../src/domains/registered.ts';
import { buildSchema } from '../../src/graphql/schema.ts';

/** The schema of the program. */
export const { schema } = buildSchema(await graphqlPartsOf(registeredDomains({ echo: true })));
