import { expect } from 'vitest';
import type { post } from '../harness/app.ts';

/** Verifies that an error has the five standard keys in order and reveals no internals. */
export function expectError(
  answer: Awaited<ReturnType<typeof post>>,
  status: number,
  name: string,
  message: RegExp,
) {
  expect(answer.status, answer.text).toBe(status);
  expect(answer.headers.get('content-type')).toBe('application/json; charset=utf-8');
  const body = answer.json();
  expect(Object.keys(body)).toEqual(['name', 'message', 'arguments', 'context', 'debug']);
  expect(body.name).toBe(name);
  expect(body.message).toMatch(message);
  expect(body.arguments).toEqual(name.startsWith('werkzeug.') ? [body.message, status] : [body.message]);
  expect([body.context, body.debug]).toEqual([{}, '']);
  expect(answer.text).not.toMatch(/node_modules|at \w+ \(|\.ts:/);
}
