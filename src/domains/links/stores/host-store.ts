import type { Database } from '../../../db/database.ts';
import { findRobots, type RobotsRow } from '../sql/find-robots.ts';
import { saveRobots } from '../sql/save-robots.ts';
import { type HostTurnRow, takeHostTurn } from '../sql/take-host-turn.ts';
import type { HostStore } from './contract.ts';

/** Turns at hosts, of all tenants together. */
export function createHostStore(database: Database): HostStore {
  return {
    takeTurn: async (host, everyMs, atMostMs) => {
      const { rows } = await database.asWorker<HostTurnRow>(takeHostTurn, [host, everyMs, atMostMs]);
      const { is_taken, wait_ms } = rows[0] as HostTurnRow;
      return { isTaken: is_taken, waitMs: wait_ms };
    },
    findRobots: async (host) => {
      const { rows } = await database.asWorker<RobotsRow>(findRobots, [host]);
      return rows[0]?.robots;
    },
    saveRobots: async (host, robots) => {
      await database.asWorker(saveRobots, [host, robots]);
    },
  };
}
