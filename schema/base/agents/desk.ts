import { defineAgentDesk } from '../../../src/engine/verb/agent.ts';
import { keepUndo } from '../../mail/organize/undo-token.ts';
import { admitCall, hasRoom, noteAgent } from './admit.ts';
import { charge, discount } from './count.ts';
import { hold } from './held.ts';
import { spend } from './spent.ts';

defineAgentDesk({
  note: noteAgent,
  admit: admitCall,
  hasRoom,
  charge,
  giveBack: discount,
  spend,
  hold,
  keepUndo: (ctx, steps) => keepUndo(ctx, [...steps]),
});
