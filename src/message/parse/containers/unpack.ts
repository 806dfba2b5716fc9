import type { ScannedPart } from '../scan.ts';
import { readCms } from './cms.ts';
import { readTnef, type TnefContent, type TnefFile } from './tnef.ts';

interface UnpackedContainer {
  /** Content to which the byte ranges of the parts refer. */
  content: Buffer;
  /** Parts with paths relative to the container. Null if the content is a MIME entity, which must be scanned. */
  parts: ScannedPart[] | null;
}

/**
 * Unpacks opaque signed messages (RFC 8551 3.5.2), compressed messages (3.6) and TNEF. Returns null for other input and
 * containers without content.
 */
export function unpackContainer(bytes: Buffer): UnpackedContainer | 'encrypted' | null {
  const tnef = readTnef(bytes);
  if (tnef) return unpackTnef(tnef);
  const cms = readCms(bytes);
  if (cms?.kind !== 'readable') return cms && 'encrypted';
  return { content: cms.bytes, parts: null };
}

function unpackTnef({ body, files }: TnefContent): UnpackedContainer | null {
  const entities = [...(body ? [{ ...body, name: null, contentId: null }] : []), ...files];
  if (entities.length === 0) return null;
  let position = 0;
  const parts = entities.map((entity, index) => {
    const bodyFrom = position;
    position += entity.bytes.length;
    return toPart(
      entity,
      { path: String(index + 1), headerFrom: bodyFrom, bodyFrom, bodyTo: position },
      body !== null && index === 0,
    );
  });
  return { content: Buffer.concat(entities.map(({ bytes }) => bytes)), parts };
}

const toPart = (
  { type, name, contentId, bytes, charset = null }: TnefFile & { charset?: string | null },
  location: Pick<ScannedPart, 'path' | 'headerFrom' | 'bodyFrom' | 'bodyTo'>,
  isBody: boolean,
): ScannedPart => ({
  ...location,
  type,
  charset,
  flow: null,
  filename: name,
  contentId,
  disposition: isBody || contentId !== null ? null : 'attachment',
  encoding: 'binary',
  size: bytes.length,
  isTnefBody: isBody,
});
