import { builder } from '../../src/engine/verb/builder.ts';

/** What a verb that deletes a noun of the settings answers. */
export const DeletedRecord = builder.objectRef<{ id: string | number }>('DeletedRecord').implement({
  description: 'A record that was deleted.',
  fields: (t) => ({ id: t.exposeID('id', { description: 'Id it had.' }) }),
});
