import { createRequire } from 'node:module';
import { PrismaPg } from '@prisma/adapter-pg';
import type * as Generated from './generated/prisma/client.ts';
import type { Database } from './pool.ts';
import { isTenantModel } from './tripwire.ts';

type PrismaClient = Generated.PrismaClient;

const require = createRequire(import.meta.url);

/**
 * Creates a read-only client for settings. It bypasses access rules, so records are read only through the record engine
 * (docs/adr/0001). The client takes about 60 MB, so it is loaded on first use.
 */
function createPrismaClient(db: Database) {
  const { PrismaClient } = require('./generated/prisma/client.ts') as typeof Generated;
  return new PrismaClient({ adapter: new PrismaPg(db.pool) }).$extends({
    query: {
      $allModels: {
        $allOperations: ({ model, operation, args, query }) =>
          db.withSlot(findWorkspaceId(args), async () =>
            convertBigInts(await query(assertScopedRead(model, operation, args))),
          ),
      },
    },
  });
}

/** Converts 64-bit ids to numbers in place. Ids stay below 2^53, where numbers are exact. */
function convertBigInts<T>(value: T): T {
  if (typeof value === 'bigint') return Number(value) as T;
  if (typeof value !== 'object' || value === null) return value;
  const members = value as Record<string, unknown>;
  for (const name in members) {
    const member = members[name];
    if (typeof member === 'bigint') members[name] = Number(member);
    else if (Array.isArray(member) || isPlainObject(member)) convertBigInts(member);
  }
  return value;
}

const isPlainObject = (value: unknown): boolean =>
  typeof value === 'object' && value !== null && Object.getPrototypeOf(value) === Object.prototype;

/**
 * Rejects reads of tenant tables without a workspace, and all writes, because only writes in `sql` statements are
 * announced.
 */
function assertScopedRead<T>(model: string, operation: string, args: T): T {
  if (!READ_OPERATIONS.test(operation))
    throw new Error(`Prisma ${operation} on ${model}: use Prisma only for reading`);
  const where = (args as { where?: Record<string, unknown> }).where ?? {};
  if (
    isTenantModel(model) &&
    !('workspace_id' in where) &&
    !Object.keys(where).some((key) => key.startsWith('workspace_id_'))
  ) {
    throw new Error(`Prisma query on ${model} without workspace_id`);
  }
  return args;
}

const READ_OPERATIONS = /^(find|count|aggregate|groupBy)/;

function findWorkspaceId(args: unknown): number {
  const where = (args as { where?: object }).where ?? {};
  for (const condition of [where, ...Object.values(where)]) {
    const id = (condition as { workspace_id?: unknown } | null)?.workspace_id;
    if (typeof id === 'number') return id;
  }
  return 0;
}

const clients = new WeakMap<Database, PrismaClient>();

export const hasPrisma = (db: Database): boolean => clients.has(db);

/** Returns the process's Prisma client, created on first use because most calls never need it. */
export function getPrisma(ctx: { runtime: { db: Database } }): PrismaClient {
  const db = ctx.runtime.db;
  let client = clients.get(db);
  if (!client) {
    // `$extends` returns a client of another type with the same models.
    client = createPrismaClient(db) as unknown as PrismaClient;
    clients.set(db, client);
  }
  return client;
}
