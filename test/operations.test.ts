import { expect, test } from 'vitest';
import { generateOperationTypes } from '../scripts/generate/declared-operations.ts';
import '../schema/index.ts';
import type { Ctx } from '../src/engine/ctx/ctx.ts';
import { call } from '../src/engine/operation/call.ts';
import { operations } from '../src/engine/operation/operation.ts';

test('the generated call types contain exactly the existing operations', () => {
  const generatedTypes = generateOperationTypes('.').matchAll(
    /^ {4}(\w+): (?:OperationOf<|UntypedOperation;)/gm,
  );
  const product = [...operations.keys()].filter((name) => !name.startsWith('test')).sort();
  expect([...generatedTypes].map(([, name]) => name)).toEqual(product);
});

/** Never called. The compiler checks the types. */
async function runAllCalls(ctx: Ctx): Promise<unknown[]> {
  const ids: number[] = await call(ctx, 'recordSearch', { model: 'res.partner', domain: [] });
  const result: true = await call(ctx, 'recordWrite', { model: 'res.partner', ids, vals: {} });
  // @ts-expect-error: no operation has this name
  const misspelled = await call(ctx, 'recordSaerch', { model: 'res.partner', domain: [] });
  // @ts-expect-error: the model must be a string
  const response = await call(ctx, 'recordSearch', { model: 7, domain: [] });
  // @ts-expect-error: only protocols use the name vals_list
  const unknown = await call(ctx, 'recordCreate', { model: 'res.partner', vals_list: [] });
  // @ts-expect-error: the ids are required
  const missing = await call(ctx, 'crmLeadMarkWon', {});
  // @ts-expect-error: the value is a list of numbers
  const value: string = await call(ctx, 'recordSearch', { model: 'res.partner', domain: [] });
  return [result, misspelled, response, unknown, missing, value];
}

void runAllCalls;
