import type { Flow } from '../flowed.ts';
import { safeFilename } from './filename.ts';
import { fieldsOf, firstOf, type HeaderLine } from './header-fields.ts';
import { readStructured } from './parameters.ts';
import type { TransferEncoding } from './transfer.ts';

/** What the header of a part says about its body. */
export interface PartHeader {
  /** A media type in lower case, without parameters. */
  type: string;
  charset: string | null;
  /** Of a plain text in the format `flowed`, how its lines are joined. */
  flow: Flow | null;
  filename: string | null;
  /** Without angle brackets. */
  contentId: string | null;
  disposition: 'inline' | 'attachment' | null;
  encoding: TransferEncoding;
  /** What parts the parts of a multipart. */
  boundary: string | null;
}

/** RFC 2046 5.1.1 allows 70. */
const LONGEST_BOUNDARY = 250;

/**
 * @param isDigest whether the part stands in a `multipart/digest`, where messages are the default
 * @param messageCharset character set of the text of the message; names are in it where they have no own
 */
export function readPartHeader(
  header: Uint8Array,
  isDigest = false,
  messageCharset: string | null = null,
): PartHeader {
  const fields = fieldsOf(header);
  const { value, parameters } = structuredOf(fields, 'content-type', messageCharset);
  const charset = parameters.get('charset')?.trim().slice(0, 60) || null;
  const disposition = structuredOf(fields, 'content-disposition', charset ?? messageCharset);
  const name = disposition.parameters.get('filename') ?? parameters.get('name') ?? '';
  const boundary = parameters.get('boundary')?.trimEnd() ?? '';
  return {
    type: typeOf(value, isDigest),
    charset,
    flow: flowOf(parameters),
    filename: safeFilename(name),
    contentId: contentIdOf(firstOf(fields, 'content-id')),
    disposition: dispositionOf(disposition.value),
    encoding: encodingOf(fields),
    boundary: boundary.length > LONGEST_BOUNDARY ? null : boundary || null,
  };
}

/** The name of a type is in the character set that the same type gives. */
function structuredOf(fields: HeaderLine[], name: string, charset: string | null) {
  const given = firstOf(fields, name);
  const read = readStructured(given, charset);
  const own = read.parameters.get('charset');
  return own && /[\x80-\xff]/.test(given) ? readStructured(given, own) : read;
}

function flowOf(parameters: ReadonlyMap<string, string>): Flow | null {
  const is = (name: string, value: string) => parameters.get(name)?.trim().toLowerCase() === value;
  if (!is('format', 'flowed')) return null;
  return is('delsp', 'yes') ? 'delsp' : 'flowed';
}

function typeOf(value: string, isDigest: boolean): string {
  if (/^[\w.+!#$&^-]{1,63}\/[\w.+!#$&^-]{1,63}$/.test(value)) return value;
  if (value === 'text' || value === '') return isDigest ? 'message/rfc822' : 'text/plain';
  return /^[\w.+-]+\//.test(value) ? 'application/octet-stream' : 'text/plain';
}

/** RFC 2183 2.8: what is not known counts as an attachment. */
function dispositionOf(value: string): PartHeader['disposition'] {
  if (value === '') return null;
  return value === 'inline' ? 'inline' : 'attachment';
}

const contentIdOf = (latin1: string): string | null =>
  /^[^\x00-\x20\x7f-\xff<>]{1,500}$/.exec(latin1.replace(/^<|>$/g, '').trim())?.[0] ?? null;

function encodingOf(fields: HeaderLine[]): TransferEncoding {
  const { value } = readStructured(firstOf(fields, 'content-transfer-encoding'));
  if (value === 'base64' || value === 'quoted-printable' || value === '8bit' || value === 'binary')
    return value;
  return '7bit';
}
