/** A JSON list of rows, streamed in chunks so that it is never in memory as a whole. */
export class RowStream {
  readonly #rows: () => AsyncGenerator<string[]>;

  /** @param rows the JSON of rows, some at a time */
  constructor(rows: () => AsyncGenerator<string[]>) {
    this.#rows = rows;
  }

  /** The pieces of one JSON document. */
  async *chunks(): AsyncGenerator<string> {
    let start = '[';
    for await (const rows of this.#rows()) {
      yield start + rows.join(',');
      start = ',';
    }
    yield start === '[' ? '[]' : ']';
  }

  /** The whole of it, for those who need it at once. */
  async value<T = unknown>(): Promise<T> {
    let text = '';
    for await (const chunk of this.chunks()) text += chunk;
    return JSON.parse(text) as T;
  }
}
