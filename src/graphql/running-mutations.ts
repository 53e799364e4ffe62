import { getOperationAST } from 'graphql';
import type { Plugin } from 'graphql-yoga';
import type { RequestContext } from './context.ts';

/**
 * Mutations that are being executed, by the request or socket that they came with: a stopping server lets
 * their answers go out before it closes the socket.
 */
export class RunningMutations {
  readonly #running = new Map<string, { count: number; whenNone: PromiseWithResolvers<void> }>();

  plugin(): Plugin<RequestContext> {
    return {
      onExecute: ({ args }) => {
        const operation = getOperationAST(args.document, args.operationName);
        if (operation?.operation !== 'mutation') return undefined;
        const end = this.begin((args.contextValue as RequestContext).requestId);
        return { onExecuteDone: end };
      },
    };
  }

  /** @param requestId of a socket's operation it is `<socket>:<operation>` */
  begin(requestId: string): () => void {
    const carrier = carrierOf(requestId);
    const running = this.#running.get(carrier) ?? { count: 0, whenNone: Promise.withResolvers<void>() };
    this.#running.set(carrier, running);
    running.count++;
    return () => {
      if (--running.count > 0) return;
      this.#running.delete(carrier);
      running.whenNone.resolve();
    };
  }

  /** Resolves once nothing of this request or socket is executed any more. */
  async ended(carrier: string): Promise<void> {
    for (let one = this.#running.get(carrierOf(carrier)); one; one = this.#running.get(carrierOf(carrier)))
      await one.whenNone.promise;
  }
}

function carrierOf(requestId: string): string {
  return requestId.split(':', 1)[0] ?? requestId;
}
