import { expect, it } from 'vitest';
import { parseHeldPreview } from './held-preview.ts';

it.each([
  [
    'message: This would delete 1 record of crm.lead.\nwould_delete:\n  name: Pear',
    { summary: 'delete 1 record of crm.lead', details: 'would_delete:\n  name: Pear' },
  ],
  ['message: This would update 3 records of a.b.', { summary: 'update 3 records of a.b', details: '' }],
  ['to: ann@example.org', { summary: '', details: 'to: ann@example.org' }],
  [
    'arguments:\n  message: This would hurt.',
    { summary: '', details: 'arguments:\n  message: This would hurt.' },
  ],
])('%j', (preview, parts) => {
  expect(parseHeldPreview(preview)).toEqual(parts);
});
