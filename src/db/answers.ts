import { errors } from '../errors.ts';
import { limits } from '../limits.ts';
import type { AnswerSocket } from './gate.ts';

/** Large answers in memory that wait for their readers. */
export interface AnswerMemory {
  /**
   * Counts an answer for its workspace until its client has taken it or is gone; one that takes too little is cut off.
   * @throws BUSY when the answers of the workspace, or of all, exceed their share
   */
  keep(workspace: number, bytes: number, outgoing: AnswerSocket | undefined): void;
}

interface Answer {
  outgoing: AnswerSocket;
  /** When the client could begin to take it, and what there was to take then. */
  offered: { at: number; bytes: number } | null;
}

const LOOK = 1_000;

export function createAnswers(): AnswerMemory {
  const shares = new Map<number, number>();
  const waiting = new Set<Answer>();
  let all = 0;
  let timer: NodeJS.Timeout | undefined;

  function count(workspace: number, bytes: number): void {
    all += bytes;
    const held = (shares.get(workspace) ?? 0) + bytes;
    if (held > 0) shares.set(workspace, held);
    else shares.delete(workspace);
  }

  function look(): void {
    const now = performance.now();
    for (const answer of waiting) if (isTooSlow(answer, now)) answer.outgoing.destroy();
    if (waiting.size > 0) return;
    clearInterval(timer);
    timer = undefined;
  }

  return {
    keep(workspace, bytes, outgoing) {
      if (!outgoing || outgoing.destroyed) return;
      const held = shares.get(workspace) ?? 0;
      if (held + bytes > limits.http.answersOfOne || all + bytes > limits.http.answers)
        throw errors.busy('Too many large answers wait for their readers; try again.');
      count(workspace, bytes);
      const answer: Answer = { outgoing, offered: null };
      waiting.add(answer);
      timer ??= setInterval(look, LOOK).unref();
      outgoing.once('close', () => {
        waiting.delete(answer);
        count(workspace, -bytes);
      });
    },
  };
}

/** Whether a client takes less than the least rate, from the moment on at which it can. */
function isTooSlow(answer: Answer, now: number): boolean {
  const { outgoing } = answer;
  if (!outgoing.writableEnded) return false;
  answer.offered ??= { at: now, bytes: outgoing.writableLength };
  const seconds = (now - answer.offered.at - limits.http.readerPause) / 1000;
  return seconds > 0 && answer.offered.bytes - outgoing.writableLength < seconds * limits.http.leastRate;
}
