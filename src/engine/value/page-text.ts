import type { RawJson } from './raw-json.ts';

/** A page of rows as JSON text from PostgreSQL, with counts for the whole list. */
export class PageText {
  readonly list: RawJson;
  readonly counts: Readonly<Record<string, number>>;
  constructor(list: RawJson, counts: Readonly<Record<string, number>>) {
    this.list = list;
    this.counts = counts;
  }
  /** `{"data":[…],"count":2}` */
  get text(): string {
    const counts = Object.entries(this.counts).map(([name, count]) => `,${JSON.stringify(name)}:${count}`);
    return `{"data":${this.list.text}${counts.join('')}}`;
  }
}
