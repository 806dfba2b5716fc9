import { afterAll, beforeAll, test } from 'vitest';
import { startApp, type App, post } from '../harness/app.ts';
import { create } from '../../schema/../src/engine/write.ts';
let app: App;
beforeAll(async () => { app = await startApp(); });
afterAll(() => app.close());
test('x', async () => {
  const t = app.main;
  const call = async (service: string, method: string, ...args: unknown[]) => (await post(`${app.url}/jsonrpc`, { jsonrpc: '2.0', id: 1, params: { service, method, args } })).text;
  const obj = (model: string, method: string, args: unknown, kw?: unknown) => call('object', 'execute_kw', 'main', t.admin.id, t.admin.key, model, method, args, ...(kw === undefined ? [] : [kw]));
  console.log(await call('common', 'version'));
  console.log(await call('common', 'authenticate', 'main', 'admin', t.admin.key, {}));
  console.log(await call('common', 'authenticate', 'main', 'admin', t.admin.password, {}));
  console.log(await call('common', 'authenticate', 'nope', 'admin', t.admin.password, {}));
  console.log(await call('common', 'authenticate', 'main', 'admin', 'bad', {}));
  console.log(await call('db', 'list'));
  for (const [m, me, a, k] of [
    ['res.partner', 'search', [[]]], ['res.partner', 'search', [], { domain: [], limit: 1 }], ['res.partner', 'nosuch', []], ['no.such', 'search', [[]]],
    ['res.partner', '_search', [[]]], ['res.partner', 'read', []], ['res.partner', 'read', [1, ['name']]], ['res.partner', 'create', [{ name: 'x' }]], ['res.partner', 'create', [[{ name: 'x' }]]],
    ['res.partner', 'search', [[['nope', '=', 1]]]], ['res.partner', 'search', [[]], { nope: 1 }], ['res.partner', 'search', [[], 0, 0, 0, 0, 0]], ['res.partner', 'search', [[]], { domain: [] }],
    ['res.partner', 'search', {}], ['res.partner', 'write', [[999], { color: 1 }]],
  ] as any) console.log(m, me, JSON.stringify(a), await obj(m, me, a, k));
  const values = Array.from({ length: 80 }, (_, i) => ({ name: `Partner number ${i} for Smith & Sons`, email: `p${i}@customer-${i}.example.com`, phone: i % 3 ? `+32 ${i}` : false, color: i, parent_id: false }));
  await create(t.ctx, 'res.partner', values);
  const fields = ['name', 'email', 'phone', 'color', 'create_date', 'city', 'company_id'];
  const body = `<?xml version="1.0"?><methodCall><methodName>execute_kw</methodName><params>${[`<string>main</string>`, `<int>${t.admin.id}</int>`, `<string>${t.admin.key}</string>`, `<string>res.partner</string>`, `<string>search_read</string>`, `<array><data><value><array><data></data></array></value></data></array>`, `<struct><member><name>limit</name><value><int>80</int></value></member><member><name>fields</name><value><array><data>${fields.map((f) => `<value><string>${f}</string></value>`).join('')}</data></array></value></member></struct>`].map((v) => `<param><value>${v}</value></param>`).join('')}</params></methodCall>`;
  const bench = async (name: string, fn: () => Promise<unknown>) => {
    for (let i = 0; i < 300; i++) await fn();
    const c0 = process.cpuUsage(); const start = performance.now();
    for (let i = 0; i < 800; i++) await fn();
    const c = process.cpuUsage(c0);
    console.log(name, ((performance.now() - start) * 1000 / 800).toFixed(0), 'us', 'cpu', ((c.user + c.system) / 800).toFixed(0));
  };
  const sql = `select coalesce(json_agg(s), '[]')::text as json from (select t.id, t.name, t.email, t.phone, t.color, left(t.create_date::text, 19) as create_date, t.city, case when t.company_id is null then 'false'::json else json_build_array(t.company_id, (select name from res_company n where n.workspace_id = $1 and n.id = t.company_id)) end as company_id from res_partner t where t.workspace_id = $1 and t.active order by t.complete_name, t.id desc limit 80) s`;
  const { Hono } = await import('hono'); const { serve } = await import('@hono/node-server');
  const bare = new Hono(); bare.post('/', async (c) => { await c.req.json(); const r = await app.runtime.db.pool.query({ text: sql, values: [t.ctx.workspace.id], name: 'bare' }); return c.body(r.rows[0].json, 200, { 'content-type': 'application/json' }); });
  const server = await new Promise<any>((ok) => { const s = serve({ fetch: bare.fetch, port: 0, hostname: '127.0.0.1' }, (i) => ok({ s, port: i.port })); });
  const hit = (url: string, b: string, type: string, key?: string) => async () => { const r = await fetch(url, { method: 'POST', body: b, headers: { 'content-type': type, ...(key && { authorization: `Bearer ${key}` }) } }); return r.text(); };
  const x = await hit(`${app.url}/xmlrpc/2/object`, body, 'text/xml')(); console.log(String(x).slice(0, 600), String(x).length);
  for (let r = 0; r < 2; r++) {
    await bench('bare', hit(`http://127.0.0.1:${server.port}/`, '{"a":1}', 'application/json'));
    await bench('json2', hit(`${app.url}/json/2/res.partner/search_read`, JSON.stringify({ domain: [], fields, limit: 80 }), 'application/json', t.admin.key));
    await bench('xmlrpc', hit(`${app.url}/xmlrpc/2/object`, body, 'text/xml'));
  }
  await new Promise((ok) => server.s.close(ok));
}, 120000);
