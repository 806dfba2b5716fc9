/** Decodes a Content-Transfer-Encoding (RFC 2045 6) incrementally. Tolerates invalid input. */
export interface TransferDecoder {
  write(bytes: Uint8Array): Buffer;
  end(): Buffer;
  /** Saves the state for `restore`. */
  save(): unknown;
  restore(saved: unknown): void;
}

export type TransferEncoding = '7bit' | '8bit' | 'binary' | 'base64' | 'quoted-printable';

const EMPTY = Buffer.alloc(0);

/** Returns a decoder; null if the encoding needs none. */
export function createTransferDecoder(encoding: TransferEncoding): TransferDecoder | null {
  if (encoding === 'base64') return createBase64Decoder();
  return encoding === 'quoted-printable' ? createQuotedPrintableDecoder() : null;
}

const NOT_A_DIGIT = 255;
const PAD = 64;

/** Value of each digit, for both alphabets of RFC 4648. */
const BASE64_DIGITS = Uint8Array.from({ length: 256 }, (_, code) => {
  const at = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/'.indexOf(
    String.fromCharCode(code),
  );
  if (at >= 0) return at;
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
      for (let at = 0; at < bytes.length; at++) {
        const digit = BASE64_DIGITS[bytes[at]!]!;
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
    restore(saved) {
      [bits, count] = saved as [number, number];
    },
  };
}

const [LF, CR, SPACE, TAB, EQUALS] = [10, 13, 32, 9, 61] as const;

/** Maximum bytes of white space to hold back, because white space before a line ending is not part of the text. */
const MAX_HELD_BYTES = 1000;

/** Pending characters whose meaning is undecided, and the output. */
interface QuotedPrintableState {
  held: number[];
  out: Buffer;
  to: number;
}

/** Writes a line ending, without the white space before it, only when more input follows or at the end. */
function createQuotedPrintableDecoder(): TransferDecoder {
  const state: QuotedPrintableState = { held: [], out: EMPTY, to: 0 };
  return {
    write(bytes) {
      state.out = Buffer.allocUnsafe(bytes.length + state.held.length);
      state.to = 0;
      let at = 0;
      while (at < bytes.length) {
        if (state.held.length === 0) at = copyUnambiguous(state, bytes, at);
        for (let isHeld = true; isHeld && at < bytes.length; isHeld = state.held.length > 0) {
          while (!takeByte(state, bytes[at]!));
          at++;
        }
      }
      return state.out.subarray(0, state.to);
    },
    end() {
      const [first, second] = state.held;
      const isText =
        first === EQUALS ? second !== undefined && parseHexDigit(second) >= 0 : first === CR || first === LF;
      const rest = isText ? Buffer.from(state.held) : EMPTY;
      state.held = [];
      return rest;
    },
    save: () => [...state.held],
    restore(saved) {
      state.held = [...(saved as number[])];
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
 * Copies bytes whose meaning does not depend on their context, which is the case for almost all bytes. Must be called
 * with nothing pending.
 * @returns the end of these bytes
 */
function copyUnambiguous(state: QuotedPrintableState, bytes: Uint8Array, from: number): number {
  const { out } = state;
  const last = bytes.length - 2;
  let to = state.to;
  let at = from;
  for (; at < last; at++) {
    const byte = bytes[at]!;
    if (byte > SPACE && byte !== EQUALS) {
      out[to++] = byte;
      continue;
    }
    const next = bytes[at + 1]!;
    if (byte === EQUALS) {
      const [high, low] = [parseHexDigit(next), parseHexDigit(bytes[at + 2]!)];
      if (high >= 0 && low >= 0) out[to++] = high * 16 + low;
      else if (next !== CR || bytes[at + 2] !== LF) break;
      at += 2;
    } else if (byte === CR) {
      if (next !== LF) break;
      out[to++] = CR;
      out[to++] = LF;
      at++;
    } else if (isBlank(byte) && (next <= SPACE || next === EQUALS)) break;
    else out[to++] = byte;
  }
  state.to = to;
  return at;
}

/** False if the byte must be processed again, because pending characters were written. */
function takeByte(state: QuotedPrintableState, byte: number): boolean {
  const [first] = state.held;
  if (first === undefined) {
    if (isPlain(byte)) state.out[state.to++] = byte;
    else state.held.push(byte);
    return true;
  }
  if (first === EQUALS) return takeEscaped(state, byte);
  if (isBlank(first)) {
    if (byte === CR || byte === LF) state.held = [byte];
    else if (isBlank(byte) && state.held.length < MAX_HELD_BYTES) state.held.push(byte);
    else return flushHeld(state);
    return true;
  }
  if (first !== CR || byte !== LF || state.held.length > 1) return flushHeld(state);
  state.held.push(byte);
  return true;
}

/** Handles the characters after an equals sign: two hex digits, or the end of the line, which is a soft break. */
function takeEscaped(state: QuotedPrintableState, byte: number): boolean {
  const { held } = state;
  const second = held[1];
  if (byte === LF && (second === undefined || parseHexDigit(second) < 0)) {
    state.held = [];
    return true;
  }
  if (second === CR) {
    state.held = [];
    return false;
  }
  if (second !== undefined && parseHexDigit(second) >= 0) {
    if (parseHexDigit(byte) < 0) return flushHeld(state);
    state.out[state.to++] = parseHexDigit(second) * 16 + parseHexDigit(byte);
    state.held = [];
    return true;
  }
  if (byte === CR) state.held = [EQUALS, CR];
  else if (isBlank(byte) && held.length < MAX_HELD_BYTES) held.push(byte);
  else if (parseHexDigit(byte) >= 0 && second === undefined) held.push(byte);
  else return flushHeld(state);
  return true;
}

function flushHeld(state: QuotedPrintableState): boolean {
  for (const byte of state.held) state.out[state.to++] = byte;
  state.held = [];
  return false;
}
