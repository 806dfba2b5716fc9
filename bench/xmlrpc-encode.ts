/**
 * Measures the CPU cost of XML-RPC compared with the JSON text that it is built from, as PostgreSQL returns rows
 * (json_agg). Usage: node bench/xmlrpc-encode.ts
 */
import { decodeCall } from '../facades/rpc/xml/decode.ts';
import { encodeJsonText } from '../facades/rpc/xml/encode.ts';

const ROWS = 80;
const FLOATS: ReadonlySet<string> = new Set(['expected_revenue']);

const rows = Array.from({ length: ROWS }, (_, i) => ({
  id: i + 1,
  name: `Opportunity number ${i} for Smith & Sons`,
  email_from: `person.${i}@customer-${i}.example.com`,
  phone: i % 3 ? `+32 2 290 34 ${i}` : false,
  expected_revenue: i * 100.5,
  stage_id: [(i % 4) + 1, 'Qualified'],
  create_date: '2026-01-31 10:11:12',
}));
const json = `[${rows.map((row) => JSON.stringify(row)).join(', \n ')}]`;

const call = Buffer.from(
  `<?xml version="1.0"?><methodCall><methodName>execute_kw</methodName><params>${[
    '<string>acme</string>',
    '<int>2</int>',
    '<string>0123456789abcdef0123456789abcdef01234567</string>',
    '<string>crm.lead</string>',
    '<string>search_read</string>',
    '<array><data><value><array><data></data></array></value></data></array>',
    '<struct><member><name>limit</name><value><int>80</int></value></member></struct>',
  ]
    .map((value) => `<param><value>${value}</value></param>`)
    .join('')}</params></methodCall>`,
);

const subjects: Record<string, () => unknown> = {
  'JSON text to bytes (baseline)': () => Buffer.from(json),
  'JSON.parse alone': () => JSON.parse(json),
  'encodeJsonText alone': () => encodeJsonText(json, FLOATS),
  'encodeJsonText to bytes': () => Buffer.from(encodeJsonText(json, FLOATS)),
  'decodeCall of a search_read': () => decodeCall(call),
};

/** Returns the median microseconds per run over batches, which excludes garbage collection and other processes. */
function measureTime(run: () => unknown, batches = 60, runs = 100): number {
  const times = Array.from({ length: batches }, () => {
    const start = performance.now();
    for (let i = 0; i < runs; i++) run();
    return ((performance.now() - start) * 1000) / runs;
  });
  return times.sort((a, b) => a - b)[batches >> 1] as number;
}

console.log(
  `${ROWS} rows of 7 columns: ${json.length} characters of JSON, ${encodeJsonText(json).length} of XML`,
);
for (const [name, run] of Object.entries(subjects)) {
  measureTime(run, 10);
  console.log(`${measureTime(run).toFixed(1).padStart(8)} us  ${name}`);
}
