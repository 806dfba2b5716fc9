import { parseJsonYielding } from '../../loop/json-yielding.ts';

/** JSON as Postgres wrote it. Doors that speak JSON pass `text` through; others call `value()`. */
export class RawJson {
  readonly text: string;
  /** Rows in the list, when it is one. */
  readonly count: number;
  constructor(text: string, count: number) {
    this.text = text;
    this.count = count;
  }
  value<T = unknown>(): T {
    return JSON.parse(this.text) as T;
  }
  /** As `value`, of a long text, while others have their turn. */
  async valueYielding<T = unknown>(): Promise<T> {
    return (await parseJsonYielding(this.text)) as T;
  }
  toJSON(): unknown {
    return this.value();
  }
}
