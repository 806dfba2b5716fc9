import { beforeEach, expect, test, vi } from 'vitest';
import { MAX_SANITIZED_DEPTH, MAX_SANITIZED_TAGS } from '../../src/engine/value/sanitize-html.ts';
import { SANITIZED_SLICE_CHARS, SANITIZED_TEXT_COST } from '../../src/engine/write/html.ts';
import { setUpApp } from '../harness/app.ts';
import { createJsonClient } from '../harness/facades/json2.ts';
import { createScene } from '../rights/scene.ts';

/** Characters sanitized in this turn of the event loop, the maximum over all turns, and the original function. */
const loop = vi.hoisted(() => ({
  turn: 0,
  most: 0,
  threadCalls: 0,
  clean: (html: string, _where: string) => html,
}));

vi.mock('../../src/thread.ts', async (original) => {
  const real = await original<typeof import('../../src/thread.ts')>();
  const runInThread: typeof real.runInThread = (...args) => {
    loop.threadCalls++;
    return real.runInThread(...args);
  };
  return { ...real, runInThread };
});

vi.mock('../../src/engine/value/sanitize-html.ts', async (original) => {
  const real = await original<typeof import('../../src/engine/value/sanitize-html.ts')>();
  loop.clean = real.sanitizeFieldHtml;
  const sanitizeFieldHtml: typeof real.sanitizeFieldHtml = (html, where) => {
    if (loop.turn === 0)
      setImmediate(() => {
        loop.turn = 0;
      });
    loop.turn += html.length + SANITIZED_TEXT_COST;
    loop.most = Math.max(loop.most, loop.turn);
    return real.sanitizeFieldHtml(html, where);
  };
  return { ...real, sanitizeFieldHtml };
});

const app = setUpApp();
const scene = createScene(app);
const admin = createJsonClient(app);
beforeEach(() => {
  loop.most = 0;
  loop.threadCalls = 0;
});

/** Small enough for one turn, but ten copies are not. */
const html = '<a href="http://x/?a&b" onclick="x()">'.repeat(600);
const cleanHtml = () => loop.clean(html, 'x');
const repeatTen = <T>(fn: (index: number) => T): T[] => Array.from({ length: 10 }, (_, index) => fn(index));

const readComments = async (ids: number[]) =>
  (await admin.value('res.partner/read', { ids, fields: ['comment'] })).map(
    ({ comment }: { comment: string }) => comment,
  );
const expectBounded = () => expect(loop.most).toBeLessThanOrEqual(SANITIZED_SLICE_CHARS);

test('detects HTML that is sanitized on the event loop', async () => {
  const id = await admin.create('res.partner', { name: 'one', comment: html });
  expect(await readComments([id])).toEqual([cleanHtml()]);
  expect(loop.most).toBe(html.length + SANITIZED_TEXT_COST);
});

test('sanitizes created records only once, in short steps', async () => {
  const ids = await admin.value('res.partner/create', {
    vals_list: repeatTen(() => ({ name: 'a', comment: html })),
  });
  expect(await readComments(ids)).toEqual(repeatTen(cleanHtml));
  expectBounded();
  expect(loop.threadCalls).toBe(1);
});

test('sanitizes a context default only once', async () => {
  const ids = await admin.value('res.partner/create', {
    vals_list: repeatTen(() => ({ name: 'a' })),
    context: { default_comment: html },
  });
  expect(await readComments(ids)).toEqual(repeatTen(cleanHtml));
  expectBounded();
});

test('sanitizes an import in short steps, for new and existing records', async () => {
  const fields = ['id', 'name', 'comment'];
  const load = (text: string) =>
    admin.value('res.partner/load', {
      fields,
      data: repeatTen((index) => [`html.n${index}`, `n${index}`, `${text}<i>${index}</i>`]),
    });
  const { ids, messages } = await load(html);
  expect(messages).toEqual([]);
  expect(await readComments(ids)).toEqual(repeatTen((index) => loop.clean(`${html}<i>${index}</i>`, 'x')));
  expect((await load(`${html}<b>b</b>`)).ids).toEqual(ids);
  expect(await readComments(ids)).toEqual(
    repeatTen((index) => loop.clean(`${html}<b>b</b><i>${index}</i>`, 'x')),
  );
  expectBounded();
});

test('sanitizes an import of many small values in short steps', async () => {
  const data = Array.from({ length: 2_600 }, () => ['n', '<b onclick="x()">x</b>']);
  const { ids } = await admin.value('res.partner/load', {
    fields: ['name', 'comment'],
    data,
  });
  expect(new Set(await readComments(ids))).toEqual(new Set(['<b>x</b>']));
  expectBounded();
});

test('names the record whose HTML is rejected in an import', async () => {
  const deep = '<div>'.repeat(MAX_SANITIZED_DEPTH + 1);
  const load = (text: string) =>
    admin.value('res.partner/load', {
      fields: ['name', 'comment'],
      data: repeatTen((index) => ['n', index === 7 ? text : html]),
    });
  const message = `Wrong value for res.partner.comment: the HTML`;
  expect(await load(deep)).toMatchObject({
    ids: false,
    messages: [{ record: 7, message: `${message} is nested more than ${MAX_SANITIZED_DEPTH} levels deep` }],
  });
  expect(await load('<'.repeat(MAX_SANITIZED_TAGS + 1))).toMatchObject({
    messages: [
      { record: 7, field: 'comment', message: `${message} has more than ${MAX_SANITIZED_TAGS} tags` },
    ],
  });
  expectBounded();
});

test('rejects an import without the create right before sanitizing', async () => {
  const { expectError } = await scene.addPerson('reader');
  const table = { fields: ['name', 'comment'], data: repeatTen(() => ['n', html]) };
  const { message } = await expectError(403, 'res.partner/load', table);
  expect(message).toMatch(/not allowed to create/);
  expect(loop.most).toBe(0);
});

async function createProject(definitions: object[]): Promise<number> {
  return admin.create('project.project', { name: 'P', task_properties_definition: definitions });
}

test('sanitizes HTML properties in short steps', async () => {
  const project_id = await createProject([{ name: 'h1', type: 'html', string: 'H' }]);
  const readProperty = async (ids: number[]) =>
    (
      await admin.value('project.task/read', {
        ids,
        fields: ['task_properties'],
      })
    ).map((row: { task_properties: { value: string }[] }) => row.task_properties[0]!.value);
  const ids = await admin.value('project.task/create', {
    vals_list: repeatTen((index) => ({
      name: 't',
      project_id,
      task_properties: index % 2 ? { h1: html } : [{ name: 'h1', type: 'html', value: html }],
    })),
  });
  expect(await readProperty(ids)).toEqual(repeatTen(cleanHtml));
  const taskIds = await admin.value('project.task/create', {
    vals_list: repeatTen(() => ({ name: 't', project_id })),
    context: { default_task_properties: { h1: `${html}<i>d</i>` } },
  });
  expect(await readProperty(taskIds)).toEqual(repeatTen(() => loop.clean(`${html}<i>d</i>`, 'x')));
  expectBounded();
});

test('sanitizes definitions with HTML defaults in short steps', async () => {
  const names = repeatTen((index) => `h${index}`);
  const project = await createProject(
    names.map((name) => ({ name, type: 'html', string: 'H', default: html })),
  );
  const [row] = await admin.value('project.project/read', {
    ids: [project],
    fields: ['task_properties_definition'],
  });
  expect(row.task_properties_definition.map((item: { default: string }) => item.default)).toEqual(
    repeatTen(cleanHtml),
  );
  expectBounded();
});
