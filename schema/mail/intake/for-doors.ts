import type { Runtime } from '../../../src/engine/ctx/runtime.ts';
import { type Arriving, accept } from './accept.ts';
import { placesOf } from './places.ts';

/** What doors bring mail to. */
export const intakeOf = (runtime: Runtime) => ({
  find: (recipients: readonly string[], size: number) => placesOf(runtime, recipients, size),
  take: (message: Arriving) => accept(runtime, message),
});
