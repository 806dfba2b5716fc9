import { createHash } from 'node:crypto';
import type { Field } from '../../../src/engine/model/field.ts';
import { camel } from '../../../src/engine/model/naming.ts';
import { fieldMimetype } from '../../../src/media/mimetype.ts';
import type { GraphRow } from './rows.ts';

/** As the engine says it of a file in a row of the graph. */
interface FileFacts {
  size: number;
  /** How the content begins and ends, in base64. */
  head: string;
  tail: string;
}

/** A file in a field of a record, as GraphQL's `RecordFile` has it. */
interface RecordFile {
  size: number;
  mimetype: string;
  url: string;
}

/** Resolves the file in a field of a record. */
export function fileReader(model: string, field: Field) {
  const key = camel(field.name);
  return (row: GraphRow): RecordFile | null => {
    const facts = row[key] as FileFacts | null | undefined;
    if (!facts) return null;
    const { size, head, tail } = facts;
    const unique = createHash('sha1').update(`${size} ${head} ${tail}`).digest('hex').slice(0, 12);
    const mimetype = fieldMimetype(Buffer.from(head, 'base64'));
    const door = mimetype.startsWith('image/') ? 'image' : 'content';
    return { size, mimetype, url: `/web/${door}/${model}/${row.id}/${field.name}?unique=${unique}` };
  };
}
