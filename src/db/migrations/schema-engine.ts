import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { PrismaPg } from '@prisma/adapter-pg';
import {
  bindMigrationAwareSqlAdapterFactory,
  type ColumnType,
  ColumnTypeEnum,
  type SqlMigrationAwareDriverAdapterFactory,
} from '@prisma/driver-adapter-utils';
import type { SchemaEngine } from '@prisma/schema-engine-wasm';
import type pg from 'pg';

/** `cause` returns PostgreSQL's original error if a script failed. */
type OpenedEngine = { engine: SchemaEngine; cause(error: unknown): unknown };

type ScriptRunner = (to: pg.Pool, script: string) => Promise<unknown>;

const ONE_BYTE_CHAR_OID = 18;
const ONE_BYTE_CHAR_ARRAY_OID = 1002;

export const noExternals = { externalTables: [], externalEnums: [] };

/**
 * Opens Prisma's engine as WebAssembly, which needs neither a download nor a native program. Loading takes 100 ms and 5
 * MB of code, so callers open it only if there is work.
 * @param shadow pool on an empty database, needed to compare with the migrations
 * @param run runs the script of a migration
 */
export async function openEngine(
  pool: pg.Pool,
  shadow: pg.Pool = pool,
  run: ScriptRunner = (to, script) => to.query(script),
): Promise<OpenedEngine> {
  const bindings = await loadBindings();
  const first: { error?: unknown } = {};
  const boundFactory = bindMigrationAwareSqlAdapterFactory(createAdapter(pool, shadow, first, run));
  const engine = await bindings.SchemaEngine.new({ datamodels: undefined }, () => undefined, boundFactory);
  return { engine, cause: (error) => first.error ?? error };
}

/**
 * Sends scripts to PostgreSQL as a whole. The package's adapter splits them at every semicolon, which breaks function
 * bodies. The first error is stored, because the next statement in the transaction fails too and would only report that
 * the transaction is aborted.
 */
function createAdapter(
  pool: pg.Pool,
  shadow: pg.Pool,
  first: { error?: unknown },
  run: ScriptRunner,
): SqlMigrationAwareDriverAdapterFactory {
  // The adapter adds a listener for each migration, which could exceed the default limit.
  for (const item of [pool, shadow]) item.setMaxListeners(0);
  const connect = async (to: pg.Pool) => {
    const adapter = await new PrismaPg(proxyCatalogTypes(to)).connect();
    adapter.executeScript = async (script) => {
      await run(to, script).catch((error: unknown) => {
        first.error ??= error;
        throw error;
      });
    };
    const queryRaw = adapter.queryRaw.bind(adapter);
    adapter.queryRaw = async (query) => {
      const result = await queryRaw(query);
      return { ...result, columnTypes: result.columnTypes.map(toScalarType) };
    };
    return adapter;
  };
  const { provider, adapterName } = new PrismaPg(pool);
  return { provider, adapterName, connect: () => connect(pool), connectToShadowDb: () => connect(shadow) };
}

/**
 * PostgreSQL's catalog has columns of the one-byte type "char". The adapter rejects that type but accepts arrays of it,
 * which the engine never reads. So the columns are passed to the adapter under the array type.
 */
function proxyCatalogTypes(pool: pg.Pool): pg.Pool {
  const query = async (statement: pg.QueryArrayConfig) => {
    const result = await pool.query(statement);
    for (const field of result.fields)
      if (field.dataTypeID === ONE_BYTE_CHAR_OID) field.dataTypeID = ONE_BYTE_CHAR_ARRAY_OID;
    return result;
  };
  return new Proxy(pool, {
    get: (target, key) => (key === 'query' ? query : Reflect.get(target, key, target)),
  });
}

function toScalarType(type: ColumnType): ColumnType {
  return type === ColumnTypeEnum.CharacterArray ? ColumnTypeEnum.Character : type;
}

type Bindings = typeof import('@prisma/schema-engine-wasm/schema_engine_bg');

/** TypeScript's libraries for Node do not declare this API. */
type WebAssemblyApi = {
  instantiate(
    bytes: Uint8Array,
    imports: object,
  ): Promise<{ instance: { exports: { __wbindgen_start(): void } } }>;
};

let pendingBindings: Promise<Bindings> | null = null;

/** The package's entry point requires a bundler for its .wasm import, so the module is instantiated here. */
function loadBindings(): Promise<Bindings> {
  pendingBindings ??= instantiateBindings();
  return pendingBindings;
}

async function instantiateBindings(): Promise<Bindings> {
  const { WebAssembly } = globalThis as unknown as { WebAssembly: WebAssemblyApi };
  const bindings = await import('@prisma/schema-engine-wasm/schema_engine_bg');
  const entry = createRequire(import.meta.url).resolve('@prisma/schema-engine-wasm/schema_engine_bg');
  const binary = join(dirname(entry), 'schema_engine_bg.wasm');
  // The engine passes its panic message to this object. Without it, the panic handler itself would fail.
  Object.assign(globalThis, { PRISMA_WASM_PANIC_REGISTRY: { set_message: reportPanic } });
  const { instance } = await WebAssembly.instantiate(await readFile(binary), {
    './schema_engine_bg.js': bindings,
  });
  bindings.__wbg_set_wasm(instance.exports);
  instance.exports.__wbindgen_start();
  return bindings;
}

function reportPanic(message: string): void {
  process.stderr.write(`Prisma's migration engine failed: ${message}\n`);
}
