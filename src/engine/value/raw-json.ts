import { encodeLongText, parseJsonYielding, stringifyLongValue } from '../../loop/json-yielding.ts';

/** JSON text from PostgreSQL. JSON facades pass `text` through, and other facades call `value()`. */
export class RawJson {
  /** Parts of a long text, which would block the event loop while they are joined. */
  readonly pieces: readonly string[];
  /** Number of rows if the JSON is a list. */
  readonly count: number;
  constructor(text: string | readonly string[], count: number) {
    this.pieces = typeof text === 'string' ? [text] : text;
    this.count = count;
  }
  get text(): string {
    return this.pieces.length === 1 ? this.pieces[0]! : this.pieces.join('');
  }
  value<T = unknown>(): T {
    return JSON.parse(this.text) as T;
  }
  /** Like `value`, but yields to the event loop while parsing long text. */
  async valueYielding<T = unknown>(): Promise<T> {
    return (await parseJsonYielding(this.text)) as T;
  }
  toJSON(): unknown {
    return this.value();
  }
}

/** Serializes a long result as UTF-8, and yields to the event loop. Null for a short one. */
export const encodeLongResult = (result: unknown): Promise<Buffer<ArrayBuffer> | null> =>
  result instanceof RawJson ? encodeLongText(result.pieces) : stringifyLongValue(result);
