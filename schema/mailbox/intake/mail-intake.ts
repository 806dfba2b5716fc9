import type { Runtime } from '../../../src/engine/ctx/runtime.ts';
import { acceptMessage, type IncomingMessage } from './accept.ts';
import { findDeliveryTargets } from './delivery-targets.ts';

export const createMailIntake = (runtime: Runtime) => ({
  find: (recipients: readonly string[], size: number) => findDeliveryTargets(runtime, recipients, size),
  take: (message: IncomingMessage) => acceptMessage(runtime, message),
});
