import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { run } from './lib/process.ts';
import { openStage, readMemory } from './lib/stage.ts';

// `node bench/expensive.ts [name …]` sends one large authenticated request. Measures its duration, the maximum latency
// of other requests during that time, and the longest event loop block.

const turnsFile = join(mkdtempSync(join(tmpdir(), 'atrium-bench-')), 'turns');
writeFileSync(turnsFile, '');
const stage = await openStage({
  ROLE: 'web',
  TURNS_FILE: turnsFile,
  NODE_OPTIONS: `--import=${new URL('./lib/event-loop-delays.ts', import.meta.url)}`,
});
const address = `http://127.0.0.1:${stage.app.port}`;

const repeat = <T>(count: number, item: (i: number) => T): T[] =>
  Array.from({ length: count }, (_, i) => item(i));
const getContactIds = (count: number) => repeat(count, (i) => 1_001 + i);
const columns = [
  'name',
  'complete_name',
  'email',
  'phone',
  'city',
  'parent_id',
  'create_date',
  'category_id',
];

async function timePost(path: string, type: string, body: string): Promise<string> {
  const headers = { authorization: `Bearer ${stage.userKey}`, 'content-type': type };
  const response = await fetch(`${address}${path}`, { method: 'POST', headers, body });
  const text = Buffer.from(await response.arrayBuffer())
    .subarray(0, 300)
    .toString();
  if (!response.ok || text.includes('<fault>')) throw new Error(`${path}: ${response.status} ${text}`);
  return text;
}

const buildJson = (path: string, args: object) => {
  const body = JSON.stringify(args);
  return () => timePost(`/json/2/${path}`, 'application/json', body);
};

function buildXmlRead(uid: number, model: string, method: string, ids: number[], fields: string[]) {
  const buildValue = (inner: string) => `<value>${inner}</value>`;
  const list = (items: string[]) => buildValue(`<array><data>${items.join('')}</data></array>`);
  const args = list([
    list(ids.map((id) => buildValue(`<int>${id}</int>`))),
    list(fields.map((name) => buildValue(`<string>${name}</string>`))),
  ]);
  const rpcParams = ['main', uid, stage.userKey, model, method].map((item) =>
    buildValue(typeof item === 'number' ? `<int>${item}</int>` : `<string>${item}</string>`),
  );
  const params = [...rpcParams, args].map((arg) => `<param>${arg}</param>`).join('');
  const body = `<?xml version="1.0"?><methodCall><methodName>execute_kw</methodName><params>${params}</params></methodCall>`;
  return () => timePost('/xmlrpc/2/object', 'text/xml', body);
}

const { uid } = JSON.parse(await buildJson('res.users/context_get', {})()) as { uid: number };
const requests: Record<string, () => Promise<string>> = {
  lines: buildJson('res.partner/create', {
    vals_list: [{ name: 'a', child_ids: repeat(90_000, (i) => [0, 0, { name: `Line ${i}` }]) }],
  }),
  leads: buildJson('crm.lead/create', { vals_list: repeat(20_000, (i) => ({ name: `Lead ${i}` })) }),
  records: buildJson('res.partner/create', { vals_list: repeat(100_000, (i) => ({ name: `Contact ${i}` })) }),
  load: buildJson('res.partner/load', {
    fields: ['name', 'email', 'phone', 'type'],
    data: repeat(50_000, (i) => [`Row ${i}`, `row${i}@company.example`, '1', 'Lieferadresse']),
  }),
  copy: buildJson('res.partner/copy', { ids: getContactIds(50_000) }),
  export: buildJson('res.partner/export_data', {
    ids: getContactIds(90_000),
    fields_to_export: ['id', ...columns],
  }),
  groups: buildJson('res.partner/formatted_read_group', {
    domain: [['id', '<', 49_000]],
    groupby: ['email', 'name', 'phone', 'city', 'parent_id', 'create_date:day', 'write_date:month'],
    aggregates: ['__count'],
  }),
  read: buildJson('res.partner/read', { ids: getContactIds(90_000), fields: columns }),
  xml: buildXmlRead(uid, 'res.partner', 'read', getContactIds(90_000), columns),
};

for (const name of process.argv.length > 2 ? process.argv.slice(2) : Object.keys(requests)) {
  await sleep(1_200);
  writeFileSync(turnsFile, '');
  const probe = run('bench/lib/probe.ts', [`${address}/api/health`]);
  await sleep(500);
  const startTime = performance.now();
  await requests[name]!();
  const elapsedMs = performance.now() - startTime;
  await probe.stop();
  await sleep(1_200);
  const turn = Math.max(...readFileSync(turnsFile, 'utf8').trim().split('\n').map(Number));
  process.stdout.write(
    `${name}: ${elapsedMs.toFixed(0)} ms; another request waits ${probe.output().trim()} ms at most, ` +
      `longest turn ${turn} ms; ${readMemory(stage)} MB\n`,
  );
}
await stage.close();
