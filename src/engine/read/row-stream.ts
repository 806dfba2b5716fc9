/** A JSON array of rows, streamed in chunks so that it is never completely in memory. */
export class RowStream {
  /** Yields batches of rows, each row as JSON. */
  readonly batches: () => AsyncGenerator<string[]>;

  constructor(batches: () => AsyncGenerator<string[]>) {
    this.batches = batches;
  }

  async *chunks(): AsyncGenerator<string> {
    let start = '[';
    for await (const rows of this.batches()) {
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
