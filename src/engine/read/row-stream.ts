/** A JSON array of rows, streamed in chunks so that it is never completely in memory. */
export class RowStream {
  readonly #rows: () => AsyncGenerator<string[]>;

  /** @param rows yields batches of rows, each row as JSON */
  constructor(rows: () => AsyncGenerator<string[]>) {
    this.#rows = rows;
  }

  async *chunks(): AsyncGenerator<string> {
    let start = '[';
    for await (const rows of this.#rows()) {
      yield start + rows.join(',');
      start = ',';
    }
    yield start === '[' ? '[]' : ']';
  }

  /** Reads the whole array into memory. */
  async value<T = unknown>(): Promise<T> {
    let text = '';
    for await (const chunk of this.chunks()) text += chunk;
    return JSON.parse(text) as T;
  }
}
