import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { definePeer, type Peer } from '../harness/peer.ts';

const run = promisify(execFile);

export interface Line {
  name: string;
  result?: unknown;
  error?: string;
}

export async function findPython(module: string, debianPackage: string): Promise<Peer<string>> {
  // Debian's modules are installed for Debian's interpreter, which is not always the first in PATH.
  for (const python of ['/usr/bin/python3', 'python3']) {
    const imported = await run(python, ['-c', `import ${module}`]).catch(() => null);
    if (imported) return definePeer(python, module);
  }
  return definePeer<string>(null, `Python's module ${module} (apt-get install ${debianPackage})`);
}

/** Runs a script in this folder that prints one JSON object per line. Lines printed before a failure are included. */
export async function runScript(python: string, script: string, args: string[]): Promise<Map<string, Line>> {
  const path = fileURLToPath(new URL(script, import.meta.url));
  const options = { maxBuffer: 16 * 1024 * 1024 };
  const result = await run(python, ['-B', path, ...args], options).catch(
    (error: Error & { stdout: string; stderr: string }) => error,
  );
  const lines = new Map<string, Line>();
  for (const text of result.stdout.split('\n').filter(Boolean)) {
    const line = JSON.parse(text) as Line;
    if (lines.has(line.name)) throw new Error(`"${line.name}" was printed twice`);
    lines.set(line.name, line);
  }
  if (result instanceof Error)
    lines.set(END_LINE, { name: END_LINE, error: String(result.stderr || result) });
  return lines;
}

const END_LINE = 'the end';

/** Returns the result of a call. @throws the client's error if the call failed or was not reached */
export function getResult(lines: Map<string, Line>, name: string): unknown {
  const line = getLine(lines, name);
  if (line.error !== undefined) throw new Error(line.error);
  return line.result;
}

export function getError(lines: Map<string, Line>, name: string): string {
  const line = getLine(lines, name);
  if (line.error === undefined) throw new Error(`it did not fail: ${JSON.stringify(line.result)}`);
  return line.error;
}

function getLine(lines: Map<string, Line>, name: string): Line {
  const line = lines.get(name);
  if (line) return line;
  throw new Error(`"${name}" was not reached: ${lines.get(END_LINE)?.error ?? 'there is no such call'}`);
}
