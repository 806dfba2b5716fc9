import type { AttackRequest } from './shots.ts';
import type { Attacker, PlantedWord } from './world.ts';

export interface ShotResponse {
  /** 0 if there is no response. */
  status: number;
  text: string;
  ms: number;
  /** CPU time on the main thread in milliseconds. */
  busyMs: number;
  unexpected: unknown[];
}

/** Maximum time in milliseconds that a request may block others. */
const MAX_BUSY_MS = 1_000;

/** Text that no response may contain: stored secrets and internals. */
const FORBIDDEN =
  /scrypt\$|sealed\.v1:|BEGIN (?:RSA )?PRIVATE|node_modules|\bat async |\/src\/engine\/|syntax error at or near/;

export function findFaults(
  attacker: Attacker,
  { facade }: AttackRequest,
  response: ShotResponse,
  words: PlantedWord[],
): string[] {
  const { status, text, busyMs, unexpected } = response;
  const faults: string[] = [];
  if (status >= 500 || /Something went wrong/.test(text)) faults.push(`it answered ${status}`);
  if (status === 0) faults.push('it was cut off');
  if (unexpected.length > 0) faults.push(`it failed with ${formatErrors(unexpected)}`);
  if (busyMs > MAX_BUSY_MS) faults.push(`it kept the process busy for ${Math.round(busyMs)} ms`);
  if (FORBIDDEN.test(text)) faults.push(`it shows ${FORBIDDEN.exec(text)![0]}`);
  if (attacker.isDead && ['json2', 'rest', 'mcp'].includes(facade) && status < 400)
    faults.push('it let a dead key in');
  for (const plantedWord of words)
    if (!canSee(attacker, facade, plantedWord) && containsWord(text, plantedWord.word))
      faults.push(
        `it shows ${plantedWord.word}, which is for ${plantedWord.sight} of ${plantedWord.workspace}`,
      );
  return faults;
}

export const findVisibleWords = (
  attacker: Attacker,
  { facade }: AttackRequest,
  { text }: ShotResponse,
  words: PlantedWord[],
): string[] =>
  words.flatMap((word) =>
    canSee(attacker, facade, word) && containsWord(text, word.word) ? [word.word] : [],
  );

function canSee(
  { workspace, sees, isDead }: Attacker,
  facade: string,
  { sight, workspace: planted }: PlantedWord,
): boolean {
  if (isDead || workspace !== planted) return false;
  return sees.includes(sight) && !(sight === 'parameter' && facade === 'mcp');
}

/** Finds the word in plain text, or in base64 at any offset. */
const containsWord = (text: string, word: string): boolean =>
  text.includes(word) || [0, 1, 2].some((shift) => text.includes(encodePart(word, shift)));

function encodePart(word: string, shift: number): string {
  const encoded = Buffer.from(' '.repeat(shift) + word).toString('base64');
  return encoded.slice(shift === 0 ? 0 : 4, -4);
}

function formatErrors(unexpected: unknown[]): string {
  const errors = unexpected.flat().map((item) => {
    const { err } = (item ?? {}) as { err?: Error };
    return err ? `${err.message} ${(err.stack ?? '').split('\n').slice(1, 4).join(' ').trim()}` : '';
  });
  return errors.filter(Boolean).join(' | ').slice(0, 1_000);
}
