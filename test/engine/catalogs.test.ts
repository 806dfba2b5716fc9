import { afterEach, expect, test, vi } from 'vitest';
import { loadCatalog } from '../../schema/base/ir/catalog-load.ts';
import type { Database } from '../../src/db/pool.ts';
import { type Catalog, createCatalogs, emptyCatalog } from '../../src/engine/ctx/catalog.ts';
import { limits } from '../../src/limits.ts';
import { startApp } from '../harness/app.ts';

afterEach(() => vi.useRealTimers());

/** Catalogs that count how often each is read. */
function counting(make: (none: Catalog) => Catalog) {
  const read: number[] = [];
  const none = emptyCatalog(new Map());
  const catalogs = createCatalogs(null as unknown as Database, new Map(), async (_db, _registry, id) => {
    read.push(id);
    return make(none);
  });
  catalogs.keep(true);
  return { catalogs, read };
}

test('rights of a workspace are read again after a while, although nothing was heard of a change', async () => {
  vi.useFakeTimers({ toFake: ['Date'] });
  const { catalogs, read } = counting((none) => none);
  await catalogs.of(1);
  vi.setSystemTime(Date.now() + limits.identity.catalogAge - 1);
  await catalogs.of(1);
  expect(read).toEqual([1]);
  vi.setSystemTime(Date.now() + 1);
  await catalogs.of(1);
  expect(read).toEqual([1, 1]);
});

test('catalogs are kept within a number of bytes; those used longest ago go first', async () => {
  const companies = new Set(Array.from({ length: 100_000 }, (_, id) => id));
  const { catalogs, read } = counting((none) => ({ ...none, companies }));
  const most = Math.floor(limits.identity.catalogBytes / (100 * companies.size));
  for (let id = 1; id <= most; id++) await catalogs.of(id);
  await catalogs.of(1);
  expect(read).toHaveLength(most);
  for (let id = most + 1; id <= most + 3; id++) await catalogs.of(id);
  read.length = 0;
  await catalogs.of(1);
  expect(read).toEqual([]);
  await catalogs.of(2);
  expect(read).toEqual([2]);
});

test('what two workspaces have in common is in memory once', async () => {
  const app = await startApp();
  try {
    const other = await app.tenant('other');
    const { db, registry } = app.runtime;
    const ids = [app.main.ctx.workspace.id, other.ctx.workspace.id];
    const [one, two] = await Promise.all(ids.map((id) => loadCatalog(db, registry, id)));
    const [mine, theirs] = [one, two].map((each) => [...each!.rights.values()].flat());
    expect(mine!.length).toBeGreaterThan(100);
    expect(mine!.map(({ name }) => name).sort()).toEqual(theirs!.map(({ name }) => name).sort());
    const sets = new Set([...mine!, ...theirs!].map(({ operations }) => operations));
    expect(sets.size).toBeLessThanOrEqual(16);
    const texts = (catalog: Catalog) => [...catalog.rules.values()].flat().map(({ text }) => text);
    expect(texts(one!).length).toBeGreaterThan(0);
    expect(new Set([...texts(one!), ...texts(two!)]).size).toBe(new Set(texts(one!)).size);
  } finally {
    await app.close();
  }
});
