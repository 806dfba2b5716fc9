import { afterAll, beforeAll, expect, test } from 'vitest';
import { create, unlink } from '../../src/engine/write/write.ts';
import { limits } from '../../src/limits.ts';
import { type App, startApp } from '../harness/app.ts';
import { addContacts, runTool, switchMcp } from '../harness/facades/mcp.ts';

let app: App;
let longIds: number[];
const model = 'res.partner';
const fields = ['name', 'comment'];
const domain = [['name', 'like', 'Long ']];

const callValue = async (name: string, args: object) => {
  const { structuredContent, isError, content } = await runTool(app, app.main.admin.key, name, args);
  if (isError) throw new Error(content[0]!.text);
  expect(content[0]!.text.length).toBeLessThanOrEqual(limits.mcp.answerChars);
  return structuredContent;
};

beforeAll(async () => {
  app = await startApp();
  await switchMcp(app, app.main, true);
  const lines = Array.from({ length: 60 }, (_, i) => ({ name: `Long ${i}`, comment: 'x'.repeat(5_000) }));
  longIds = await create(app.main.ctx, model, lines);
});
afterAll(() => app?.close());

test.for([
  ['get', (ids: number[]) => ({ model, ids, fields })],
  ['call', (ids: number[]) => ({ model, method: 'read', ids, kwargs: { fields } })],
] as const)(
  '%s returns every existing record once if ids are missing and the pages are long',
  async ([name, buildArgs]) => {
    const missingIds = await create(app.main.ctx, model, [{ name: 'Gone' }, { name: 'Gone too' }]);
    await unlink(app.main.ctx, model, missingIds);
    const requestedIds = [
      missingIds[0]!,
      ...longIds.flatMap((id, i) => (i % 4 ? [id] : [missingIds[1]!, id])),
    ];
    const seen: number[] = [];
    for (let ids = requestedIds; ; ) {
      const page = await callValue(name, buildArgs(ids));
      const rows: { id: number }[] = page.records ?? page.result;
      expect([page._count, page.total]).toEqual([rows.length, page.has_more && ids.length]);
      seen.push(...rows.map(({ id }) => id));
      if (!page.has_more) break;
      ids = ids.slice(page.next_offset);
    }
    expect(seen).toEqual(longIds);
  },
);

test('ignores an unknown argument offset', async () => {
  const page = await callValue('get', { model, ids: longIds, fields, offset: 30 });
  expect(page).toMatchObject({ next_offset: page._count, total: 60, ignored_arguments: ['offset'] });
});

test('counts the rows of methods that return an object', async () => {
  await addContacts(app.main, 'Row', 620);
  const rowDomain = [['name', 'like', 'Row ']];
  const call = (method: string, args: unknown[]) => callValue('call', { model, method, args });
  expect(await call('web_search_read', [rowDomain, { name: {} }, 100])).toMatchObject({
    _count: 500,
    has_more: true,
    next_offset: 600,
    total: 620,
    result: { length: 620 },
  });
  const few = await call('web_search_read', [rowDomain, { name: {} }, 600]);
  expect([few._count, few.has_more]).toEqual([20, undefined]);
  expect(await call('web_search_read', [[['id', '=', 0]], {}])).toMatchObject({ _count: 0 });
  expect(await call('web_read_group', [rowDomain, ['name']])).toMatchObject({
    _count: 500,
    has_more: true,
    next_offset: 500,
    result: { length: 620 },
  });
  expect(await call('web_read_group', [rowDomain, ['active']])).toMatchObject({ _count: 1 });
  expect(await call('fields_get', [['name']])).toMatchObject({ _count: 1 });
  const exported = { model, method: 'export_data', ids: longIds.slice(0, 3), args: [['name']] };
  expect(await callValue('call', exported)).toMatchObject({ _count: 3 });
});

test('limits the rows of a result that maps ids to values', async () => {
  const ids = (await addContacts(app.main, 'Keyed', 620)).map(({ id }) => id).reverse();
  const read = (given: number[]) =>
    callValue('call', { model, method: 'get_external_id', ids: [...given, given[0]!] });
  const page = await read(ids);
  expect(page).toMatchObject({ _count: 500, has_more: true, next_offset: 500, total: 621 });
  const rest = await read(ids.slice(page.next_offset));
  expect([rest._count, rest.has_more]).toEqual([120, undefined]);
  expect(
    Object.keys({ ...page.result, ...rest.result })
      .map(Number)
      .sort(),
  ).toEqual(ids.sort());
});

test('does not report the number of records as the total of groups', async () => {
  const page = await callValue('call', {
    model,
    method: 'read_group',
    args: [[['name', 'like', 'Row ']], [], ['name']],
  });
  expect(page).toMatchObject({ _count: 500, has_more: true, next_offset: 500 });
  expect(page).not.toHaveProperty('total');
});

test('reports the total of a limited page', async () => {
  const page = await callValue('call', { model, method: 'search_read', args: [domain, fields, 0, 30] });
  expect(page).toMatchObject({ has_more: true, total: 60, next_offset: page._count });
  const grouped = await callValue('call', {
    model,
    method: 'web_search_read',
    args: [domain, { name: {}, comment: {} }, 10, 40],
  });
  expect(grouped).toMatchObject({ has_more: true, total: 60, next_offset: 10 + grouped._count });
  expect(grouped._count).toBe(grouped.result.records.length);
});

test('reports a large change as complete', async () => {
  const ids = (await addContacts(app.main, 'Many', 9_000)).map(({ id }) => id);
  const preview = await callValue('delete', { model, ids });
  expect(preview._count).toBe(0);
  expect(preview).not.toHaveProperty('next_offset');
  const deleted = await callValue('delete', { model, ids, confirm: true });
  expect(deleted).toMatchObject({ _count: 9_000, truncated: true });
  expect(deleted).not.toHaveProperty('has_more');
  const rows = Array.from({ length: 600 }, (_, n) => [`Loaded ${n}`]);
  const kwargs = { fields: ['name'], data: rows };
  const loaded = await callValue('call', { model, method: 'load', kwargs, confirm: true });
  expect(loaded).toMatchObject({ _count: 600, truncated: true });
  expect(loaded).not.toHaveProperty('has_more');
});
