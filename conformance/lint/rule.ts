import type { GraphQLSchema } from 'graphql';

/** Looks at a schema and its text; one line for each thing that is wrong. */
export type Rule = (schema: GraphQLSchema, sdl: string) => readonly string[];
