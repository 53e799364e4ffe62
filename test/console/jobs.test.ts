import { afterAll, beforeAll } from 'vitest';
import { belowAPath } from './below-a-path.ts';
import { jobPage } from './job-page.ts';
import { journeys } from './journeys.ts';
import { type ConsoleTools, openConsole } from './opened-console.ts';
import { operatorPages } from './operator-pages.ts';
import { outage } from './outage.ts';
import { pageStates } from './page-states.ts';
import { accessiblePages, firstLoad, operatorPaths } from './pages.ts';
import { requests } from './requests.ts';
import { restingTab } from './resting-tab.ts';
import { served } from './served.ts';
import { settings } from './settings.ts';
import { signingIn } from './signing-in.ts';
import { states } from './states.ts';

// One server, one worker and one browser for all of them. In their order: the pages are looked at with what
// the journeys have made.

let opened: ConsoleTools;
const tools = (): ConsoleTools => opened;

beforeAll(async () => {
  opened = await openConsole();
});
afterAll(() => opened.close());

served(tools);
signingIn(tools);
journeys(tools);
jobPage(tools);
operatorPages(tools);
requests(tools);
settings(tools);
outage(tools);
states(tools);
pageStates(tools);
restingTab(tools);
belowAPath(tools);
accessiblePages(tools, operatorPaths);
firstLoad(tools);
