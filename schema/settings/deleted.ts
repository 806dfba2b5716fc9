import { builder } from '../../src/engine/verb/builder.ts';

export const DeletedRecord = builder.objectRef<{ id: string | number }>('DeletedRecord').implement({
  description: 'A record that was deleted.',
  fields: (t) => ({ id: t.exposeID('id', { description: 'Id it had.' }) }),
});
