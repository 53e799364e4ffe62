import { readFile } from 'node:fs/promises';
import { PrismaPg } from '@prisma/adapter-pg';
import { bindMigrationAwareSqlAdapterFactory } from '@prisma/driver-adapter-utils';
import * as engine from '@prisma/schema-engine-wasm/schema_engine_bg';
import pg from 'pg';

/**
 * The DDL that Prisma itself would write for a schema, all tables in the Postgres schema `target`. Prisma's
 * own engine (its WebAssembly build) works it out, without a download; it asks the database for nothing but
 * its version.
 *
 * @param prismaSchema text of a schema.prisma whose models live in the Postgres schema `millrace`
 * @throws when Prisma refuses the schema, with its message
 */
export async function declaredDdl(
  databaseUrl: string,
  prismaSchema: string,
  target: string,
): Promise<string> {
  await loadEngine();
  const content = prismaSchema.replaceAll('"millrace"', JSON.stringify(target));
  const files = [{ path: 'schema.prisma', content }];
  // A pool of our own, since the engine has no way to close the one that its adapter would make.
  const pool = new pg.Pool({ connectionString: databaseUrl, max: 1 });
  try {
    const adapter = bindMigrationAwareSqlAdapterFactory(new PrismaPg(pool));
    const datamodels: [string, string][] = [['schema.prisma', content]];
    const schemaEngine = await engine.SchemaEngine.new({ datamodels }, () => undefined, adapter);
    const { stdout } = await schemaEngine.diff({
      from: { tag: 'empty' },
      to: { tag: 'schemaDatamodel', files },
      script: true,
      exitCode: null,
      filters: { externalTables: [], externalEnums: [] },
    });
    schemaEngine.free();
    return stdout ?? '';
  } finally {
    await pool.end();
  }
}

/** The part of WebAssembly's interface used here; the compiler knows it only from the browser's library. */
interface WasmLoader {
  instantiate(
    bytes: Uint8Array,
    imports: Record<string, unknown>,
  ): Promise<{ instance: { exports: { __wbindgen_start(): void } } }>;
}

let loaded: Promise<void> | undefined;

/**
 * The package's entry imports its .wasm as a module, which Node still calls experimental; so it is loaded by
 * hand.
 */
function loadEngine(): Promise<void> {
  loaded ??= (async () => {
    const wasmUrl = new URL(
      'schema_engine_bg.wasm',
      import.meta.resolve('@prisma/schema-engine-wasm/schema_engine_bg'),
    );
    const { WebAssembly } = globalThis as unknown as { WebAssembly: WasmLoader };
    const { instance } = await WebAssembly.instantiate(await readFile(wasmUrl), {
      './schema_engine_bg.js': engine,
    });
    engine.__wbg_set_wasm(instance.exports);
    instance.exports.__wbindgen_start();
  })();
  return loaded;
}
