import { renderGraphiQL } from '@graphql-yoga/render-graphiql';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { PAGE_REPAIRS, repairPage } from '../../src/graphql/graphiql-repairs.ts';
import { EXAMPLE_TABS } from '../../src/graphql/graphiql-tabs.ts';
import { startTestApi, type TestApi } from '../support/api.ts';
import { openBrowser } from '../support/browser.ts';
import { waitFor } from '../support/wait.ts';

let api: TestApi;
let token: string;
let browser: Browser;
let context: BrowserContext | undefined;

beforeAll(async () => {
  api = await startTestApi();
  browser = await openBrowser({ isShared: true });
  token = await api.token(await api.makeTenant(), 'tenant_admin');
});
afterEach(async () => {
  await context?.close();
  context = undefined;
});
afterAll(async () => {
  await browser?.close();
  await api.close();
});

const titles = EXAMPLE_TABS.map(
  ({ query }) => /^(?!#).*(?:query|subscription|mutation)\s+(\w+)/m.exec(query)?.[1] ?? '',
);

/** What the page has sent. */
const asked: string[] = [];

/** A page of a browser that was never here before. */
async function openPage(search = '', fragment = `#token=${token}`): Promise<Page> {
  context = await browser.newContext({ viewport: { width: 1280, height: 800 } });
  const page = await context.newPage();
  page.on('request', (request) => asked.push(request.postData() ?? ''));
  asked.length = 0;
  await page.goto(`${api.server.graphqlUrl}${search}${fragment}`);
  await settled(page);
  return page;
}

/** The editor is there, and the schema. */
async function settled(page: Page): Promise<void> {
  await page.waitForSelector('.graphiql-query-editor .view-line');
  await page.waitForSelector('.graphiql-spinner', { state: 'detached' });
}

const normal = (text: string | null): string => (text ?? '').replaceAll(/\s/g, '');
/** What the editor shows: monaco draws spaces that do not break, and only the lines in sight. */
const editorText = async (page: Page): Promise<string> =>
  normal(await page.locator('.graphiql-query-editor .view-lines').textContent());
const resultText = async (page: Page): Promise<string> =>
  normal(await page.locator('.result-window .view-lines').textContent());
const tabTitles = (page: Page): Promise<string[]> => page.locator('.graphiql-tab-button').allTextContents();
const activeTab = (page: Page): Promise<string | null> =>
  page.locator('.graphiql-tab-active .graphiql-tab-button').textContent();

/** The pointer goes there, the button goes down and comes up, as a hand does it. */
async function clickWithMouse(page: Page, selector: string): Promise<void> {
  const box = await page.locator(selector).boundingBox();
  if (box === null) throw new Error(`${selector} is not in sight`);
  await page.mouse.move(box.x + box.width / 3, box.y + box.height / 2, { steps: 4 });
  await page.mouse.down();
  // What the press has changed is drawn before the button comes up.
  await page.evaluate('new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))');
  await page.mouse.up();
}

/** Puts a document into the editor by the keyboard. */
async function typeQuery(page: Page, query: string): Promise<void> {
  await page.locator('.graphiql-query-editor .view-lines').click();
  await page.keyboard.press('ControlOrMeta+A');
  await page.keyboard.press('Delete');
  await page.keyboard.insertText(query);
}

const addressed = (page: Page) => new URL(page.url()).searchParams.get('query');

test('every repair of the page fits the version of the package that is installed', () => {
  const missing: string[] = [];
  repairPage(renderGraphiQL({}), (what) => missing.push(what));
  expect(missing).toEqual([]);
  expect(PAGE_REPAIRS.length).toBeGreaterThan(0);
});

test('the first click of the mouse on a tab selects it, whichever it is; no line is cut, and no icon has a name without a meaning', async () => {
  const page = await openPage();
  expect(await tabTitles(page)).toEqual(titles);
  for (const n of [...titles.keys()].slice(1).concat(0)) {
    const title = titles[n] ?? '';
    await clickWithMouse(page, `#graphiql-session-tab-${n}`);
    await waitFor(async () => (await activeTab(page)) === title, {
      describe: `the tab ${title} after one click`,
    });
    await waitFor(async () => (await editorText(page)).includes(normal(title)), {
      describe: `the document of ${title}`,
    });
    const { width, needed } = await page.evaluate<{ width: number; needed: number }>(`(() => {
      const lines = [...document.querySelectorAll('.graphiql-query-editor .view-line > span')];
      const editor = document.querySelector('.graphiql-query-editor .lines-content').parentElement;
      return { width: editor.clientWidth, needed: Math.max(...lines.map((line) => line.getBoundingClientRect().width)) };
    })()`);
    expect(needed, title).toBeLessThanOrEqual(width);
  }
  const named = await page.evaluate<string[]>(
    `[...document.querySelectorAll('svg title')].map((title) => title.textContent)`,
  );
  expect(named.filter((name) => / icon$/.test(name))).toEqual([]);
  const nameless = await page.evaluate<string[]>(
    `[...document.querySelectorAll('.graphiql-container button')]
      .filter((button) => !(button.getAttribute('aria-label') ?? button.title ?? '') && !button.textContent.trim())
      .map((button) => button.className)`,
  );
  expect(nameless).toEqual([]);
});

test('what is typed stands in the address, and is there after a reload, which opens no tab beside', async () => {
  const page = await openPage();
  await page.reload();
  await settled(page);
  expect(await tabTitles(page)).toEqual(titles);
  expect(await activeTab(page)).toBe('Viewer');

  await typeQuery(page, 'query Mine { viewer { role } }');
  await waitFor(() => addressed(page) === 'query Mine { viewer { role } }', { describe: 'the address' });
  const answer = await page.reload();
  expect([answer?.status(), answer?.headers()['content-type']]).toEqual([200, 'text/html; charset=utf-8']);
  await settled(page);
  expect(await editorText(page)).toBe(normal('query Mine { viewer { role } }'));
  expect(await tabTitles(page)).toEqual(['Mine', ...titles.slice(1)]);

  await clickWithMouse(page, '#graphiql-session-tab-2');
  await waitFor(async () => (await activeTab(page)) === 'Jobs', { describe: 'the third tab' });
  await waitFor(() => addressed(page)?.includes('query Jobs') === true, { describe: 'its address' });
  await page.reload();
  await settled(page);
  expect(await activeTab(page)).toBe('Jobs');
  expect(await tabTitles(page)).toEqual(['Mine', ...titles.slice(1)]);

  await clickWithMouse(page, '.graphiql-execute-button');
  await waitFor(async () => (await resultText(page)).includes('"pageInfo"'), {
    describe: 'a result with the token that the tab has kept',
  });
  expect(page.url()).not.toContain(token.slice(0, 20));
});

test('a link shows its document and variables to somebody else, and runs nothing until they say so', async () => {
  const link = new URLSearchParams({
    query: 'query Shared($first: Int) { jobs(first: $first) { nodes { id } } }',
    variables: '{ "first": 3 }',
  });
  const page = await openPage(`?${link}`);
  expect(await activeTab(page)).toBe('Shared');
  expect(await editorText(page)).toBe(normal(link.get('query')));
  expect(asked.filter((body) => body.includes('Shared'))).toEqual([]);
  await page.keyboard.press('Escape');
  await page.locator('.graphiql-query-editor .view-lines').click();
  await page.keyboard.press('ControlOrMeta+Enter');
  await waitFor(async () => (await resultText(page)).includes('"nodes":[]'), {
    describe: 'the result',
  });
  expect(asked.filter((body) => body.includes('Shared'))).toEqual([expect.stringContaining('"first":3')]);
});

test('what was run is in the history', async () => {
  const page = await openPage('?query=query+Kept+%7B+viewer+%7B+name+%7D+%7D');
  await clickWithMouse(page, '.graphiql-execute-button');
  await waitFor(async () => (await resultText(page)).includes('"viewer"'), {
    describe: 'a result',
  });
  await clickWithMouse(page, 'button[aria-label*="History"]');
  await page.waitForSelector('.graphiql-history-item');
  expect(await page.locator('.graphiql-history-item').allTextContents()).toEqual(['Kept']);
  await typeQuery(page, 'query Other { viewer { role } }');
  await waitFor(() => addressed(page)?.includes('Other') === true, { describe: 'another document' });
  await clickWithMouse(page, '.graphiql-history-item-label');
  await waitFor(async () => (await editorText(page)).includes('queryKept'), {
    describe: 'the document again',
  });
});

test('a token that is typed into the headers is sent, and stored nowhere but there', async () => {
  const page = await openPage('', '');
  await page.locator('.graphiql-editor-tool .view-lines').last().click();
  await page.keyboard.press('ControlOrMeta+A');
  await page.keyboard.press('Delete');
  await page.keyboard.insertText(JSON.stringify({ Authorization: `Bearer ${token}` }));
  await clickWithMouse(page, '.graphiql-execute-button');
  await waitFor(async () => (await resultText(page)).includes('"TENANT_ADMIN"'), {
    describe: 'a result',
  });
  await waitFor(() => page.evaluate(`localStorage.getItem('graphiql:queries') !== null`), {
    describe: 'the history to be stored',
  });
  await page.reload();
  await settled(page);
  const stored = await page.evaluate<string>(`JSON.stringify({ ...localStorage, ...sessionStorage })`);
  expect(stored).toContain('query Viewer');
  expect(stored).not.toContain(token.slice(-20));
  expect(page.url()).not.toContain(token.slice(-20));
});
