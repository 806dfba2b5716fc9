import { ABSENT_NAMES, type Caller, createCallers } from './lib/callers.ts';
import { compare, type Side } from './lib/compare.ts';
import { fillLeads } from './lib/leads.ts';
import { computeMedian, runClient } from './lib/process.ts';
import { openStage, readMemory, type Stage } from './lib/stage.ts';
import { buildXmlSearch } from './lib/xml-search.ts';

// `node bench/records.ts [read|write|million|stream]…` compares the record API with the raw handler, in alternating
// rounds (medians). 16 users call it, each with varied requests.

const FIELDS = ['name', 'email_from', 'stage_id', 'user_id', 'expected_revenue', 'priority', 'create_date'];
const DOMAIN = [['type', '=', 'opportunity']];
const LEAD = {
  name: 'A new lead',
  type: 'opportunity',
  partner_name: 'Northwind',
  email_from: 'buyer@northwind.example',
  phone: '+47 1',
  city: 'Bergen',
  expected_revenue: 1200,
  priority: '1',
};

const buildOurSide = (stage: Stage, method: string, body: object, overrides: Partial<Side> = {}): Side => ({
  port: stage.app.port,
  path: `/json/2/crm.lead/${method}`,
  headers: {},
  keys: callers.map(({ key }) => key),
  body: JSON.stringify(body),
  ...overrides,
});
const buildRawSide = (stage: Stage, path: string, body: unknown, overrides: Partial<Side> = {}): Side => ({
  port: stage.baseline.port,
  path,
  headers: {},
  body: JSON.stringify(body),
  ...overrides,
});

const page = { domain: DOMAIN, fields: FIELDS, limit: 80 };
const varyBodies = <Value>(values: readonly Value[], body: (value: Value) => object): Partial<Side> => ({
  bodies: values.map((value) => JSON.stringify(body(value))),
});
const searchRead = (stage: Stage) =>
  buildOurSide(
    stage,
    'search_read',
    page,
    varyBodies(ABSENT_NAMES, (name) => ({ ...page, domain: [...DOMAIN, ['name', '!=', name]] })),
  );
/** Ids spread over all leads, so that writers rarely conflict. */
const LEAD_IDS = Array.from({ length: 499 }, (_, i) => 1 + i * 150);
const buildNewLead = (id: number) => ({ ...LEAD, name: `A new lead ${id}`, expected_revenue: id });

const parts: Record<string, (stage: Stage) => Promise<void>> = {
  async read(stage) {
    const rawPage = buildRawSide(
      stage,
      '/search_read',
      {},
      varyBodies(ABSENT_NAMES, (name) => ({ type: 'opportunity', name, limit: 80 })),
    );
    await compare('search_read 80 x 7', searchRead(stage), rawPage, 0.8);
    await compare(
      'XML-RPC search_read 80 x 7',
      buildXmlSearch(stage, callers, 'crm.lead', DOMAIN, FIELDS),
      rawPage,
      0.65,
    );
    await compare(
      'read one',
      buildOurSide(
        stage,
        'read',
        {},
        varyBodies(LEAD_IDS, (id) => ({ ids: [id], fields: FIELDS })),
      ),
      buildRawSide(
        stage,
        '/read',
        {},
        varyBodies(LEAD_IDS, (id) => ({ ids: [id] })),
      ),
      0.6,
    );
    await compare(
      'search_count',
      buildOurSide(stage, 'search_count', { domain: DOMAIN }),
      buildRawSide(stage, '/count', { type: 'opportunity' }),
      0.6,
    );
    const attributes = ['string', 'type', 'help'];
    await compare(
      'fields_get',
      buildOurSide(stage, 'fields_get', { attributes }),
      buildRawSide(stage, '/fields', {}),
      0.6,
    );
    const groups = { domain: [], groupby: ['stage_id'], aggregates: ['__count', 'expected_revenue:sum'] };
    await compare(
      'formatted_read_group',
      buildOurSide(stage, 'formatted_read_group', groups),
      buildRawSide(stage, '/groups', {}),
      0.95,
    );
  },
  async write(stage) {
    const change = (id: number) => ({ ids: [id], vals: { name: 'Changed', expected_revenue: 5 } });
    const buildRawChange = (id: number) => ({ id, name: 'Changed', revenue: 5 });
    await compare(
      'write one',
      buildOurSide(stage, 'write', {}, varyBodies(LEAD_IDS, change)),
      buildRawSide(stage, '/write', {}, varyBodies(LEAD_IDS, buildRawChange)),
      0.8,
    );
    await compare(
      'create one',
      buildOurSide(
        stage,
        'create',
        {},
        varyBodies(LEAD_IDS, (id) => ({ vals_list: [buildNewLead(id)] })),
      ),
      buildRawSide(
        stage,
        '/create',
        {},
        varyBodies(LEAD_IDS, (id) => [buildNewLead(id)]),
      ),
      0.75,
    );
    const thousand = Array.from({ length: 1000 }, () => LEAD);
    await compare(
      'create 1,000',
      buildOurSide(stage, 'create', { vals_list: thousand }),
      buildRawSide(stage, '/create', thousand),
      0.3,
    );
    const result = await runClient({
      ...buildOurSide(stage, 'write', change(77)),
      connections: 16,
      ms: 5000,
    });
    process.stdout.write(
      `16 writers on one record: ${result.perSecond}/s, refused ${result.failures}, p99 ${result.p99} ms = ${(result.p99 / result.p50).toFixed(1)} x the median (at most 20)\n`,
    );
  },
  async million(stage) {
    const sides = {
      'indexed domain': searchRead(stage),
      'default order': buildOurSide(stage, 'search_read', { ...page, domain: [] }),
    };
    const before = await measureFigures(sides);
    await fillLeads(stage.databaseUrl, 1_000_000);
    const after = await measureFigures(sides);
    for (const name of Object.keys(sides))
      process.stdout.write(
        `${name}: ${before[name]}/s at 100,000, ${after[name]}/s at 1,000,000 = ${(after[name]! / before[name]!).toFixed(2)} (0.8 to 1.2)\n`,
      );
  },
  async stream(stage) {
    const body = { domain: [], limit: 10_000 };
    const before = readMemory(stage);
    let peak = before;
    const timer = setInterval(() => {
      peak = Math.max(peak, readMemory(stage));
    }, 20);
    for (let i = 0; i < 5; i++) {
      const { port, path, body: text } = buildOurSide(stage, 'search_read', body);
      const response = await fetch(`http://127.0.0.1:${port}${path}`, {
        method: 'POST',
        headers: { authorization: `Bearer ${stage.userKey}`, 'content-type': 'application/json' },
        body: text,
      });
      const bytes = (await response.arrayBuffer()).byteLength;
      process.stdout.write(
        `10,000 rows with every field: ${response.status}, ${Math.round(bytes / 1e6)} MB, memory +${peak - before} MB (at most 100)\n`,
      );
    }
    clearInterval(timer);
  },
};

async function measureFigures(sides: Record<string, Side>): Promise<Record<string, number>> {
  const result: Record<string, number> = {};
  for (const [name, side] of Object.entries(sides)) {
    const runs: number[] = [];
    for (let i = 0; i < 3; i++)
      runs.push((await runClient({ ...side, connections: 16, ms: 3000 })).perSecond);
    result[name] = computeMedian(runs);
  }
  return result;
}

const names = process.argv.slice(2);
let callers: Caller[] = [];
const stage = await openStage({ ROLE: 'web' }, 'bench/baseline/records.ts');
try {
  await fillLeads(stage.databaseUrl, 100_000);
  callers = await createCallers(stage);
  for (const name of names.length ? names : Object.keys(parts)) await parts[name]!(stage);
} finally {
  await stage.close();
}
