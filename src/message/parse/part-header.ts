import type { FlowFormat } from '../flowed.ts';
import { toSafeFilename } from './filename.ts';
import { getFirstValue, type HeaderField, parseHeaderFields } from './header-fields.ts';
import { parseStructured } from './parameters.ts';
import type { TransferEncoding } from './transfer.ts';

export interface PartHeader {
  /** Lower-case media type, without parameters. */
  type: string;
  charset: string | null;
  flow: FlowFormat | null;
  filename: string | null;
  /** Content-ID without angle brackets, or Content-Location (RFC 2557) if the part has no Content-ID. */
  contentId: string | null;
  disposition: 'inline' | 'attachment' | null;
  encoding: TransferEncoding;
  boundary: string | null;
}

/** Maximum length of a boundary. Exceeds the 70 characters that RFC 2046 5.1.1 allows. */
const MAX_BOUNDARY_LENGTH = 250;

/**
 * @param parentType media type of the enclosing multipart
 * @param messageCharset charset of the message's text, used for file names that declare no charset
 */
export function readPartHeader(
  header: Uint8Array,
  parentType: string | null = null,
  messageCharset: string | null = null,
): PartHeader {
  const fields = parseHeaderFields(header);
  const { contentType, charset, disposition, filename } = parseContentFields(fields, messageCharset);
  const boundary = contentType.parameters.get('boundary')?.trimEnd() ?? '';
  return {
    type: normalizeType(contentType.value, parentType === 'multipart/digest'),
    charset,
    flow: parseFlow(contentType.parameters),
    filename: toSafeFilename(filename),
    contentId:
      parseContentId(getFirstValue(fields, 'content-id')) ??
      (parentType === 'multipart/related' ? parseContentId(getFirstValue(fields, 'content-location')) : null),
    disposition: parseDisposition(disposition),
    encoding: parseEncoding(fields),
    boundary: boundary.length > MAX_BOUNDARY_LENGTH ? null : boundary || null,
  };
}

/** @param messageCharset charset of the message's text, used for file names that declare no charset */
export function parseContentFields(fields: HeaderField[], messageCharset: string | null) {
  const contentType = parseStructuredField(fields, 'content-type', messageCharset);
  const charset = contentType.parameters.get('charset')?.trim().slice(0, 60) || null;
  const { value, parameters } = parseStructuredField(
    fields,
    'content-disposition',
    charset ?? messageCharset,
  );
  const filename = parameters.get('filename') ?? contentType.parameters.get('name') ?? '';
  return { contentType, charset, disposition: value, filename };
}

/** A name parameter uses the charset parameter of the same field. */
function parseStructuredField(fields: HeaderField[], name: string, charset: string | null) {
  const rawValue = getFirstValue(fields, name);
  const parsedField = parseStructured(rawValue, charset);
  const ownCharset = parsedField.parameters.get('charset');
  return ownCharset && /[\x80-\xff]/.test(rawValue) ? parseStructured(rawValue, ownCharset) : parsedField;
}

function parseFlow(parameters: ReadonlyMap<string, string>): FlowFormat | null {
  const hasParameter = (name: string, value: string) => parameters.get(name)?.trim().toLowerCase() === value;
  if (!hasParameter('format', 'flowed')) return null;
  return hasParameter('delsp', 'yes') ? 'delsp' : 'flowed';
}

function normalizeType(value: string, isDigest: boolean): string {
  if (/^[\w.+!#$&^-]{1,63}\/[\w.+!#$&^-]{1,63}$/.test(value)) return value;
  if (value === 'text' || value === '') return isDigest ? 'message/rfc822' : 'text/plain';
  return /^[\w.+-]+\//.test(value) ? 'application/octet-stream' : 'text/plain';
}

/** Unknown dispositions are treated as attachments (RFC 2183 2.8). */
function parseDisposition(value: string): PartHeader['disposition'] {
  if (value === '') return null;
  return value === 'inline' ? 'inline' : 'attachment';
}

const parseContentId = (latin1: string): string | null =>
  /^[^\x00-\x20\x7f-\xff<>]{1,500}$/.exec(latin1.replace(/^<|>$/g, '').trim())?.[0] ?? null;

function parseEncoding(fields: HeaderField[]): TransferEncoding {
  const { value } = parseStructured(getFirstValue(fields, 'content-transfer-encoding'));
  if (value === 'base64' || value === 'quoted-printable' || value === '8bit' || value === 'binary')
    return value;
  return '7bit';
}
