import { appendFileSync } from 'node:fs';
import { describe, inject } from 'vitest';

declare module 'vitest' {
  export interface ProvidedContext {
    missingPeers: string;
  }
}

/** An external program that tests talk to. */
export interface Peer<T> {
  /** The peer's location. Must only be read inside its tests. */
  readonly module: T;
  describe(title: string, body: () => void): void;
}

/**
 * If a peer is missing, its tests are skipped on a developer's machine, and the end of the run lists it. In CI (`CI` is
 * set), the tests fail, unless no system package provides the peer.
 * @param want its name and where to get it
 */
export function definePeer<T>(value: T | null, want: string, isPackaged = true): Peer<T> {
  if (value !== null) return { module: value, describe };
  const message = `${want} is missing`;
  if (process.env.CI && isPackaged) throw new Error(message);
  appendFileSync(inject('missingPeers'), `${want}\n`);
  return { module: null as T, describe: describe.skip };
}
