import { defineAgentGuard } from '../../../src/engine/verb/agent.ts';
import { keepUndo } from '../../mail/organize/undo-token.ts';
import { admitCall, hasRoom, noteAgent } from './admit.ts';
import { charge, discount } from './count.ts';
import { hold } from './held.ts';
import { spend } from './spent.ts';

defineAgentGuard({
  recordPresence: noteAgent,
  admit: admitCall,
  hasRoom,
  charge,
  refund: discount,
  consumeConfirmation: spend,
  holdAction: hold,
  storeUndo: (ctx, steps) => keepUndo(ctx, [...steps]),
});
