import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { sql } from '../../src/db/sql.ts';
import { addMember } from '../apps/member.ts';
import { setUpApp } from '../harness/app.ts';

const app = setUpApp();

test('the migration in docs/map.md grants a right in an existing workspace', async () => {
  const migration = /^```sql\n(.*?)^```/ms.exec(readFileSync('docs/map.md', 'utf8'))![1]!;
  const { caller } = await addMember(app, app.main, 'seller', ['sales_team.group_sale_salesman']);
  const create = { vals_list: [{ name: 'Too late' }] };
  await caller.expectError(403, 'crm.lost.reason/create', create);
  await app.runtime.db.rows(sql.given(migration, []));
  // The process receives the invalidation a moment later.
  const isAllowed = () =>
    caller.value('crm.lost.reason/create', create).then(
      () => true,
      () => false,
    );
  await expect.poll(isAllowed).toBe(true);
});
