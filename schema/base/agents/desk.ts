import { defineAgentGuard } from '../../../src/engine/operation/agent.ts';
import { storeUndo } from '../../mailbox/organize/undo-token.ts';
import { admitCall, hasRemainingBudget, recordAgentActivity } from './admit-call.ts';
import { chargeAgent, refundAgent } from './count-calls.ts';
import { holdAction } from './held-actions.ts';
import { spendConfirmation } from './spent-confirmations.ts';

defineAgentGuard({
  recordPresence: recordAgentActivity,
  admit: admitCall,
  hasRoom: hasRemainingBudget,
  charge: chargeAgent,
  refund: refundAgent,
  consumeConfirmation: spendConfirmation,
  holdAction: holdAction,
  storeUndo: (ctx, steps) => storeUndo(ctx, [...steps]),
});
