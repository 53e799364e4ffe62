import { CAPABILITIES } from './engine.ts';
import { openPostgresEngine } from './postgres-engine.ts';
import { queueContract } from './suite.ts';

queueContract('Postgres', openPostgresEngine, CAPABILITIES);
