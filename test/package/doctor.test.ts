import { execFileSync } from 'node:child_process';
import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { checkAutovacuum, checkClock, checkDurability, checkVersion } from '../../src/cli/doctor/database.ts';
import { type Finding, worstOf } from '../../src/cli/doctor/finding.ts';
import { checkDisk, checkNode } from '../../src/cli/doctor/machine.ts';
import { judgeEncoders } from '../../src/cli/doctor/media.ts';
import { judgeNotifications } from '../../src/cli/doctor/notifications.ts';
import { checkOcr } from '../../src/cli/doctor/ocr.ts';
import type { ServerFactsRow } from '../../src/db/sql/doctor/read-server-facts.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';
import { startLossyProxy } from '../support/lossy-proxy.ts';
import { systemOcr } from '../support/ocr-bench.ts';
import { startProgram } from '../support/program.ts';

let database: TestDatabase;
let superuser: pg.Client;
let folder: string;
beforeAll(async () => {
  database = await createTestDatabase();
  superuser = new pg.Client({ connectionString: database.url });
  await superuser.connect();
  folder = await mkdtemp(join(tmpdir(), 'millrace-test-doctor-'));
});
afterAll(async () => {
  await superuser.end();
  await database.drop();
  await rm(folder, { recursive: true, force: true });
});

interface Report {
  readonly code: number | null;
  readonly verdict: string;
  readonly findings: Readonly<Record<string, Finding>>;
}

async function doctor(env: Readonly<Record<string, string>>): Promise<Report> {
  const program = startProgram('src/main.ts', ['doctor', '--json'], { MILLRACE_DATA_DIR: folder, ...env });
  const code = await program.ended();
  const { verdict, findings } = JSON.parse(
    program.stdout() || `{"said":${JSON.stringify(program.stderr())}}`,
  );
  return {
    code,
    verdict,
    findings: Object.fromEntries(findings.map((finding: Finding) => [finding.check, finding])),
  };
}

describe('the doctor', () => {
  test('finds nothing to fail on a migrated database, and warns of a superuser', async () => {
    const { code, verdict, findings } = await doctor({ DATABASE_URL: database.url });
    const failed = Object.values(findings).filter((finding) => finding.verdict === 'fail');
    expect({ code, failed }).toEqual({ code: 0, failed: [] });
    expect(verdict).toBe('warn');
    expect(findings['login']).toMatchObject({
      verdict: 'warn',
      message: expect.stringContaining('superuser'),
    });
    for (const check of ['node', 'postgres', 'migrations', 'roles', 'row-security', 'storage', 'ocr'])
      expect(findings[check]).toMatchObject({ check, verdict: 'ok' });
    // A busy machine hears it late, which the doctor warns of.
    expect(findings['notifications']).toMatchObject({
      verdict: expect.stringMatching(/^(ok|warn)$/),
      message: expect.stringMatching(/^NOTIFY arrives after \d/),
    });
  });

  test('finds everything that is broken at once, each with what to do', async () => {
    await superuser.query('alter table millrace.videos no force row level security');
    await superuser.query(`alter database ${database.name} set synchronous_commit = off`);
    await superuser.query(`delete from public._prisma_migrations where migration_name like '%_baseline'`);
    await superuser.query(`update public._millrace_routines set checksum = 'old' where name = 'claim_jobs'`);
    await superuser.query('alter function millrace.settle_runs reset plan_cache_mode');
    await superuser.query(
      `insert into public._millrace_routines values ('function', 'removed', 'a/b.sql', '', '')`,
    );
    await writeFile(join(folder, 'a-file'), '');
    const proxy = await startLossyProxy(database.url);
    proxy.set('deafen');
    try {
      const { code, verdict, findings } = await doctor({
        DATABASE_URL: database.url,
        MILLRACE_LISTEN_URL: proxy.url,
        MILLRACE_ROLE_PREFIX: 'nobody_made_these',
        MILLRACE_STORAGE_DIR: join(folder, 'a-file'),
        MILLRACE_HANDLERS: join(folder, 'nowhere'),
        FFMPEG_PATH: '/nonexistent/ffmpeg',
      });
      expect([code, verdict]).toEqual([1, 'fail']);
      const broken: readonly (readonly [string, string, RegExp])[] = [
        ['row-security', 'fail', /videos \(not forced\)/],
        ['durability', 'warn', /synchronous_commit=off/],
        [
          'migrations',
          'fail',
          /pending: \S*_baseline, claim\/claim_jobs\.sql; changed in the database: settle\/settle_runs\.sql, access\/row_security\.policy\.sql; to be dropped: function removed/,
        ],
        ['notifications', 'fail', /did not hear its own notification/],
        ['roles', 'fail', /nobody_made_these_api is missing/],
        ['storage', 'fail', /a-file/],
        ['handlers', 'fail', /there is nothing at/],
        ['ffmpeg', 'fail', /FFMPEG_PATH/],
        ['encoders', 'skip', /no usable ffmpeg/],
      ];
      for (const [check, is, message] of broken)
        expect(findings[check]).toMatchObject({ verdict: is, message: expect.stringMatching(message) });
      const withoutFix = Object.values(findings).filter(
        (finding) => ['warn', 'fail'].includes(finding.verdict) && finding.fix === null,
      );
      expect(withoutFix).toEqual([]);
    } finally {
      await proxy.close();
    }
  });

  test('says of a database that is away that it is, and looks at the rest', async () => {
    const { code, findings } = await doctor({ DATABASE_URL: 'postgres://nobody@127.0.0.1:1/nothing' });
    expect(code).toBe(1);
    expect(findings['postgres']).toMatchObject({
      verdict: 'fail',
      message: expect.stringContaining('ECONNREFUSED'),
    });
    expect(findings['notifications']).toMatchObject({ verdict: 'skip' });
    expect(findings['storage']).toMatchObject({ verdict: 'ok' });
  });

  test('says which setting is wrong, and that no database is known', async () => {
    const wrong = await doctor({ MILLRACE_CONCURRENCY: 'many' });
    expect(wrong.code).toBe(1);
    expect(wrong.findings['configuration']?.message).toContain('MILLRACE_CONCURRENCY: "many" is not allowed');
    const none = await doctor({});
    expect(none.code).toBe(0);
    expect(none.findings['postgres']).toMatchObject({ verdict: 'warn' });
  });

  test('prints a line for each check, for people', async () => {
    const program = startProgram('src/main.ts', ['doctor'], { MILLRACE_DATA_DIR: folder });
    await program.ended();
    expect(program.stdout()).toMatch(/^ok {3}node {10}v\d+/m);
    expect(program.stdout()).toMatch(/^warn postgres {6}DATABASE_URL is not set.*\n +→ Set DATABASE_URL/m);
    expect(program.stdout()).toMatch(/^\d+ ok, \d+ warnings?, 0 failed, \d+ skipped$/m);
  });
});

describe('what a check makes of', () => {
  const facts = {
    ...{ version: '18.1', version_number: 180_001, fsync: 'on', full_page_writes: 'on' },
    ...{ synchronous_commit: 'on', autovacuum: 'on', track_counts: 'on' },
  } as ServerFactsRow;

  test.each<[string, Finding | Promise<Finding>, Finding['verdict']]>([
    ['Node 24', checkNode('v24.1.0'), 'ok'],
    ['Node 22.18', checkNode('v22.18.0'), 'ok'],
    ['Node 22.17', checkNode('v22.17.9'), 'fail'],
    ['Node 20', checkNode('v20.19.0'), 'fail'],
    ['Postgres 17', checkVersion({ ...facts, version: '17.6', version_number: 170_006 }), 'fail'],
    ['a clock that agrees', checkClock(-40), 'ok'],
    ['a clock 3 s behind', checkClock(-3_000), 'warn'],
    ['a clock 10 minutes ahead', checkClock(600_000), 'warn'],
    ['fsync off', checkDurability({ ...facts, fsync: 'off' }), 'warn'],
    ['autovacuum off', checkAutovacuum({ ...facts, autovacuum: 'off' }), 'warn'],
    ['track_counts off', checkAutovacuum({ ...facts, track_counts: 'off' }), 'warn'],
    ['a quick notification', judgeNotifications(3), 'ok'],
    ['a slow notification', judgeNotifications(250), 'warn'],
    ['a full disk', checkDisk('.', async () => 1024 ** 2), 'fail'],
    ['little room', checkDisk('.', async () => 1024 ** 3), 'warn'],
    ['room enough', checkDisk('.', async () => 1024 ** 4), 'ok'],
    ['a folder that is not there yet', checkDisk(join(tmpdir(), 'not', 'there')), 'ok'],
    ['an ffmpeg without x264', judgeEncoders(' A..... aac   AAC\n VFS... mjpeg  MJPEG\n'), 'fail'],
    ['an ffmpeg with all', judgeEncoders(' V..... libx264 H\n A..... aac  A\n VFS... mjpeg M\n'), 'ok'],
  ])('%s', async (_, finding, verdict) => {
    expect((await finding).verdict).toBe(verdict);
  });

  // Without a search path it is the package of npm, which is always there.
  const npm = { tesseractPath: null, searchPath: null };
  test.each([
    [{ ...npm, languages: ['eng', 'deu'] }, 'ok', /^tesseract\.js 7.*eng/],
    [{ ...npm, languages: null }, 'ok', /videos that name none are read in eng, deu, fra$/],
    [{ ...npm, languages: ['eng', 'chi_sim'] }, 'warn', /MILLRACE_OCR_LANGUAGES also has chi_sim,/],
    [
      { ...npm, tesseractPath: '/nonexistent/tesseract', languages: ['eng'] },
      'fail',
      /TESSERACT_PATH is "\/nonexistent/,
    ],
  ])('the reader of texts: %o', async (options, verdict, message) => {
    expect(await checkOcr(options)).toMatchObject({ verdict, message: expect.stringMatching(message) });
  });

  test('a reader with English data alone: a warning that names what it misreads, but where that was asked for', async (context) => {
    const { path } = await systemOcr(context, 'eng');
    const listed = execFileSync(path ?? '', ['--list-langs'], {
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    const data = /"([^"]+)"/.exec(listed)?.[1] ?? '';
    const english = join(folder, 'tessdata');
    await mkdir(english);
    await symlink(join(data, 'eng.traineddata'), join(english, 'eng.traineddata'));
    const tesseractPath = join(folder, 'tesseract');
    await writeFile(tesseractPath, `#!/bin/sh\nTESSDATA_PREFIX='${english}' exec '${path}' "$@"\n`, {
      mode: 0o755,
    });
    const options = { tesseractPath, searchPath: null };
    const finding = await checkOcr({ ...options, languages: null });
    expect(finding).toMatchObject({ verdict: 'warn', message: expect.stringContaining('(Müller, Émile)') });
    expect(finding.fix).toContain('tesseract-ocr-deu tesseract-ocr-fra');
    expect(await checkOcr({ ...options, languages: ['eng'] })).toMatchObject({ verdict: 'ok' });
  });

  test('several: the worst counts, a skipped one does not', () => {
    const finding = (verdict: Finding['verdict']): Finding => ({
      check: 'x',
      verdict,
      message: '',
      fix: null,
    });
    expect(worstOf([finding('ok'), finding('skip')])).toBe('ok');
    expect(worstOf([finding('warn'), finding('ok')])).toBe('warn');
    expect(worstOf([finding('fail'), finding('warn')])).toBe('fail');
  });
});
