import { readRecordsBy } from '../../src/engine/verb/record-answer.ts';
import { readRecords } from './read/rows.ts';

// Records that verbs answer with, read as those of a root field.

readRecordsBy(readRecords);
