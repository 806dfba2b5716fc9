import { rmSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type CopiedTree, copyTree } from './harness/copied-tree.ts';
import { createSeededDatabase, type SeededDatabase } from './harness/database.ts';
import { startProcess } from './harness/process.ts';
import { SECRET_KEY } from './harness/tenant.ts';

let tree: CopiedTree;
let database: SeededDatabase;
beforeAll(async () => {
  tree = copyTree();
  rmSync(join(tree.root, 'dist'), { recursive: true, force: true });
  database = await createSeededDatabase();
});
afterAll(async () => {
  tree.remove();
  await database.drop();
});

const setUp = () => tree.node('scripts/setup.mjs', ['--no-install'], { WEB: 'off' });

test('serves pages, files and large bodies from the bundle', { timeout: 120_000 }, async () => {
  expect(await setUp()).toBe('setup: bundling the server …\n');
  // The process could not start from source.
  rmSync(join(tree.root, 'boot/start.ts'));
  const app = await startProcess({ DATABASE_URL: database.url, SECRET_KEY, WEB: 'off' }, tree.root);
  try {
    const get = async (path: string) => {
      const response = await fetch(app.url + path);
      return [response.status, (await response.text()).length > 500];
    };
    for (const path of ['/login', '/doc', '/api/v1/ui', '/api/v1/ui/swagger-ui.css'])
      expect([path, ...(await get(path))]).toEqual([path, 200, true]);
    const { key } = database.people.admin;
    const names = Array.from({ length: 5_000 }, (_, index) => `a long name that is one of many ${index}`);
    const response = await fetch(`${app.url}/json/2/res.partner/search_count`, {
      method: 'POST',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      body: JSON.stringify({ domain: [['name', 'in', names]] }),
    });
    expect(await response.json()).toBe(0);
  } finally {
    await app.end('SIGTERM');
  }
});

test('is used unless a source file is newer', async () => {
  writeFileSync(join(tree.root, 'dist/start.mjs'), 'export const start = () => console.log("bundled");');
  writeFileSync(join(tree.root, 'boot/start.ts'), 'export const start = () => console.log("from source");');
  const setNewer = (path: string, seconds: number) =>
    utimesSync(join(tree.root, path), new Date(), new Date(Date.now() + seconds * 1000));
  setNewer('dist/start.mjs', 10);
  expect(await tree.node('boot/main.mjs')).toBe('bundled\n');
  setNewer('src/limits.ts', 20);
  expect(await tree.node('boot/main.mjs')).toBe('from source\n');
});

test('is built again only after a change', async () => {
  expect(await setUp()).toBe('setup: bundling the server …\n');
  expect(await setUp()).toBe('');
});
