import type { GraphqlContext } from '../context.ts';

/**
 * Runs a use-case and goes on with a fresh snapshot, so that the mutation's result shows what it wrote.
 * Mutations of one document run one after the other, each with its whole result, so nobody reads meanwhile.
 */
export async function write<T>(context: GraphqlContext, useCase: () => Promise<T>): Promise<T> {
  try {
    return await useCase();
  } finally {
    await context.operation.renew();
  }
}

/**
 * Loads what a mutation has just written. @throws Error when it is gone already, which the client sees as
 * unexpected
 */
export async function written<Row>(row: Promise<Row | null>, what: string): Promise<Row> {
  const found = await row;
  if (found !== null) return found;
  throw new Error(`${what} was written but cannot be read`);
}
