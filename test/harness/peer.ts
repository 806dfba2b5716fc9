import { appendFileSync } from 'node:fs';
import { describe, inject } from 'vitest';

declare module 'vitest' {
  export interface ProvidedContext {
    /** File that collects the peers a run did without. */
    missingPeers: string;
  }
}

/** A program that is not of this project and that tests talk to. */
export interface Peer<T> {
  /** What there is of it; only read inside of its tests. */
  readonly found: T;
  describe(title: string, body: () => void): void;
}

/**
 * A developer's machine may lack a peer: its tests do not run then, and the end of the run names it. On the machine that
 * decides (`CI` is set) it is a failure, unless no package of a system has the peer.
 * @param want its name and where to get it
 */
export function definePeer<T>(found: T | null, want: string, packaged = true): Peer<T> {
  if (found !== null) return { found, describe };
  const message = `${want} is missing`;
  if (process.env.CI && packaged) throw new Error(message);
  appendFileSync(inject('missingPeers'), `${want}\n`);
  return { found: null as T, describe: describe.skip };
}
