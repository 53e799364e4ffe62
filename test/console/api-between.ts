import type { Page, Request, WebSocketRoute } from 'playwright-core';

/** A query, or a subscription. */
interface Asked {
  readonly query: string;
  readonly variables: object;
}

export type Treatment =
  /** Answered by the server. */
  | { readonly kind: 'pass' }
  /** Kept until the treatment is another one. */
  | { readonly kind: 'hold' }
  /** Answered with an error. */
  | { readonly kind: 'break' }
  /** Answered with this. */
  | { readonly kind: 'answer'; readonly data: object };

/** Stands between a page and its server, and treats one operation as a test says; all others pass. */
export interface ApiBetween {
  treat(operation: string, treatment: Treatment): void;
  /** What was asked for by that operation last. */
  lastAsked(): Asked | undefined;
  /** All that was asked for, by requests and by streams. */
  readonly asked: readonly Asked[];
  /** Forgets what was asked for. */
  forget(): void;
  /** Requests, not streams, whose answers the page does not have yet. */
  readonly unanswered: number;
  readonly openSockets: number;
  /** How many lists have come to their end on a socket that is open. */
  readonly readyLists: number;
  /** Closes every socket, and each that is opened until `connectAgain`. */
  cut(): Promise<void>;
  connectAgain(): void;
}

const PROBLEM = { message: 'Broken for once', extensions: { code: 'BROKEN' } };
export const REQUEST_ID = 'request-4711';

export async function standBetween(page: Page): Promise<ApiBetween> {
  let operation = '';
  let treatment: Treatment = { kind: 'pass' };
  let last: Asked | undefined;
  const asked: Asked[] = [];
  let isCut = false;
  let held: (() => void)[] = [];
  /** Each with the lists on it that have said that they are complete. */
  const sockets = new Map<WebSocketRoute, number>();

  const isMeant = ({ query }: Asked): boolean =>
    operation !== '' && new RegExp(`^\\s*(query|subscription) ${operation}\\b`).test(query);
  /** @param settle called with what is to be done, once that is not to wait */
  const decide = (given: Asked, settle: (by: Treatment) => void): void => {
    if (!isMeant(given)) {
      settle({ kind: 'pass' });
      return;
    }
    last = given;
    if (treatment.kind === 'hold') held.push(() => decide(given, settle));
    else settle(treatment);
  };

  const treated: typeof decide = (given, settle) => {
    asked.push(given);
    decide(given, settle);
  };

  const unanswered = new Set<Request>();
  page.on('requestfinished', (request) => unanswered.delete(request));
  page.on('requestfailed', (request) => unanswered.delete(request));
  await page.route('**/graphql', async (route) => {
    unanswered.add(route.request());
    const body = route.request().postDataJSON() as Asked;
    const by = await new Promise<Treatment>((resolve) => treated(body, resolve));
    if (by.kind === 'break')
      return route.fulfill({
        status: 400,
        headers: { 'x-request-id': REQUEST_ID },
        json: { errors: [PROBLEM] },
      });
    return by.kind === 'answer' ? route.fulfill({ json: { data: by.data } }) : route.continue();
  });
  await page.routeWebSocket(/\/graphql/, (socket) => {
    if (isCut) {
      void socket.close({ code: 1001 });
      return;
    }
    sockets.set(socket, 0);
    const server = socket.connectToServer();
    server.onMessage((text) => {
      if (String(text).includes('"FeedReady"')) sockets.set(socket, (sockets.get(socket) ?? 0) + 1);
      socket.send(text);
    });
    socket.onClose((code, reason) => {
      sockets.delete(socket);
      void server.close({ ...(code !== undefined && { code }), ...(reason !== undefined && { reason }) });
    });
    socket.onMessage((text) => {
      const { type, id, payload } = JSON.parse(String(text)) as { type: string; id: string; payload?: Asked };
      if (type !== 'subscribe' || payload === undefined) {
        server.send(text);
        return;
      }
      treated(payload, (by) => {
        if (by.kind === 'break') socket.send(JSON.stringify({ id, type: 'error', payload: [PROBLEM] }));
        else server.send(text);
      });
    });
  });

  return {
    treat: (next, by) => {
      operation = next;
      treatment = by;
      const released = held;
      held = [];
      for (const release of released) release();
    },
    lastAsked: () => last,
    asked,
    forget: () => {
      asked.length = 0;
    },
    get unanswered() {
      return unanswered.size;
    },
    get openSockets() {
      return sockets.size;
    },
    get readyLists() {
      return [...sockets.values()].reduce((sum, count) => sum + count, 0);
    },
    cut: async () => {
      isCut = true;
      const open = [...sockets.keys()];
      sockets.clear();
      await Promise.all(open.map((socket) => socket.close({ code: 1001 })));
    },
    connectAgain: () => {
      isCut = false;
    },
  };
}
