export interface ImageHead {
  mimetype: 'image/png' | 'image/jpeg' | 'image/gif' | 'image/webp';
  /** Displayed size in pixels, with the photo's rotation applied. */
  width: number;
  height: number;
}

/** Parses the type and dimensions from the content of an image. Null if browsers cannot display it. */
export function parseImageHead(bytes: Buffer): ImageHead | null {
  const head = parsePng(bytes) ?? parseGif(bytes) ?? parseWebp(bytes) ?? parseJpeg(bytes);
  return head && head.width > 0 && head.height > 0 ? head : null;
}

const startsWith = (bytes: Buffer, hex: string): boolean =>
  bytes.subarray(0, hex.length / 2).toString('hex') === hex;

function parsePng(bytes: Buffer): ImageHead | null {
  if (bytes.length < 24 || !startsWith(bytes, '89504e470d0a1a0a')) return null;
  return { mimetype: 'image/png', width: bytes.readUInt32BE(16), height: bytes.readUInt32BE(20) };
}

function parseGif(bytes: Buffer): ImageHead | null {
  if (bytes.length < 10 || !/^GIF8[79]a$/.test(bytes.toString('latin1', 0, 6))) return null;
  return { mimetype: 'image/gif', width: bytes.readUInt16LE(6), height: bytes.readUInt16LE(8) };
}

/** The first chunk is lossy, lossless or extended (RFC 9649 2.5 to 2.7). */
function parseWebp(bytes: Buffer): ImageHead | null {
  if (bytes.length < 30 || !/^RIFF.{4}WEBPVP8[ LX]$/s.test(bytes.toString('latin1', 0, 16))) return null;
  const size = parseWebpSize(bytes);
  return { mimetype: 'image/webp', width: size[0], height: size[1] };
}

function parseWebpSize(bytes: Buffer): [width: number, height: number] {
  switch (bytes.toString('latin1', 12, 16)) {
    case 'VP8X':
      return [bytes.readUIntLE(24, 3) + 1, bytes.readUIntLE(27, 3) + 1];
    case 'VP8L': {
      const bits = bytes.readUInt32LE(21);
      return [(bits & 0x3fff) + 1, ((bits >>> 14) & 0x3fff) + 1];
    }
    default:
      return [bytes.readUInt16LE(26) & 0x3fff, bytes.readUInt16LE(28) & 0x3fff];
  }
}

/** The other markers between C0 and CF are tables. */
const isFrameMarker = (marker: number): boolean =>
  marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker);

/** Walks the segments until it finds the segment with the dimensions (ITU-T T.81, annex B). */
function parseJpeg(bytes: Buffer): ImageHead | null {
  if (!startsWith(bytes, 'ffd8ff')) return null;
  let isTurned = false;
  for (let start = 2; start + 9 <= bytes.length && bytes[start] === 0xff; ) {
    const marker = bytes[start + 1]!;
    const end = start + 2 + bytes.readUInt16BE(start + 2);
    if (isFrameMarker(marker)) {
      const [height, width] = [bytes.readUInt16BE(start + 5), bytes.readUInt16BE(start + 7)];
      return { mimetype: 'image/jpeg', ...(isTurned ? { width: height, height: width } : { width, height }) };
    }
    if (marker === 0xe1) isTurned ||= isQuarterTurn(bytes.subarray(start + 4, end));
    // Padding bytes may precede a marker.
    start = marker === 0xff ? start + 1 : end;
  }
  return null;
}

/** Orientation values from 5 on swap width and height (Exif 2.32, 4.6.4). */
const ORIENTATION_TAG = 0x0112;

/** Returns true if an Exif segment, which contains a TIFF file, rotates the image by 90 or 270 degrees. */
function isQuarterTurn(segment: Buffer): boolean {
  if (!startsWith(segment, '457869660000') || segment.length < 14) return false;
  const tiff = segment.subarray(6);
  const isLittle = tiff.toString('latin1', 0, 2) === 'II';
  const readShort = (offset: number) =>
    offset + 2 > tiff.length ? 0 : isLittle ? tiff.readUInt16LE(offset) : tiff.readUInt16BE(offset);
  const first = isLittle ? tiff.readUInt32LE(4) : tiff.readUInt32BE(4);
  for (let entry = 0; entry < readShort(first); entry++) {
    const entryOffset = first + 2 + 12 * entry;
    if (entryOffset + 12 > tiff.length) return false;
    if (readShort(entryOffset) === ORIENTATION_TAG)
      return readShort(entryOffset + 8) >= 5 && readShort(entryOffset + 8) <= 8;
  }
  return false;
}
