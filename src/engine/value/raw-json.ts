import { parseJsonYielding } from '../../loop/json-yielding.ts';

/** JSON text from PostgreSQL. JSON facades pass `text` through, and other facades call `value()`. */
export class RawJson {
  readonly text: string;
  /** Number of rows if the JSON is a list. */
  readonly count: number;
  constructor(text: string, count: number) {
    this.text = text;
    this.count = count;
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
