import { sql } from '../../src/db/sql.ts';
import type { ModelOptions } from '../../src/engine/model/model.ts';

type ComputedField = NonNullable<ModelOptions['computed']>[string];

/** Returns a computed field with the currency of the record's company, or else of the workspace's first company. */
export const companyCurrency = (label: string): ComputedField => ({
  type: 'many2one',
  relation: 'res.currency',
  label,
  sql: (row, context) => {
    const company = context.alias();
    return sql`(select ${company}.currency_id from ${context.table('res.company')} ${company}
      where ${company}.workspace_id = ${context.workspace}
        and (${row}.company_id is null or ${company}.id = ${row}.company_id) order by ${company}.id limit 1)`;
  },
});
