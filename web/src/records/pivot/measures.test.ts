import { expect, it } from 'vitest';
import { buildField } from '../field-fixture.ts';
import type { ModelDescription } from '../model.ts';
import { getMeasures } from './measures.ts';

it('offers no sum of a field that is averaged', () => {
  const fields = [
    buildField('revenue', 'MONETARY', { aggregator: 'sum' }),
    buildField('probability', 'FLOAT', { aggregator: 'avg' }),
  ];
  const measures = getMeasures({ fields } as ModelDescription);
  expect(measures.map(({ key }) => key)).toEqual(['count', 'revenue.sum', 'revenue.avg', 'probability.avg']);
});
