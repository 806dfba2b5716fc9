import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { expect, test } from 'vitest';
import { setUpTeam } from '../harness/facades/rest.ts';

const team = setUpTeam();

const upload = (csv: string | Uint8Array, bookId: string, type = 'text/csv') =>
  team.ask('POST', `/api/v1/contactBooks/${bookId}/contacts/import`, {
    body: csv,
    headers: { 'content-type': type },
  });

const buildPeople = (count: number) => {
  const rows = Array.from(
    { length: count },
    (_, i) =>
      `person${i}@example.net,First ${i},Last ${i},plan-${i % 7},"some, longer text about number ${i}"`,
  );
  return `email,firstName,lastName,plan,notes\n${rows.join('\n')}\n`;
};

/** Each measurement stops the import for about 200 ms. */
const MEASURE_INTERVAL_MS = 1_000;

/** Collects garbage first, because its amount varies between runs. */
function measureHeap(): number {
  collect();
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
}

setFlagsFromString('--expose-gc');
const collect: () => void = runInNewContext('gc');

test('imports 50,000 rows with at most 30 MB of additional memory, and exports them', async () => {
  // Excludes one-time allocations for code, connections and the heap from the measurement.
  await upload(buildPeople(5_000), await team.book());
  const bookId = await team.book();
  const csv = buildPeople(50_000);
  const before = measureHeap();
  let peak = before;
  const timer = setInterval(() => {
    peak = Math.max(peak, measureHeap());
  }, MEASURE_INTERVAL_MS);
  const { json } = await upload(csv, bookId);
  clearInterval(timer);
  expect(json).toMatchObject({ created: 50_000, updated: 0, failed: 0, errors: [] });
  expect((peak - before) / 1e6).toBeLessThan(30);
  const exportedResponse = await team.ask('GET', `/api/v1/contactBooks/${bookId}/contacts/export`);
  expect(exportedResponse.headers.get('content-type')).toContain('text/csv');
  const lines = exportedResponse.text.split('\r\n');
  expect(lines).toHaveLength(50_002);
  expect(lines[0]).toBe('email,firstName,lastName,subscribed,unsubscribeReason,createdAt,notes,plan');
  expect(lines[1]).toMatch(
    /^person0@example\.net,First 0,Last 0,true,,\S+Z,"some, longer text about number 0",plan-0$/,
  );
}, 300_000);
