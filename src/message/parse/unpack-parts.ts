import { unpackContainer } from './containers/unpack.ts';
import { readPartContent, readWholePart } from './part-content.ts';
import { type RawMail, scanMail, toRawMail } from './raw.ts';
import { MAX_PARTS, type ScannedPart } from './scan.ts';

/** Maximum total bytes of a message's containers. A container that would exceed it is treated as a file. */
const MAX_CONTAINER_BYTES = 28 * 1024 * 1024;
const MAX_CONTAINERS = 20;
const MAX_DEPTH = 4;

interface UnpackBudget {
  bytes: number;
  containers: number;
  parts: number;
}

/** Inserts the parts of containers, such as `winmail.dat`, after the container. Marks encrypted parts. */
export async function unpackParts(raw: RawMail, parts: readonly ScannedPart[]): Promise<ScannedPart[]> {
  const budget: UnpackBudget = {
    bytes: MAX_CONTAINER_BYTES,
    containers: MAX_CONTAINERS,
    parts: MAX_PARTS - parts.length,
  };
  const unpackedParts: ScannedPart[] = [];
  for (const part of parts) unpackedParts.push(...(await unpackPart(raw, part, budget, 0)));
  markPgpContent(unpackedParts);
  return unpackedParts;
}

/** Marks the part after the version part as encrypted (RFC 3156 4). */
function markPgpContent(parts: ScannedPart[]): void {
  const getParent = ({ path }: ScannedPart) => path.slice(0, Math.max(0, path.lastIndexOf('.')));
  for (const [index, { type }] of parts.entries()) {
    const content = parts[index + 1];
    if (type !== 'application/pgp-encrypted' || !content) continue;
    if (getParent(content) !== getParent(parts[index]!) || content.type.startsWith('multipart/')) continue;
    content.isEncrypted = true;
    content.filename ??= 'encrypted.asc';
  }
}

async function unpackPart(
  raw: RawMail,
  part: ScannedPart,
  budget: UnpackBudget,
  depth: number,
): Promise<ScannedPart[]> {
  if (!mayBeContainer(part) || budget.containers-- <= 0) return [part];
  const isLeftOut = depth >= MAX_DEPTH || part.size > budget.bytes;
  const unpacked = unpackContainer(isLeftOut ? await readHead(raw, part) : await readWholePart(raw, part));
  if (unpacked === 'encrypted') return [{ ...part, isEncrypted: true }];
  if (unpacked === null || isLeftOut) return [part];
  const parts = unpacked.parts ?? (await scanEntity(unpacked.content));
  if (parts.length > budget.parts) return [part];
  budget.bytes -= part.size;
  budget.parts -= parts.length;
  const all: ScannedPart[] = [part];
  for (const inner of parts) {
    const child = nameBody({ ...inner, path: `${part.path}.${inner.path}`, container: part }, part);
    all.push(...(await unpackPart(raw, child, budget, depth + 1)));
  }
  return all;
}

/** Scans an entity. Numbers its parts as if it were inside a multipart. */
async function scanEntity(content: Buffer): Promise<ScannedPart[]> {
  const { parts } = await scanMail(toRawMail(content));
  return parts.map((part, index) => ({ ...part, path: index === 0 ? '1' : `1.${part.path}` }));
}

function mayBeContainer({ type, filename }: ScannedPart): boolean {
  if (/^application\/(?:x-)?pkcs7-mime$|^application\/(?:vnd\.)?ms-tnef$/.test(type)) return true;
  return type === 'application/octet-stream' && /\.p7m$|^winmail\.dat$/i.test(filename ?? '');
}

/** Enough bytes to detect encrypted content. */
const HEAD_BYTES = 256;

async function readHead(raw: RawMail, part: ScannedPart): Promise<Buffer> {
  for await (const chunk of readPartContent(raw, part)) return Buffer.from(chunk.subarray(0, HEAD_BYTES));
  return Buffer.alloc(0);
}

/** Turns the text of an attached message into a file with the message's name. */
function nameBody(part: ScannedPart, container: ScannedPart): ScannedPart {
  if (!part.isTnefBody || !container.container) return part;
  const extension = part.type === 'text/html' ? 'html' : 'txt';
  const filename = `${container.filename ?? 'message'}.${extension}`;
  return { ...part, isTnefBody: false, disposition: 'attachment', filename };
}
