/** Decodes a Content-Transfer-Encoding (RFC 2045 6) incrementally. Tolerates invalid input. */
export interface TransferDecoder {
  write(bytes: Uint8Array): Buffer;
  end(): Buffer;
  save(): unknown;
  restore(savedState: unknown): void;
}

export type TransferEncoding = '7bit' | '8bit' | 'binary' | 'base64' | 'quoted-printable';

const EMPTY = Buffer.alloc(0);

/** Returns null if the encoding needs no decoder. */
export function createTransferDecoder(encoding: TransferEncoding): TransferDecoder | null {
  if (encoding === 'base64') return createBase64Decoder();
  return encoding === 'quoted-printable' ? createQuotedPrintableDecoder() : null;
}

const NOT_A_DIGIT = 255;
const PAD = 64;

/** Value of each base64 digit, in both alphabets of RFC 4648. */
const BASE64_DIGITS = Uint8Array.from({ length: 256 }, (_, code) => {
  const index = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/'.indexOf(
    String.fromCharCode(code),
  );
  if (index >= 0) return index;
  return { 45: 62, 95: 63, 61: PAD }[code] ?? NOT_A_DIGIT;
});

/** Padding in the middle ends a group, so concatenated base64 strings are decoded. */
function createBase64Decoder(): TransferDecoder {
  let bits = 0;
  let count = 0;
  return {
    write(bytes) {
      const out = Buffer.allocUnsafe(Math.ceil((bytes.length * 3) / 4) + 3);
      let to = 0;
      for (let index = 0; index < bytes.length; index++) {
        const digit = BASE64_DIGITS[bytes[index]!]!;
        if (digit === NOT_A_DIGIT) continue;
        if (digit === PAD) {
          count = 0;
          continue;
        }
        bits = ((bits << 6) | digit) & 0xffff;
        count += 6;
        if (count < 8) continue;
        count -= 8;
        out[to++] = (bits >> count) & 255;
      }
      return out.subarray(0, to);
    },
    end: () => EMPTY,
    save: () => [bits, count],
    restore(savedState) {
      [bits, count] = savedState as [number, number];
    },
  };
}

const [LF, CR, SPACE, TAB, EQUALS] = [10, 13, 32, 9, 61] as const;

/** Maximum bytes of white space to hold back, because white space before a line ending is not part of the text. */
const MAX_HELD_BYTES = 1000;

/** `heldBytes` contains bytes whose meaning depends on the next byte. */
interface QuotedPrintableState {
  heldBytes: number[];
  out: Buffer;
  to: number;
}

/**
 * Holds line endings back until more input follows, because a line ending before a boundary is not part of the body.
 */
function createQuotedPrintableDecoder(): TransferDecoder {
  const state: QuotedPrintableState = { heldBytes: [], out: EMPTY, to: 0 };
  return {
    write(bytes) {
      state.out = Buffer.allocUnsafe(bytes.length + state.heldBytes.length);
      state.to = 0;
      let position = 0;
      while (position < bytes.length) {
        if (state.heldBytes.length === 0) position = copyUnambiguousBytes(state, bytes, position);
        for (let isHeld = true; isHeld && position < bytes.length; isHeld = state.heldBytes.length > 0) {
          while (!decodeByte(state, bytes[position]!));
          position++;
        }
      }
      return state.out.subarray(0, state.to);
    },
    end() {
      const [first, second] = state.heldBytes;
      const isText =
        first === EQUALS ? second !== undefined && parseHexDigit(second) >= 0 : first === CR || first === LF;
      const rest = isText ? Buffer.from(state.heldBytes) : EMPTY;
      state.heldBytes = [];
      return rest;
    },
    save: () => [...state.heldBytes],
    restore(savedState) {
      state.heldBytes = [...(savedState as number[])];
    },
  };
}

const isBlank = (byte: number): boolean => byte === SPACE || byte === TAB;
const isPlain = (byte: number): boolean =>
  byte > SPACE ? byte !== EQUALS : !isBlank(byte) && byte !== CR && byte !== LF;

function parseHexDigit(byte: number): number {
  if (byte >= 48 && byte <= 57) return byte - 48;
  const letter = byte | 32;
  return letter >= 97 && letter <= 102 ? letter - 87 : -1;
}

/**
 * Copies bytes whose meaning does not depend on their context. Requires that no bytes are held back.
 * @returns the end of the copied bytes
 */
function copyUnambiguousBytes(state: QuotedPrintableState, bytes: Uint8Array, from: number): number {
  const { out } = state;
  const last = bytes.length - 2;
  let to = state.to;
  let position = from;
  for (; position < last; position++) {
    const byte = bytes[position]!;
    if (byte > SPACE && byte !== EQUALS) {
      out[to++] = byte;
      continue;
    }
    const next = bytes[position + 1]!;
    if (byte === EQUALS) {
      const [high, low] = [parseHexDigit(next), parseHexDigit(bytes[position + 2]!)];
      if (high >= 0 && low >= 0) out[to++] = high * 16 + low;
      else if (next !== CR || bytes[position + 2] !== LF) break;
      position += 2;
    } else if (byte === CR) {
      if (next !== LF) break;
      out[to++] = CR;
      out[to++] = LF;
      position++;
    } else if (isBlank(byte) && (next <= SPACE || next === EQUALS)) break;
    else out[to++] = byte;
  }
  state.to = to;
  return position;
}

/** Returns false if the byte must be processed again, because held bytes were written. */
function decodeByte(state: QuotedPrintableState, byte: number): boolean {
  const [first] = state.heldBytes;
  if (first === undefined) {
    if (isPlain(byte)) state.out[state.to++] = byte;
    else state.heldBytes.push(byte);
    return true;
  }
  if (first === EQUALS) return decodeEscapedByte(state, byte);
  if (isBlank(first)) {
    if (byte === CR || byte === LF) state.heldBytes = [byte];
    else if (isBlank(byte) && state.heldBytes.length < MAX_HELD_BYTES) state.heldBytes.push(byte);
    else return flushHeldBytes(state);
    return true;
  }
  if (first !== CR || byte !== LF || state.heldBytes.length > 1) return flushHeldBytes(state);
  state.heldBytes.push(byte);
  return true;
}

/** Handles the characters after an equals sign: two hex digits, or the line ending of a soft break. */
function decodeEscapedByte(state: QuotedPrintableState, byte: number): boolean {
  const { heldBytes } = state;
  const second = heldBytes[1];
  if (byte === LF && (second === undefined || parseHexDigit(second) < 0)) {
    state.heldBytes = [];
    return true;
  }
  if (second === CR) {
    state.heldBytes = [];
    return false;
  }
  if (second !== undefined && parseHexDigit(second) >= 0) {
    if (parseHexDigit(byte) < 0) return flushHeldBytes(state);
    state.out[state.to++] = parseHexDigit(second) * 16 + parseHexDigit(byte);
    state.heldBytes = [];
    return true;
  }
  if (byte === CR) state.heldBytes = [EQUALS, CR];
  else if (isBlank(byte) && heldBytes.length < MAX_HELD_BYTES) heldBytes.push(byte);
  else if (parseHexDigit(byte) >= 0 && second === undefined) heldBytes.push(byte);
  else return flushHeldBytes(state);
  return true;
}

function flushHeldBytes(state: QuotedPrintableState): boolean {
  for (const byte of state.heldBytes) state.out[state.to++] = byte;
  state.heldBytes = [];
  return false;
}
