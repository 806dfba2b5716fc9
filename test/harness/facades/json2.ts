import { expect } from 'vitest';
import { type App, post } from '../app.ts';

type Json = ReturnType<typeof JSON.parse>;

/** Posts to the JSON API. `path` is `<model>/<method>`. */
export const json2 = (
  app: { url: string },
  path: string,
  body: unknown = {},
  key?: string,
  headers?: Record<string, string>,
) => post(`${app.url}/json/2/${path}`, body, key, headers);

export interface JsonClient {
  value(path: string, body?: object): Promise<Json>;
  expectError(status: number, path: string, body?: object): Promise<{ name: string; message: string }>;
  /** Returns the status and error of a call that must fail. */
  expectRejection(path: string, body?: object): Promise<{ status: number; name: string; message: string }>;
  row(model: string, id: number, fields: string[]): Promise<Json>;
  /** Reads fields of a record that may be archived, with ids for relations. */
  read(model: string, id: number, fields: string[]): Promise<Record<string, Json>>;
  create(model: string, values: object): Promise<number>;
}

/** Returns a client with the key, by default with the administrator's. */
export function createJsonClient(app: App, key?: string): JsonClient {
  const request = (path: string, body?: object) => json2(app, path, body, key ?? app.main.admin.key);
  const value: JsonClient['value'] = async (path, body) => {
    const answer = await request(path, body);
    expect(answer.status, `${path}: ${answer.text}`).toBe(200);
    return answer.json();
  };
  const expectRejection: JsonClient['expectRejection'] = async (path, body) => {
    const answer = await request(path, body);
    expect(answer.status, `${path}: ${answer.text}`).toBeGreaterThanOrEqual(400);
    return { status: answer.status, ...answer.json() };
  };
  return {
    value,
    expectRejection,
    async expectError(expectedStatus, path, body) {
      const { status, ...error } = await expectRejection(path, body);
      expect(status, `${path}: ${error.message}`).toBe(expectedStatus);
      return error;
    },
    row: async (model, id, fields) => (await value(`${model}/read`, { ids: [id], fields }))[0],
    read: async (model, id, fields) =>
      (await value(`${model}/read`, { ids: [id], fields, load: null, context: { active_test: false } }))[0],
    create: async (model, values) => (await value(`${model}/create`, { vals_list: [values] }))[0],
  };
}
