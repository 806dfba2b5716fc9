import { builder } from '../../src/engine/operation/builder.ts';

export const DeletedRecord = builder.objectRef<{ id: string | number }>('DeletedRecord').implement({
  description: 'A record that was deleted.',
  fields: (t) => ({ id: t.exposeID('id', { description: 'Id of the deleted record.' }) }),
});
