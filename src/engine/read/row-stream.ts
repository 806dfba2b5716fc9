/** A JSON list of rows that comes piece by piece, so that nobody holds the whole of it. */
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
