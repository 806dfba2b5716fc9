import { unpackContainer } from './containers/unpack.ts';
import { type RawMail, toRawMail } from './raw.ts';
import type { ScannedPart } from './scan.ts';
import { createTransferDecoder } from './transfer.ts';

export interface PartLocation extends Pick<ScannedPart, 'bodyFrom' | 'bodyTo' | 'encoding'> {
  container?: PartLocation;
}

/** Streams the decoded body of a part, which has `part.size` bytes. */
export async function* readPartContent(raw: RawMail, part: PartLocation): AsyncGenerator<Uint8Array> {
  const decoder = createTransferDecoder(part.encoding);
  const source = part.container ? toRawMail(await openContainer(raw, part.container)) : raw;
  for await (const chunk of source.read(part.bodyFrom, part.bodyTo)) {
    const bytes = decoder ? decoder.write(chunk) : chunk;
    if (bytes.length > 0) yield bytes;
  }
  const rest = decoder?.end();
  if (rest && rest.length > 0) yield rest;
}

export async function readWholePart(raw: RawMail, part: PartLocation): Promise<Buffer> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of readPartContent(raw, part)) chunks.push(chunk);
  return Buffer.concat(chunks);
}

/** Caches unpacked containers by location, so that each container is unpacked only once. */
const contents = new WeakMap<RawMail, Map<string, Promise<Buffer>>>();

const toLocationKey = ({ bodyFrom, bodyTo, container }: PartLocation): string =>
  `${container ? `${toLocationKey(container)} ` : ''}${bodyFrom}-${bodyTo}`;

function openContainer(raw: RawMail, container: PartLocation): Promise<Buffer> {
  const partContents = contents.get(raw) ?? new Map<string, Promise<Buffer>>();
  contents.set(raw, partContents);
  const key = toLocationKey(container);
  const content = partContents.get(key) ?? readContainer(raw, container);
  partContents.set(key, content);
  return content;
}

async function readContainer(raw: RawMail, container: PartLocation): Promise<Buffer> {
  const unpacked = unpackContainer(await readWholePart(raw, container));
  return unpacked === null || unpacked === 'encrypted' ? Buffer.alloc(0) : unpacked.content;
}
