import { createHash } from 'node:crypto';
import type { Field } from '../../../src/engine/model/field.ts';
import { getRowKey } from '../../../src/engine/model/naming.ts';
import type { FileMetadata } from '../../../src/engine/sql/projection.ts';
import { detectFieldMimetype } from '../../../src/media/mimetype.ts';
import type { GraphRow } from './rows.ts';

interface RecordFile {
  size: number;
  mimetype: string;
  url: string;
}

export function createFileReader(model: string, field: Field) {
  const key = getRowKey(field);
  return (row: GraphRow): RecordFile | null => {
    const metadata = row[key] as FileMetadata | null | undefined;
    if (!metadata) return null;
    const { size, head, written } = metadata;
    const unique = createHash('sha1')
      .update(`${size} ${written} ${head.slice(0, 64)}`)
      .digest('hex')
      .slice(0, 12);
    const mimetype = detectFieldMimetype(Buffer.from(head, 'base64'));
    const facade = mimetype.startsWith('image/') ? 'image' : 'content';
    return { size, mimetype, url: `/web/${facade}/${model}/${row.id}/${field.name}?unique=${unique}` };
  };
}
