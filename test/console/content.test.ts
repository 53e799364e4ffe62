import { afterAll, beforeAll } from 'vitest';
import { contentJourneys } from './content-journeys.ts';
import { type ConsoleTools, openConsole } from './opened-console.ts';
import { accessiblePages, contentPaths } from './pages.ts';

// Videos, calls, links and messages: what they are made of takes a worker with media programs.

let opened: ConsoleTools;
const tools = (): ConsoleTools => opened;

beforeAll(async () => {
  opened = await openConsole();
});
afterAll(() => opened.close());

contentJourneys(tools);
accessiblePages(tools, contentPaths);
