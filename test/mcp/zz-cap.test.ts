import { test } from 'vitest';
import { writeFileSync } from 'node:fs';
import { startApp } from '../harness/app.ts';
import { switchMcp, tool } from './mcp.ts';
test('cap', async () => {
  const app = await startApp(); await switchMcp(app, app.main, true);
  const seen: any[] = []; const q = app.runtime.db.pool.query.bind(app.runtime.db.pool);
  (app.runtime.db.pool as any).query = (...a: any[]) => { seen.push(a[0]); return (q as any)(...a); };
  const r = await tool(app, app.main.admin.key, 'search', { model: 'res.partner', domain: [['is_company', '=', false]], fields: ['name', 'email', 'phone', 'city', 'is_company', 'parent_id', 'write_date'], limit: 80 });
  console.log(seen.map(s=>s.text).join('\n---\n'), seen.map(s=>JSON.stringify(s.values)));
  writeFileSync('/tmp/mcpbench/cap.json', JSON.stringify(seen));
  await app.close();
});
