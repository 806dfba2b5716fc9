import { test } from 'vitest';
import { startApp } from '../harness/app.ts';
import { addContacts, modern, request, send, switchMcp, tool, logLines } from './mcp.ts';
test('smoke', async () => {
  const app = await startApp();
  const k = app.main.admin.key;
  console.log((await send(app, request('ping'), k)).status);
  await switchMcp(app, app.main, true);
  await addContacts(app.main, 'A', 3);
  console.log((await send(app, request('initialize', { protocolVersion: '2025-11-25' }), k)).text);
  console.log((await send(app, request('tools/list'), k)).text.length);
  for (const [n, a] of [['search', { model: 'res.partner', fields: ['name', 'parent_id'], limit: 2 }], ['search', { model: 'res.users', fields: ['login', 'password'], limit: 2 }], ['get', { model: 'res.partner', ids: [1, 99] , fields:['name']}], ['count', { model: 'res.partner' }], ['list_models', {}], ['describe_model', { model: 'svc.mcp.log' }], ['describe_model', { model: 'svc.api.key' }], ['search', {model:'x'}], ['search', {}], ['search',{model:'res.partner', limit: 0}], ['search',{model:'res.partner', foo: 0}], ['nope',{}]] as const)
    console.log(n, JSON.stringify(await tool(app, k, n, a)));
  const m = modern('tools/call', { name: 'count', arguments: { model: 'res.partner' } });
  console.log((await send(app, m.body, k, m.headers)).text);
  const d = modern('server/discover');
  console.log((await send(app, d.body, k, d.headers)).text);
  console.log(await logLines(app.main, 3));
  await app.close();
});
