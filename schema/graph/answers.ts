import { readRecordsBy } from '../../src/engine/verb/record-answer.ts';
import { readRecords } from './read/rows.ts';

// Records that verbs answer with, read as those of a root field.

readRecordsBy((ctx, model, ids, info) => {
  // Mutations of one document run one after another: what an earlier one loaded may have changed since.
  if (info.operation.operation === 'mutation') ctx.loaders.clear();
  return readRecords(ctx, model, ids, info);
});
