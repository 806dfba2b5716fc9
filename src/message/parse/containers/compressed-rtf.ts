// Compressed RTF ([MS-OXRTFCP]).
// cspell:ignore oxrtfcp deftab fonttbl colortbl

const DICTIONARY_BYTES = 4096;

const INITIAL_DICTIONARY = Buffer.from(
  '{\\rtf1\\ansi\\mac\\deff0\\deftab720{\\fonttbl;}{\\f0\\fnil \\froman \\fswiss \\fmodern \\fscript \\fdecor MS ' +
    'Sans SerifSymbolArialTimes New RomanCourier{\\colortbl\\red0\\green0\\blue0\r\n\\par ' +
    '\\pard\\plain\\f0\\fs20\\b\\i\\u\\tab\\tx',
  'latin1',
);

const [COMPRESSED, UNCOMPRESSED] = [0x75465a4c, 0x414c454d] as const;
const HEADER_BYTES = 16;

/**
 * Decompresses RTF, as far as it is valid.
 * @param maxBytes maximum bytes of the result
 */
export function decompressRtf(bytes: Buffer, maxBytes: number): Buffer {
  if (bytes.length < HEADER_BYTES) return Buffer.alloc(0);
  const rawSize = Math.min(bytes.readUInt32LE(4), maxBytes);
  const body = bytes.subarray(HEADER_BYTES);
  const type = bytes.readUInt32LE(8);
  if (type === UNCOMPRESSED) return body.subarray(0, rawSize);
  return type === COMPRESSED ? decompress(body, rawSize) : Buffer.alloc(0);
}

/** Maximum ratio of output to input. A two-byte reference repeats at most 17 bytes. */
const MAX_EXPANSION = 9;

function decompress(bytes: Buffer, rawSize: number): Buffer {
  const dictionary = Buffer.alloc(DICTIONARY_BYTES);
  INITIAL_DICTIONARY.copy(dictionary);
  const out = Buffer.allocUnsafe(Math.min(rawSize, bytes.length * MAX_EXPANSION));
  let write = INITIAL_DICTIONARY.length;
  let length = 0;
  const emit = (byte: number): void => {
    out[length++] = byte;
    dictionary[write] = byte;
    write = (write + 1) % DICTIONARY_BYTES;
  };
  let position = 0;
  while (position < bytes.length) {
    const flags = bytes[position++]!;
    for (let bit = 0; bit < 8 && position < bytes.length; bit++) {
      if (length >= out.length) return out;
      if ((flags & (1 << bit)) === 0) {
        emit(bytes[position++]!);
        continue;
      }
      if (position + 2 > bytes.length) return out.subarray(0, length);
      const reference = bytes.readUInt16BE(position);
      position += 2;
      const offset = reference >> 4;
      // A reference to the current position ends the text.
      if (offset === write) return out.subarray(0, length);
      const count = Math.min((reference & 15) + 2, out.length - length);
      for (let copied = 0; copied < count; copied++) emit(dictionary[(offset + copied) % DICTIONARY_BYTES]!);
    }
  }
  return out.subarray(0, length);
}
