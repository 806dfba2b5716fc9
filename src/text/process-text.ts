import { runAfterYield } from '../loop/yield.ts';
import { runInThread, type TaskOwner } from '../thread.ts';
import callTextFunction, { type TextCall, type TextFunctions } from './text-thread.ts';

const THREAD_URL = new URL('./text-thread.ts', import.meta.url);

/** Maximum total characters of arguments that are processed on the main thread. */
const MIN_THREAD_CHARS = 16 * 1024;

const MAX_WORK_MS = 10_000;

/**
 * Calls one of the functions without blocking the event loop. Processes long texts in the worker thread.
 * @throws the errors of the function; BUSY if it takes too long
 */
export async function processText<Name extends keyof TextFunctions>(
  owner: TaskOwner,
  name: Name,
  ...args: Parameters<TextFunctions[Name]>
): Promise<ReturnType<TextFunctions[Name]>> {
  const call: TextCall = { name, args };
  if (countChars(args) >= MIN_THREAD_CHARS) return runInThread(THREAD_URL, call, owner, { ms: MAX_WORK_MS });
  return runAfterYield(() => callTextFunction(call) as ReturnType<TextFunctions[Name]>);
}

function countChars(value: unknown): number {
  if (typeof value === 'string') return value.length;
  if (typeof value !== 'object' || value === null) return 0;
  return Object.values(value).reduce<number>((sum, item) => sum + countChars(item), 0);
}
