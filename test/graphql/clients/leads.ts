import { create } from '../../../src/engine/write/write.ts';
import type { App } from '../../harness/app.ts';

export interface Lead {
  id: string;
  name: string;
  expectedRevenue: number;
}

/** Creates leads whose names sort like their ids. */
export async function makeLeads(app: App, count: number): Promise<string[]> {
  const values = Array.from({ length: count }, (_, index) => ({
    name: `Client lead ${String(index).padStart(2, '0')}`,
    expected_revenue: index,
  }));
  return (await create(app.main.ctx, 'crm.lead', values)).map(String);
}
