// MAPI property lists in TNEF ([MS-OXTNEF] 2.1.3.4).

/** Values by property id. Only the first value of a property with several values is kept. */
export type MapiProperties = ReadonlyMap<number, MapiValue>;

export interface MapiValue {
  /** Property type, without the flag for multiple values. */
  type: number;
  bytes: Buffer;
}

export const MAPI_TYPES = { string8: 0x1e, unicode: 0x1f, object: 0x0d } as const;

/** Size of fixed-size types, including padding. */
const FIXED_BYTES: Record<number, number> = {
  2: 4,
  3: 4,
  4: 4,
  5: 8,
  6: 8,
  7: 8,
  10: 4,
  11: 4,
  20: 8,
  64: 8,
  72: 16,
};
const VARIABLE_TYPES: ReadonlySet<number> = new Set([
  MAPI_TYPES.object,
  MAPI_TYPES.string8,
  MAPI_TYPES.unicode,
  0x102,
]);
const SEVERAL_VALUES = 0x1000;
const FIRST_NAMED_ID = 0x8000;

const MAX_PROPERTIES = 2_000;

/** Reads as many properties as possible. Skips named properties. */
export function readMapiProperties(bytes: Buffer): MapiProperties {
  const properties = new Map<number, MapiValue>();
  const reader = new MapiReader(bytes);
  try {
    for (let remaining = Math.min(reader.readNumber(), MAX_PROPERTIES); remaining > 0; remaining--) {
      const type = reader.readNumber(2);
      const id = reader.readNumber(2);
      if (id >= FIRST_NAMED_ID) skipName(reader);
      const value = readValue(reader, type);
      if (id < FIRST_NAMED_ID && value && !properties.has(id)) properties.set(id, value);
    }
  } catch (error) {
    if (!(error instanceof EndOfDataError)) throw error;
  }
  return properties;
}

class EndOfDataError extends Error {}

class MapiReader {
  private at = 0;
  private readonly bytes: Buffer;

  constructor(bytes: Buffer) {
    this.bytes = bytes;
  }

  readNumber(bytes: 2 | 4 = 4): number {
    return this.read(bytes).readUIntLE(0, bytes);
  }

  read(length: number): Buffer {
    if (this.at + length > this.bytes.length) throw new EndOfDataError();
    this.at += length;
    return this.bytes.subarray(this.at - length, this.at);
  }

  /** Reads bytes that are padded to a multiple of four. */
  readPadded(length: number): Buffer {
    const read = this.read(length);
    this.at += -length & 3;
    return read;
  }
}

function skipName(reader: MapiReader): void {
  reader.read(16);
  const isText = reader.readNumber() === 1;
  const value = reader.readNumber();
  if (isText) reader.readPadded(value);
}

/** Reads the first value of a property. Null if it has none. */
function readValue(reader: MapiReader, flagged: number): MapiValue | null {
  const type = flagged & ~SEVERAL_VALUES;
  const fixed = FIXED_BYTES[type];
  if (fixed === undefined && !VARIABLE_TYPES.has(type)) throw new EndOfDataError();
  const values = fixed !== undefined && type === flagged ? 1 : reader.readNumber();
  let first: MapiValue | null = null;
  for (let remaining = values; remaining > 0; remaining--) {
    const bytes = reader.readPadded(fixed ?? reader.readNumber());
    first ??= { type, bytes };
  }
  return first;
}
