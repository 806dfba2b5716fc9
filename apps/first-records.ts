export { addRecords, recordIds } from '../src/engine/first-records.ts';
