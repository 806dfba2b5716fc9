import { expect, test } from 'vitest';
import { setUpApp } from '../harness/app.ts';
import { createJsonClient } from '../harness/facades/json2.ts';

const app = setUpApp();
const calls = createJsonClient(app);
/** Maximum number of fields in a sort order. */
const MAX_TERMS = 20;

test.each(['sale.order', 'sale.order.line', 'crm.lead', 'res.partner', 'res.users', 'project.task'])(
  'sorts %s by each field that is described as sortable',
  async (model) => {
    const fields: Record<string, { sortable: boolean }> = await calls.value(`${model}/fields_get`);
    const names = Object.keys(fields).filter((name) => fields[name]!.sortable);
    expect(names).toContain('id');
    for (let start = 0; start < names.length; start += MAX_TERMS) {
      const order = names.slice(start, start + MAX_TERMS).join(', ');
      await calls.value(`${model}/search`, { domain: [], order, limit: 1 });
    }
  },
);
