import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { MAX_STORED_FILE_BYTES } from '../../src/engine/write/write.ts';
import { limits } from '../../src/limits.ts';
import { setUpApp } from '../harness/app.ts';
import { createJsonClient, json2 } from '../harness/facades/json2.ts';

const app = setUpApp();
const calls = createJsonClient(app);
let ids: number[];
const bytes = 3_000_000;
const file = randomBytes(bytes).toString('base64');
const { answerBytes } = limits.http;
const FITTING = 4;
const COUNT = 6 * FITTING;

beforeAll(async () => {
  Object.assign(limits.http, { answerBytes: (FITTING + 1) * file.length });
  const model = await calls.create('ir.model', { name: 'Film', model: 'x_film' });
  const field = { model_id: model, ttype: 'binary', field_description: 'File' };
  await calls.create('ir.model.fields', { ...field, name: 'x_file' });
  const [partners] = await calls.value('ir.model/search', { domain: [['model', '=', 'res.partner']] });
  await calls.create('ir.model.fields', {
    ...{ model_id: model, name: 'x_partner', field_description: 'Partner' },
    ...{ ttype: 'many2one', relation: 'res.partner' },
  });
  await calls.create('ir.model.fields', {
    ...{ model_id: partners, name: 'x_films', field_description: 'Films' },
    ...{ ttype: 'one2many', relation: 'x_film', relation_field: 'x_partner' },
  });
  ids = await calls.value('x_film/create', {
    vals_list: Array.from({ length: COUNT }, (_, n) => ({ x_name: `film ${n}` })),
  });
  await calls.value('x_film/write', { ids, vals: { x_file: file } });
});
afterAll(() => Object.assign(limits.http, { answerBytes }));

describe('files that exceed the response limit', () => {
  test('are rejected before they are encoded, by every method', async () => {
    const partner = await calls.create('res.partner', { name: 'Of films', x_films: [[6, 0, ids]] });
    const ways: [string, object][] = [
      ['x_film/read', { ids, fields: ['x_file'] }],
      ['x_film/search_read', { domain: [], fields: ['x_file'], limit: 500 }],
      ['x_film/web_read', { ids, specification: { x_file: {} } }],
      ['res.partner/web_read', { ids: [partner], specification: { x_films: { fields: { x_file: {} } } } }],
      ['x_film/copy', { ids }],
      ['x_film/export_data', { ids, fields_to_export: ['x_file'] }],
    ];
    const measureTime = async (run: () => Promise<unknown>): Promise<number> => {
      const startTime = performance.now();
      await run();
      return performance.now() - startTime;
    };
    // Each rejection must be faster than a full response with a sixth of the files, which shows that nothing is
    // encoded.
    const packed = await measureTime(async () => {
      const fitting = await calls.value('x_film/read', { ids: ids.slice(0, FITTING), fields: ['x_file'] });
      expect(fitting.every(({ x_file }: { x_file: string }) => x_file === file)).toBe(true);
    });
    for (const [path, body] of ways) {
      const ms = await measureTime(async () => {
        expect((await calls.expectError(422, path, body)).message, path).toContain('too large');
      });
      expect(ms, path).toBeLessThan(packed);
    }
    const sized = await calls.value('x_film/read', { ids, fields: ['x_file'], context: { bin_size: true } });
    expect(sized).toHaveLength(COUNT);
  });

  test('are streamed a few at a time by a list without a limit', async () => {
    const streamedIds = ids.slice(0, FITTING);
    const response = await fetch(`${app.url}/json/2/x_film/search_read`, {
      method: 'POST',
      headers: { authorization: `Bearer ${app.main.admin.key}`, 'content-type': 'application/json' },
      body: JSON.stringify({ domain: [['id', 'in', streamedIds]], fields: ['x_file'], order: 'id' }),
    });
    let length = 0;
    let first = '';
    for await (const chunk of response.body!) {
      if (first === '') first = Buffer.from(chunk).toString('latin1').slice(0, 40);
      length += chunk.length;
    }
    expect(response.status).toBe(200);
    expect(response.headers.get('content-length')).toBeNull();
    expect(first).toMatch(/^\[\{"id":\d+,"x_file":"/);
    expect(length).toBeGreaterThan(FITTING * file.length);
    expect(length).toBeLessThan(FITTING * (file.length + 100));
  });

  test('are rejected before any write if too many records would store them', async () => {
    const count = Math.floor(MAX_STORED_FILE_BYTES / bytes) + 1;
    const filmIds = await calls.value('x_film/create', {
      vals_list: Array.from({ length: count }, () => ({ x_name: 'many' })),
    });
    for (const model of ['x_film', 'res.partner']) {
      const records =
        model === 'x_film'
          ? filmIds
          : await calls.value('res.partner/create', { vals_list: filmIds.map(() => ({ name: 'many' })) });
      const field = model === 'x_film' ? 'x_file' : 'image_1920';
      const response = await calls.expectError(422, `${model}/write`, {
        ids: records,
        vals: { [field]: file },
      });
      expect(response.message).toContain('too large');
      expect(
        await calls.value(`${model}/search_count`, {
          domain: [
            ['id', 'in', records],
            [field, '!=', false],
          ],
        }),
      ).toBe(0);
    }
    expect((await json2(app, 'x_film/unlink', { ids: filmIds }, app.main.admin.key)).status).toBe(200);
  });
});
