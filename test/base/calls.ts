import { expect } from 'vitest';
import { type App, post } from '../harness/app.ts';

/** Calls through /json/2, with one key. */
export interface Calls {
  /** The answer of a call that must succeed. */
  // biome-ignore lint/suspicious/noExplicitAny: its shape is the method's, and is what the tests look at
  value(path: string, body?: object): Promise<any>;
  /** The error of a call that must fail with `status`. */
  refusal(status: number, path: string, body?: object): Promise<{ name: string; message: string }>;
  /** The one row of `search_read`. */
  // biome-ignore lint/suspicious/noExplicitAny: as above
  row(model: string, id: number, fields: string[]): Promise<any>;
  /** Creates one record and gives its id. */
  create(model: string, values: object): Promise<number>;
}

export function callsOf(app: App, key: string): Calls {
  const send = (path: string, body: object) => post(`${app.url}/json/2/${path}`, body, key);
  const value: Calls['value'] = async (path, body = {}) => {
    const answer = await send(path, body);
    expect(answer.status, `${path}: ${answer.text}`).toBe(200);
    return answer.json();
  };
  return {
    value,
    async refusal(status, path, body = {}) {
      const answer = await send(path, body);
      expect(answer.status, `${path}: ${answer.text}`).toBe(status);
      return answer.json();
    },
    row: async (model, id, fields) => (await value(`${model}/read`, { ids: [id], fields }))[0],
    create: async (model, values) => (await value(`${model}/create`, { vals_list: [values] }))[0],
  };
}
